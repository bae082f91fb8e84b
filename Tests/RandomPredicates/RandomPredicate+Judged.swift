import Foundation
import Loam

private typealias Nodes = PredicateExpressions

/// A number of a pupil, with what it is in plain Swift: nil where it leaves its type, divides by zero or unwraps nil.
struct JudgedNumber {
    let node: AnyNode<Int>
    let value: (Pupil) -> Int?

    init(_ node: any StandardPredicateExpression<Int>, _ value: @escaping (Pupil) -> Int?) {
        self.node = AnyNode(node)
        self.value = value
    }
}

/// A test of a pupil, with what it means in plain Swift.
struct JudgedTest {
    let node: AnyTest
    let holds: (Pupil) -> Bool

    init(_ node: any StandardPredicateExpression<Bool>, _ holds: @escaping (Pupil) -> Bool) {
        self.node = AnyTest(node)
        self.holds = holds
    }
}

// Predicates that Swift would stop at for some pupils. Rows never raise errors: there the value is nil, which equals only
// nil, and for which no order holds.

extension RandomPredicate {
    mutating func judged(_ row: PredicateExpressions.Variable<Pupil>, depth: Int) -> JudgedTest {
        guard depth > 0, chance(55) else { return judgedComparison(row) }
        let left = judged(row, depth: depth - 1)
        if chance(20) { return JudgedTest(Nodes.build_Negation(left.node)) { !left.holds($0) } }
        let right = judged(row, depth: depth - 1)
        return chance(50)
            ? JudgedTest(Nodes.build_Conjunction(lhs: left.node, rhs: right.node)) { left.holds($0) && right.holds($0) }
            : JudgedTest(Nodes.build_Disjunction(lhs: left.node, rhs: right.node)) { left.holds($0) || right.holds($0) }
    }

    private mutating func judgedComparison(_ row: Nodes.Variable<Pupil>) -> JudgedTest {
        let left = judgedNumber(row, depth: 2)
        let right = chance(30) ? judgedNumber(row, depth: 1) : judgedConstant()
        func ordered(
            _ node: any StandardPredicateExpression<Bool>, _ holds: @escaping (Int, Int) -> Bool
        ) -> JudgedTest {
            JudgedTest(node) {
                guard let left = left.value($0), let right = right.value($0) else { return false }
                return holds(left, right)
            }
        }
        switch number(0...6) {
        case 0:
            return JudgedTest(Nodes.build_Equal(lhs: left.node, rhs: right.node)) { left.value($0) == right.value($0) }
        case 1:
            return JudgedTest(Nodes.build_NotEqual(lhs: left.node, rhs: right.node)) {
                left.value($0) != right.value($0)
            }
        case 2: return ordered(Nodes.build_Comparison(lhs: left.node, rhs: right.node, op: .lessThan), <)
        case 3: return ordered(Nodes.build_Comparison(lhs: left.node, rhs: right.node, op: .lessThanOrEqual), <=)
        case 4: return ordered(Nodes.build_Comparison(lhs: left.node, rhs: right.node, op: .greaterThan), >)
        case 5: return ordered(Nodes.build_Comparison(lhs: left.node, rhs: right.node, op: .greaterThanOrEqual), >=)
        default:
            let numbers = list { $0.extremeNumber() }
            return JudgedTest(Nodes.build_contains(Nodes.build_Arg(numbers), left.node)) {
                left.value($0).map(numbers.contains) ?? false
            }
        }
    }

    private mutating func judgedNumber(_ row: Nodes.Variable<Pupil>, depth: Int) -> JudgedNumber {
        guard depth > 0, chance(70) else { return judgedLeaf(row) }
        let left = judgedNumber(row, depth: depth - 1)
        if chance(12) { return JudgedNumber(Nodes.build_UnaryMinus(left.node)) { Self.negative(left.value($0)) } }
        let right = chance(50) ? judgedConstant() : judgedNumber(row, depth: depth - 1)
        func pair(
            _ node: any StandardPredicateExpression<Int>, _ compute: @escaping (Int, Int) -> (Int, overflow: Bool)
        ) -> JudgedNumber {
            JudgedNumber(node) {
                guard let left = left.value($0), let right = right.value($0) else { return nil }
                let (result, overflow) = compute(left, right)
                return overflow ? nil : result
            }
        }
        switch number(0...4) {
        case 0:
            return pair(Nodes.build_Arithmetic(lhs: left.node, rhs: right.node, op: .add)) {
                $0.addingReportingOverflow($1)
            }
        case 1:
            return pair(Nodes.build_Arithmetic(lhs: left.node, rhs: right.node, op: .subtract)) {
                $0.subtractingReportingOverflow($1)
            }
        case 2:
            return pair(Nodes.build_Arithmetic(lhs: left.node, rhs: right.node, op: .multiply)) {
                $0.multipliedReportingOverflow(by: $1)
            }
        case 3:
            return pair(Nodes.build_Division(lhs: left.node, rhs: right.node)) { $0.dividedReportingOverflow(by: $1) }
        default:
            return pair(Nodes.build_Remainder(lhs: left.node, rhs: right.node)) {
                $0.remainderReportingOverflow(dividingBy: $1)
            }
        }
    }

