import Foundation
import Loam

private typealias Nodes = PredicateExpressions

// Tests of single values.

extension RandomPredicate {
    mutating func integer(_ value: some StandardPredicateExpression<Int>) -> AnyTest {
        switch number(0...6) {
        case 0: return equality(value, Nodes.build_Arg(number()))
        case 1, 2: return comparison(value, Nodes.build_Arg(number()))
        case 4:
            let (low, high) = (number(), number())
            let range = Nodes.build_Range(
                lower: Nodes.build_Arg(min(low, high)), upper: Nodes.build_Arg(max(low, high)))
            return AnyTest(Nodes.build_contains(range, value))
        case 5:
            // The test is `[2, 7].contains { $0 < value }`.
            let numbers = Nodes.build_Arg(list { $0.number() })
            return chance(50)
                ? AnyTest(Nodes.build_contains(numbers, where: { self.comparison($0, value) }))
                : AnyTest(Nodes.build_allSatisfy(numbers) { self.comparison($0, value) })
        case 3: return AnyTest(Nodes.build_contains(Nodes.build_Arg(list { $0.number() }), value))
        default:
            let (low, high) = (number(), number())
            let range = Nodes.build_ClosedRange(
                lower: Nodes.build_Arg(min(low, high)), upper: Nodes.build_Arg(max(low, high)))
            return AnyTest(Nodes.build_contains(range, value))
        }
    }

    mutating func optionalInteger(_ value: some StandardPredicateExpression<Int?>) -> AnyTest {
        switch number(0...5) {
        case 0: return nilTest(value)
        case 1: return equality(value, Nodes.build_Arg(orNil(number())))
        case 2: return integer(Nodes.build_NilCoalesce(lhs: value, rhs: Nodes.build_Arg(number())))
        case 3: return AnyTest(Nodes.build_contains(Nodes.build_Arg(list { $0.orNil($0.number()) }), value))
        case 4:
            let test = Nodes.build_flatMap(value) { self.integer($0) }
            return AnyTest(Nodes.build_NilCoalesce(lhs: test, rhs: Nodes.build_Arg(chance(30))))
        default:
            // The test is `value != nil && value! < 3`.
            let isThere = Nodes.build_NotEqual(lhs: value, rhs: Nodes.build_NilLiteral())
            return AnyTest(
                Nodes.build_Conjunction(lhs: isThere, rhs: integer(Nodes.build_ForcedUnwrap(value))))
        }
    }

    mutating func text(_ value: some StandardPredicateExpression<String>) -> AnyTest {
        let other = Nodes.build_Arg(name())
        switch number(0...9) {
        case 9: return characters(value, other)
        case 0: return equality(value, other)
        case 1: return comparison(value, other)
        case 2: return AnyTest(Nodes.build_contains(value, other))
        case 3: return AnyTest(Nodes.build_starts(value, with: other))
        case 4: return AnyTest(Nodes.build_localizedStandardContains(value, other))
        case 5: return AnyTest(Nodes.build_contains(Nodes.build_Arg(list { $0.name() }), value))
        case 7: return AnyTest(Nodes.build_localizedStandardStarts(value, with: other))
        case 6:
            return chance(50)
                ? equality(Nodes.build_lowercased(value), Nodes.build_Arg(name().lowercased()))
                : equality(Nodes.build_uppercased(value), Nodes.build_Arg(name().uppercased()))
        default: return AnyTest(Nodes.build_KeyPath(root: value, keyPath: \.isEmpty))
        }
    }

    /// A test of a text's characters beside those of another text.
    private mutating func characters(
        _ value: some StandardPredicateExpression<String>, _ other: some StandardPredicateExpression<String>
    ) -> AnyTest {
        let initial = Nodes.build_KeyPath(root: other, keyPath: \.first)
        let lowered = Nodes.build_lowercased(value)
        switch number(0...5) {
        case 0: return nilTest(Nodes.build_KeyPath(root: value, keyPath: \.last))
        case 1: return equality(Nodes.build_KeyPath(root: value, keyPath: \.first), initial)
        case 2: return equality(Nodes.build_KeyPath(root: lowered, keyPath: \.last), initial)
        case 3: return equality(Nodes.build_max(value), initial)
        case 4:
            return AnyTest(
                Nodes.build_contains(
                    value,
                    where: { character in
                        Nodes.build_Equal(
                            lhs: Nodes.build_flatMap(initial) { Nodes.build_Equal(lhs: $0, rhs: character) },
                            rhs: Nodes.build_Arg(Bool?.some(true)))
                    }))
        default:
            let some = Nodes.build_filter(value) { character in
                Nodes.build_Comparison(
                    lhs: Nodes.build_NilCoalesce(lhs: initial, rhs: character), rhs: character, op: .lessThan)
            }
            return integer(Nodes.build_KeyPath(root: some, keyPath: \.count))
        }
    }

    mutating func optionalText(_ value: some StandardPredicateExpression<String?>) -> AnyTest {
        switch number(0...4) {
        case 0: return nilTest(value)
        case 1: return equality(value, Nodes.build_Arg(orNil(name())))
        case 2: return text(Nodes.build_NilCoalesce(lhs: value, rhs: Nodes.build_Arg(name())))
        case 3: return AnyTest(Nodes.build_contains(Nodes.build_Arg(list { $0.orNil($0.name()) }), value))
        default:
            // The test is `value?.contains("a") == true`.
            let test = Nodes.build_flatMap(value) { self.text($0) }
            return equality(test, Nodes.build_Arg(orNil(chance(60))))
        }
    }

