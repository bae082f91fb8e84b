import Foundation
import Loam

private typealias Nodes = PredicateExpressions

// Tests of lists, of structures and of values with exact types, and predicates inside each other.

extension RandomPredicate {
    mutating func tags(_ tags: some StandardPredicateExpression<[String]>) -> AnyTest {
        switch number(0...12) {
        case 9: return AnyTest(Nodes.build_starts(tags, with: Nodes.build_Arg(list { $0.name() })))
        case 10: return AnyTest(Nodes.build_contains(tags, Nodes.build_Arg(list { $0.name() })))
        case 11:
            let some = Nodes.build_filter(tags, { self.text($0) })
            return chance(50)
                ? optionalText(Nodes.build_KeyPath(root: some, keyPath: \.first))
                : optionalText(Nodes.build_KeyPath(root: some, keyPath: \.last))
        case 0: return equality(tags, Nodes.build_Arg(list { $0.name() }))
        case 1: return integer(Nodes.build_KeyPath(root: tags, keyPath: \.count))
        case 2: return AnyTest(Nodes.build_contains(tags, where: { self.text($0) }))
        case 3: return AnyTest(Nodes.build_allSatisfy(tags, { self.text($0) }))
        case 4:
            let some = Nodes.build_filter(tags, { self.text($0) })
            return integer(Nodes.build_KeyPath(root: some, keyPath: \.count))
        case 5: return optionalText(Nodes.build_KeyPath(root: tags, keyPath: \.first))
        default: return AnyTest(Nodes.build_contains(tags, Nodes.build_Arg(name())))
        }
    }

    /// A test of a list that is one of several, and may not be there.
    mutating func notes(_ notes: some StandardPredicateExpression<[String: [String]]>) -> AnyTest {
        if chance(40) { return pairs(notes) }
        let key = Nodes.build_Arg(pick(School.keys + ["?"]))
        if chance(50) {
            let fallback = Nodes.build_Arg(list { $0.name() })
            return tags(Nodes.build_subscript(notes, key, default: fallback))
        }
        let list = Nodes.build_subscript(notes, key)
        if chance(20) { return nilTest(list) }
        let test = Nodes.build_flatMap(list) { self.tags($0) }
        return AnyTest(Nodes.build_NilCoalesce(lhs: test, rhs: Nodes.build_Arg(chance(50))))
    }

    /// A test of the pairs of a dictionary, of its keys or of its values.
    private mutating func pairs(_ notes: some StandardPredicateExpression<[String: [String]]>) -> AnyTest {
        let (keys, values) = (
            Nodes.build_KeyPath(root: notes, keyPath: \.keys), Nodes.build_KeyPath(root: notes, keyPath: \.values)
        )
        switch number(0...7) {
        case 0: return AnyTest(Nodes.build_contains(keys, Nodes.build_Arg(pick(School.keys + ["?"]))))
        case 1: return optionalText(chance(50) ? AnyNode(Nodes.build_min(keys)) : AnyNode(Nodes.build_max(keys)))
        case 2: return AnyTest(Nodes.build_allSatisfy(keys) { self.text($0) })
        case 3: return AnyTest(Nodes.build_contains(values, where: { self.tags($0) }))
        case 4:
            let some = Nodes.build_filter(values) { self.tags($0) }
            return integer(Nodes.build_KeyPath(root: some, keyPath: \.count))
        case 5: return AnyTest(Nodes.build_allSatisfy(notes) { self.pair($0) })
        case 6:
            let some = Nodes.build_filter(notes) { self.pair($0) }
            return integer(Nodes.build_KeyPath(root: some, keyPath: \.count))
        default: return AnyTest(Nodes.build_contains(notes, where: { self.pair($0) }))
        }
    }

    private mutating func pair(_ pair: Nodes.Variable<(key: String, value: [String])>) -> AnyTest {
        let (key, value) = (
            Nodes.build_KeyPath(root: pair, keyPath: \.key), Nodes.build_KeyPath(root: pair, keyPath: \.value)
        )
        switch number(0...3) {
        case 0: return text(key)
        case 1: return tags(value)
        case 2: return AnyTest(Nodes.build_contains(value, key))
        default: return AnyTest(Nodes.build_Conjunction(lhs: text(key), rhs: tags(value)))
        }
    }

