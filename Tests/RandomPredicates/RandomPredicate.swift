import Foundation
import Loam

private typealias Nodes = PredicateExpressions

typealias AnyTest = AnyNode<Bool>

/// Random predicates over pupils, made of the nodes that `#Predicate` writes.
struct RandomPredicate {
    var random: ChoiceSequence
    /// The identifiers that predicates ask for.
    let pupils: [PersistentIdentifier]
    let courses: [PersistentIdentifier]

    mutating func predicate() -> Predicate<Pupil> {
        Predicate { row in pupil(row, depth: 3) }
    }

    /// A predicate with what it means in plain Swift, for what Swift itself would stop at.
    mutating func judgedPredicate() -> (predicate: Predicate<Pupil>, holds: (Pupil) -> Bool) {
        var holds: (Pupil) -> Bool = { _ in false }
        let predicate = Predicate<Pupil> { row in
            let test = judged(row, depth: 3)
            holds = test.holds
            return test.node
        }
        return (predicate, holds)
    }

    /// True in so many of a hundred cases, and not for the smallest choice.
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) >= 100 - percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func number(_ range: ClosedRange<Int> = -1...12) -> Int { Int.random(in: range, using: &random) }

    mutating func name() -> String { pick(School.names) }

    mutating func orNil<Value>(_ value: Value) -> Value? { chance(15) ? nil : value }

    mutating func list<Value>(_ value: (inout Self) -> Value) -> [Value] {
        (0..<number(0...4)).map { _ in value(&self) }
    }
}

// MARK: Logic

extension RandomPredicate {
    /// A tree of tests of a pupil.
    mutating func pupil(_ row: some StandardPredicateExpression<Pupil>, depth: Int) -> AnyTest {
        connect(depth) { source, depth in
            switch source.number(0...(depth > 0 ? 18 : 13)) {
            case 0: source.integer(Nodes.build_KeyPath(root: row, keyPath: \.age))
            case 1: source.optionalInteger(Nodes.build_KeyPath(root: row, keyPath: \.points))
            case 2: source.text(Nodes.build_KeyPath(root: row, keyPath: \.name))
            case 3: source.optionalText(Nodes.build_KeyPath(root: row, keyPath: \.nickname))
            case 4: source.flag(row)
            case 5: source.date(Nodes.build_KeyPath(root: row, keyPath: \.joined))
            case 6: source.house(row)
            case 7: source.identifier(Nodes.build_KeyPath(root: row, keyPath: \.persistentModelID), of: source.pupils)
            case 8, 9: source.arithmetic(row)
            case 10 where source.chance(40): source.notes(Nodes.build_KeyPath(root: row, keyPath: \.notes))
            case 10: source.tags(Nodes.build_KeyPath(root: row, keyPath: \.tags))
            case 11: source.address(Nodes.build_KeyPath(root: row, keyPath: \.address))
            case 12: source.exact(row)
            case 13: source.part(row)
            case 14, 15, 16: source.course(Nodes.build_KeyPath(root: row, keyPath: \.course), depth: depth - 1)
            default: source.clubs(row, depth: depth - 1)
            }
        }
    }

    /// Connects what `leaf` makes by `&&`, `||`, `!` and `?:`.
    private mutating func connect(_ depth: Int, leaf: (inout Self, Int) -> AnyTest) -> AnyTest {
        guard depth > 0, chance(65) else { return leaf(&self, depth) }
        let left = connect(depth - 1, leaf: leaf)
        switch number(0...7) {
        case 0: return AnyTest(Nodes.build_Negation(left))
        case 1...3: return AnyTest(Nodes.build_Conjunction(lhs: left, rhs: connect(depth - 1, leaf: leaf)))
        case 4...6: return AnyTest(Nodes.build_Disjunction(lhs: left, rhs: connect(depth - 1, leaf: leaf)))
        default:
            let (yes, no) = (connect(depth - 1, leaf: leaf), connect(depth - 1, leaf: leaf))
            return AnyTest(Nodes.build_Conditional(left, yes, no))
        }
    }
}

// MARK: Relationships

extension RandomPredicate {
    /// A test along an optional to-one relationship.
    private mutating func course(_ course: some StandardPredicateExpression<Course?>, depth: Int) -> AnyTest {
        switch number(0...9) {
        case 0: return AnyTest(Nodes.build_Equal(lhs: course, rhs: Nodes.build_NilLiteral()))
        case 1: return AnyTest(Nodes.build_NotEqual(lhs: course, rhs: Nodes.build_NilLiteral()))
        case 2: return optionalInteger(Nodes.build_flatMap(course) { Nodes.build_KeyPath(root: $0, keyPath: \.level) })
        case 3: return optionalText(Nodes.build_flatMap(course) { Nodes.build_KeyPath(root: $0, keyPath: \.room) })
        case 4:
            let id = Nodes.build_flatMap(course) { Nodes.build_KeyPath(root: $0, keyPath: \.persistentModelID) }
            let asked = Nodes.build_Arg(orNil(pick(courses)))
            return AnyTest(
                chance(50) ? Nodes.build_Equal(lhs: id, rhs: asked) : Nodes.build_NotEqual(lhs: id, rhs: asked))
        case 5:
            // The test is of the name of the tutor, two steps away.
            let tutor = Nodes.build_flatMap(course) { Nodes.build_KeyPath(root: $0, keyPath: \.tutor) }
            return optionalText(Nodes.build_flatMap(tutor) { Nodes.build_KeyPath(root: $0, keyPath: \.name) })
        case 6:
            // The test is `row.course.map { [ids].contains($0.persistentModelID) } ?? false`.
            let test = Nodes.build_flatMap(course) {
                self.identifier(Nodes.build_KeyPath(root: $0, keyPath: \.persistentModelID), of: self.courses)
            }
            return AnyTest(Nodes.build_NilCoalesce(lhs: test, rhs: Nodes.build_Arg(chance(30))))
        default:
            let test = Nodes.build_flatMap(course) { self.inCourse($0, depth: depth) }
            return AnyTest(Nodes.build_NilCoalesce(lhs: test, rhs: Nodes.build_Arg(chance(30))))
        }
    }