    private static func negative(_ number: Int?) -> Int? {
        number.flatMap { $0 == .min ? nil : -$0 }
    }

    private mutating func judgedLeaf(_ row: Nodes.Variable<Pupil>) -> JudgedNumber {
        let points = Nodes.build_KeyPath(root: row, keyPath: \.points)
        switch number(0...5) {
        case 4: return ofFirstClub(row)
        case 5: return ofLastFellow(row)
        case 0: return JudgedNumber(Nodes.build_KeyPath(root: row, keyPath: \.age)) { $0.age }
        case 1: return JudgedNumber(Nodes.build_KeyPath(root: row, keyPath: \.number)) { $0.number }
        case 2: return JudgedNumber(Nodes.build_ForcedUnwrap(points)) { $0.points }
        default:
            let fallback = extremeNumber()
            return JudgedNumber(Nodes.build_NilCoalesce(lhs: points, rhs: Nodes.build_Arg(fallback))) {
                $0.points ?? fallback
            }
        }
    }

    /// How many members the first club has: all, or those that a closure picks beside the row.
    private mutating func ofFirstClub(_ row: Nodes.Variable<Pupil>) -> JudgedNumber {
        let first = Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: row, keyPath: \.clubs), keyPath: \.first)
        let (isPicked, fallback) = (chance(60), extremeNumber())
        let count = Nodes.build_flatMap(first) { club in
            let members = Nodes.build_KeyPath(root: club, keyPath: \.members)
            let picked = Nodes.build_filter(members) { member in
                let isYounger = Nodes.build_Comparison(
                    lhs: Nodes.build_KeyPath(root: member, keyPath: \.age),
                    rhs: Nodes.build_KeyPath(root: row, keyPath: \.age), op: .lessThan)
                return Nodes.build_Disjunction(lhs: isYounger, rhs: Nodes.build_Arg(!isPicked))
            }
            return Nodes.build_KeyPath(root: picked, keyPath: \.count)
        }
        return JudgedNumber(Nodes.build_NilCoalesce(lhs: count, rhs: Nodes.build_Arg(fallback))) { pupil in
            guard let club = pupil.clubs.min(by: { $0.persistentModelID < $1.persistentModelID }) else {
                return fallback
            }
            return club.members.filter { !isPicked || $0.age < pupil.age }.count
        }
    }

    /// How many clubs the last pupil of the row's course is in, or the age of the first of their members.
    private mutating func ofLastFellow(_ row: Nodes.Variable<Pupil>) -> JudgedNumber {
        let course = Nodes.build_KeyPath(root: row, keyPath: \.course)
        let last = Nodes.build_flatMap(course) { course in
            Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: course, keyPath: \.pupils), keyPath: \.last)
        }
        let fallback = extremeNumber()
        func lastFellow(_ pupil: Pupil) -> Pupil? { pupil.course?.pupils.max { $0.number < $1.number } }
        if chance(50) {
            let count = Nodes.build_flatMap(last) { pupil in
                Nodes.build_KeyPath(root: Nodes.build_KeyPath(root: pupil, keyPath: \.clubs), keyPath: \.count)
            }
            return JudgedNumber(Nodes.build_NilCoalesce(lhs: count, rhs: Nodes.build_Arg(fallback))) {
                lastFellow($0)?.clubs.count ?? fallback
            }
        }
        let age = Nodes.build_flatMap(last) { pupil in
            let first = Nodes.build_KeyPath(
                root: Nodes.build_KeyPath(root: pupil, keyPath: \.clubs), keyPath: \.first)
            return Nodes.build_flatMap(first) { club in
                let member = Nodes.build_KeyPath(
                    root: Nodes.build_KeyPath(root: club, keyPath: \.members), keyPath: \.first)
                return Nodes.build_flatMap(member) { Nodes.build_KeyPath(root: $0, keyPath: \.age) }
            }
        }
        return JudgedNumber(Nodes.build_NilCoalesce(lhs: age, rhs: Nodes.build_Arg(fallback))) {
            let club = lastFellow($0)?.clubs.min { $0.persistentModelID < $1.persistentModelID }
            return club?.members.min { $0.number < $1.number }?.age ?? fallback
        }
    }

    private mutating func judgedConstant() -> JudgedNumber {
        let number = extremeNumber()
        return JudgedNumber(Nodes.build_Arg(number)) { _ in number }
    }

    private mutating func extremeNumber() -> Int {
        pick([0, 1, 2, 3, 5, -1, -2, 10, .max, .max - 1, .max / 2, .min, .min + 1])
    }
}