    mutating func flag(_ row: some StandardPredicateExpression<Pupil>) -> AnyTest {
        let (plain, optional) = (
            Nodes.build_KeyPath(root: row, keyPath: \.isAway), Nodes.build_KeyPath(root: row, keyPath: \.isPrefect)
        )
        return switch number(0...4) {
        case 0: AnyTest(plain)
        case 1: equality(plain, Nodes.build_Arg(chance(50)))
        case 2: nilTest(optional)
        case 3: equality(optional, Nodes.build_Arg(orNil(chance(50))))
        default: AnyTest(Nodes.build_NilCoalesce(lhs: optional, rhs: Nodes.build_Arg(chance(50))))
        }
    }

    mutating func date(_ value: some StandardPredicateExpression<Date?>) -> AnyTest {
        let day = Date(timeIntervalSinceReferenceDate: Double(number()) * 86_400)
        return switch number(0...2) {
        case 0: nilTest(value)
        case 1: equality(value, Nodes.build_Arg(orNil(day)))
        default: comparison(Nodes.build_NilCoalesce(lhs: value, rhs: Nodes.build_Arg(day)), Nodes.build_Arg(day + 1))
        }
    }

    mutating func house(_ row: some StandardPredicateExpression<Pupil>) -> AnyTest {
        let (house, guest) = (
            Nodes.build_KeyPath(root: row, keyPath: \.house), Nodes.build_KeyPath(root: row, keyPath: \.guest)
        )
        let asked = pick(Pupil.House.allCases)
        return switch number(0...3) {
        case 0: equality(house, Nodes.build_Arg(asked))
        case 1: AnyTest(Nodes.build_contains(Nodes.build_Arg(list { $0.pick(Pupil.House.allCases) }), house))
        case 2: equality(guest, Nodes.build_Arg(orNil(asked)))
        default: text(Nodes.build_rawValue(root: house, keyPath: \.rawValue))
        }
    }

    mutating func identifier(
        _ value: some StandardPredicateExpression<PersistentIdentifier>, of known: [PersistentIdentifier]
    ) -> AnyTest {
        chance(50)
            ? equality(value, Nodes.build_Arg(pick(known)))
            : AnyTest(Nodes.build_contains(Nodes.build_Arg(Set(list { $0.pick(known) })), value))
    }

    mutating func arithmetic(_ row: some StandardPredicateExpression<Pupil>) -> AnyTest {
        let (age, score) = (
            Nodes.build_KeyPath(root: row, keyPath: \.age), Nodes.build_KeyPath(root: row, keyPath: \.score)
        )
        let points = Nodes.build_NilCoalesce(
            lhs: Nodes.build_KeyPath(root: row, keyPath: \.points), rhs: Nodes.build_Arg(number()))
        switch number(0...5) {
        case 0: return comparison(Nodes.build_Arithmetic(lhs: age, rhs: points, op: .add), Nodes.build_Arg(number()))
        case 1:
            let product = Nodes.build_Arithmetic(lhs: age, rhs: Nodes.build_Arg(number(-2...2)), op: .multiply)
            return comparison(product, points)
        case 2: return comparison(Nodes.build_Arithmetic(lhs: points, rhs: age, op: .subtract), age)
        case 3:
            let half = Nodes.build_Division(lhs: score, rhs: Nodes.build_Arg(2))
            return comparison(half, Nodes.build_Arg(Double(number()) / 4))
        case 4:
            let rest = Nodes.build_Remainder(lhs: age, rhs: Nodes.build_Arg(number(1...5)))
            return comparison(rest, Nodes.build_Arg(number(-2...4)))
        default: return comparison(Nodes.build_UnaryMinus(age), Nodes.build_Arg(number()))
        }
    }
}

extension RandomPredicate {
    func nilTest<Value>(_ value: some StandardPredicateExpression<Value?>) -> AnyTest where Value: Equatable {
        AnyTest(Nodes.build_Equal(lhs: value, rhs: Nodes.build_NilLiteral()))
    }

    mutating func equality<Value: Equatable>(
        _ left: some StandardPredicateExpression<Value>, _ right: some StandardPredicateExpression<Value>
    ) -> AnyTest {
        chance(60)
            ? AnyTest(Nodes.build_Equal(lhs: left, rhs: right)) : AnyTest(Nodes.build_NotEqual(lhs: left, rhs: right))
    }

    mutating func comparison<Value: Comparable>(
        _ left: some StandardPredicateExpression<Value>, _ right: some StandardPredicateExpression<Value>
    ) -> AnyTest {
        switch number(0...3) {
        case 0: AnyTest(Nodes.build_Comparison(lhs: left, rhs: right, op: .lessThan))
        case 1: AnyTest(Nodes.build_Comparison(lhs: left, rhs: right, op: .lessThanOrEqual))
        case 2: AnyTest(Nodes.build_Comparison(lhs: left, rhs: right, op: .greaterThan))
        default: AnyTest(Nodes.build_Comparison(lhs: left, rhs: right, op: .greaterThanOrEqual))
        }
    }
}