    private mutating func inCourse(_ course: Nodes.Variable<Course>, depth: Int) -> AnyTest {
        connect(min(depth, 1)) { source, _ in
            let pupils = Nodes.build_KeyPath(root: course, keyPath: \.pupils)
            return switch source.number(0...(depth > 0 ? 4 : 2)) {
            case 0: source.integer(Nodes.build_KeyPath(root: course, keyPath: \.level))
            case 1: source.text(Nodes.build_KeyPath(root: course, keyPath: \.title))
            case 2: source.integer(Nodes.build_KeyPath(root: pupils, keyPath: \.count))
            case 3: AnyTest(Nodes.build_contains(pupils, where: { source.pupil($0, depth: 0) }))
            default: AnyTest(Nodes.build_allSatisfy(pupils) { source.pupil($0, depth: 0) })
            }
        }
    }

    /// A test of a to-many relationship.
    private mutating func clubs(_ row: some StandardPredicateExpression<Pupil>, depth: Int) -> AnyTest {
        let clubs = Nodes.build_KeyPath(root: row, keyPath: \.clubs)
        switch number(0...8) {
        case 7:
            // Other clubs of the row that the predicate is about, for each of its clubs.
            return AnyTest(
                Nodes.build_contains(
                    clubs,
                    where: { club in
                        let name = Nodes.build_KeyPath(root: club, keyPath: \.name)
                        let others = Nodes.build_filter(clubs) { other in
                            self.comparison(Nodes.build_KeyPath(root: other, keyPath: \.name), name)
                        }
                        return self.integer(Nodes.build_KeyPath(root: others, keyPath: \.count))
                    }))
        case 8:
            // Elements of the row that the predicate is about, for each of its clubs.
            let tags = Nodes.build_KeyPath(root: row, keyPath: \.tags)
            return AnyTest(
                Nodes.build_contains(
                    clubs,
                    where: { club in
                        let name = Nodes.build_KeyPath(root: club, keyPath: \.name)
                        return Nodes.build_contains(tags, where: { self.comparison($0, name) })
                    }))
        case 0: return AnyTest(Nodes.build_KeyPath(root: clubs, keyPath: \.isEmpty))
        case 1: return integer(Nodes.build_KeyPath(root: clubs, keyPath: \.count))
        case 2, 3: return AnyTest(Nodes.build_contains(clubs, where: { self.inClub($0, depth: depth) }))
        case 4: return AnyTest(Nodes.build_allSatisfy(clubs) { self.inClub($0, depth: depth) })
        case 5:
            // The row that the predicate is about, inside the closure over its related rows.
            return AnyTest(
                Nodes.build_contains(
                    clubs,
                    where: { club in
                        Nodes.build_contains(
                            Nodes.build_KeyPath(root: club, keyPath: \.members),
                            where: { self.beside($0, row) })
                    }))
        default:
            let some = Nodes.build_filter(clubs) { self.inClub($0, depth: depth) }
            return integer(Nodes.build_KeyPath(root: some, keyPath: \.count))
        }
    }

    /// A comparison of two pupils.
    private mutating func beside(
        _ other: Nodes.Variable<Pupil>, _ row: some StandardPredicateExpression<Pupil>
    ) -> AnyTest {
        switch number(0...2) {
        case 0:
            return comparison(
                Nodes.build_KeyPath(root: other, keyPath: \.age), Nodes.build_KeyPath(root: row, keyPath: \.age))
        case 1:
            return equality(
                Nodes.build_KeyPath(root: other, keyPath: \.nickname),
                Nodes.build_KeyPath(root: row, keyPath: \.nickname))
        default:
            return equality(
                Nodes.build_KeyPath(root: other, keyPath: \.name), Nodes.build_KeyPath(root: row, keyPath: \.name))
        }
    }

    private mutating func inClub(_ club: Nodes.Variable<Club>, depth: Int) -> AnyTest {
        connect(min(depth, 1)) { source, _ in
            let members = Nodes.build_KeyPath(root: club, keyPath: \.members)
            return switch source.number(0...(depth > 0 ? 3 : 2)) {
            case 0: source.text(Nodes.build_KeyPath(root: club, keyPath: \.name))
            case 1: source.optionalInteger(Nodes.build_KeyPath(root: club, keyPath: \.fee))
            case 2: source.integer(Nodes.build_KeyPath(root: members, keyPath: \.count))
            default: AnyTest(Nodes.build_contains(members, where: { source.pupil($0, depth: 0) }))
            }
        }
    }
}
