import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Every text of a predicate is refused with an error or has an answer: nothing traps, and a predicate that was checked
/// prints as a text that checks to the same answer.
@Suite struct PredicateFuzzTests {
    private static let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 3000 : 200_000

    private final class Counts: IndexStatistics {
        func count(of entity: EntityID) -> Int { 1000 }
        func count(in index: Index, range: KeyRange) -> Int { range == .all ? 1000 : 10 }
        func inexactCount(in index: Index) -> Int { 0 }
    }

    private let entity: Entity = {
        var entity = SampleEntity.entity
        for name in ["id", "name", "size", "price", "day", "small"] {
            let id = IndexID(entity.indexes.count + 1)
            guard let index = try? Index(id: id, IndexDefinition([.init(name)]), of: entity) else { continue }
            entity.indexes.append(index)
        }
        return entity
    }()

    private var rows: [PlainRow] {
        var generator = SeededGenerator(seed: 4)
        return (0..<3).map { number in
            PlainRow(
                rowID: RowID(number + 1),
                values: entity.properties.map { property in
                    number == 0 && property.isOptional ? .null : ValuePool.value(of: property.type, &generator)
                })
        }
    }

    @Test func nothingTraps() throws {
        let arguments: [[Value]] = [
            [], [.string("id"), .int(5)], [.string("address.zip"), .array([.int(.max), .null])],
            [.data(Data()), .double(.nan)],
        ]
        let rows = rows
        var mutator = PredicateMutator(seed: 0xF022)
        var answered = 0
        for number in 0..<Self.count {
            let format = mutator.next()
            do {
                try check(format, arguments[number % arguments.count], rows)
                answered += 1
            } catch let error as QueryError {
                #expect(!error.description.isEmpty)
            }
        }
        #expect(answered > Self.count / 40)
    }

    private func check(_ format: String, _ arguments: [Value], _ rows: [PlainRow]) throws {
        let checker = TypeChecker(entity: entity)
        let parsed = try PredicateParser.parse(format, arguments: arguments)
        let query = Query(
            entity: entity.name, predicate: parsed, sort: [SortKey("name"), SortKey("size")], limit: .max, offset: .max)
        let plans = try Planner.plans(ResolvedQuery(query, in: entity), statistics: Counts())
        for plan in plans { #expect(!plan.explanation().isEmpty) }
        let predicate = try checker.check(parsed)
        let again = try checker.check(PredicateParser.parse(predicate.description))
        let program = try FilterProgram(Filter(predicate.normalized))
        for row in rows {
            let holds = try predicate.holds(row, related: nil)
            #expect(try program.matches(row) == holds, "\(format)")
            #expect(try again.holds(row, related: nil) == holds, "\(format)\n\(predicate)")
        }
    }
}