    /// A test of the captured names that pass a test of the row.
    private mutating func captured(_ row: some StandardPredicateExpression<Pupil>) -> AnyTest {
        let name = Nodes.build_KeyPath(root: row, keyPath: \.name)
        let city = Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: row, keyPath: \.address), keyPath: \.city)
        let some = Nodes.build_filter(Nodes.build_Arg(list { $0.name() })) { self.comparison($0, name) }
        switch number(0...5) {
        case 0: return AnyTest(Nodes.build_KeyPath(root: some, keyPath: \.isEmpty))
        case 1: return optionalText(Nodes.build_KeyPath(root: some, keyPath: \.first))
        case 2: return optionalText(chance(50) ? AnyNode(Nodes.build_min(some)) : AnyNode(Nodes.build_max(some)))
        case 3: return AnyTest(Nodes.build_contains(some, city))
        case 4: return AnyTest(Nodes.build_allSatisfy(some) { self.text($0) })
        default: return integer(Nodes.build_KeyPath(root: some, keyPath: \.count))
        }
    }

    mutating func address(_ address: some StandardPredicateExpression<Pupil.Address>) -> AnyTest {
        if chance(20) {
            let other = Pupil.Address(city: name(), zip: orNil(number()))
            return equality(address, Nodes.build_Arg(other))
        }
        return chance(30)
            ? text(Nodes.build_KeyPath(root: address, keyPath: \.city))
            : optionalInteger(Nodes.build_KeyPath(root: address, keyPath: \.zip))
    }

    mutating func exact(_ row: some StandardPredicateExpression<Pupil>) -> AnyTest {
        let price = Nodes.build_KeyPath(root: row, keyPath: \.price)
        let token = Nodes.build_KeyPath(root: row, keyPath: \.token)
        switch number(0...5) {
        case 0: return nilTest(price)
        case 1: return equality(price, Nodes.build_Arg(orNil(pick(School.prices))))
        case 2:
            let known = Nodes.build_NilCoalesce(lhs: price, rhs: Nodes.build_Arg(pick(School.prices)))
            return comparison(known, Nodes.build_Arg(pick(School.prices)))
        case 3: return equality(token, Nodes.build_Arg(pick(School.tokens)))
        case 4: return comparison(token, Nodes.build_Arg(pick(School.tokens)))
        default: return AnyTest(Nodes.build_contains(Nodes.build_Arg(list { $0.pick(School.tokens) }), token))
        }
    }

    /// A test that was made elsewhere, a choice between values, or a look-up in what is captured.
    mutating func part(_ row: some StandardPredicateExpression<Pupil>) -> AnyTest {
        let age = Nodes.build_KeyPath(root: row, keyPath: \.age)
        switch number(0...6) {
        case 5, 6: return captured(row)
        case 0:
            let inner = Predicate<Pupil> { self.pupil($0, depth: 0) }
            return AnyTest(Nodes.build_evaluate(Nodes.build_Arg(inner), row))
        case 1:
            let sum = Expression<Pupil, Int> { pupil in
                Nodes.build_Arithmetic(
                    lhs: Nodes.build_KeyPath(root: pupil, keyPath: \.age), rhs: Nodes.build_Arg(self.number()), op: .add
                )
            }
            return integer(Nodes.build_evaluate(Nodes.build_Arg(sum), row))
        case 2:
            let prices = ["Ada": number(), "Zoe": number(), "": number()]
            return optionalInteger(Nodes.build_subscript(Nodes.build_Arg(prices), Nodes.build_Arg(name())))
        case 3:
            let points = Nodes.build_NilCoalesce(
                lhs: Nodes.build_KeyPath(root: row, keyPath: \.points), rhs: Nodes.build_Arg(number()))
            return integer(Nodes.build_Conditional(flag(row), age, points))
        default:
            let number = Nodes.build_KeyPath(root: row, keyPath: \.number)
            return comparison(number, age)
        }
    }
}
