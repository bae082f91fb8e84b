import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// What a scan keeps back is what the program would have found not to match, and the rest of the program decides about the
/// others as all of it does.
@Suite struct SieveTests {
    private static let comparisons: [ComparisonOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private static let floats: [Double] = [
        .nan, .infinity, -.infinity, 0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, 2, 1.5, -3, 1e8,
    ]

    private static let integers: [Int64] = [.min, .min + 1, .max, .max - 1, 0, -1, 1, 20, 100, -128, 127]

    /// A store with rows of two layouts, of which the first lacks a number that it reads all the same.
    private static func makeSample(seed: UInt64) throws -> SampleStore {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: false, indexShare: 0)
        for (name, type, value) in [("ratio", ValueType.double, Value.double(2)), ("rank", .int64, .int(20))] {
            try sample.store.apply(.addProperty(PropertyDefinition(name, type: type, initialValue: value), to: "Thing"))
        }
        var random = SeededGenerator(seed: seed)
        let entity = try sample.store.read { try $0.entity(named: "Thing") }
        var batch = WriteBatch(author: "test")
        for number in 0..<120 {
            let values = entity.properties.map { property -> Value in
                if property.isOptional, Int.random(in: 0..<4, using: &random) == 0 { return .null }
                return switch property.name {
                case "id": .int(Int64(10_000 + number))
                case "size", "ratio": .double(floats.randomElement(using: &random) ?? 0)
                case "rank": .int(integers.randomElement(using: &random) ?? 0)
                default: ValuePool.value(of: property.type, &random)
                }
            }
            batch.insert(
                try sample.store.catalog().encode(values, as: entity.id), into: entity.id,
                rowID: try sample.store.makeRowID())
        }
        try sample.store.save(batch)
        return sample
    }

    /// A test of one number, whether or not there are bounds that say the same.
    private static func test(_ entity: Entity, _ random: inout SeededGenerator) throws -> Filter {
        func path(_ name: String) throws -> FilterPath { FilterPath(try PropertyPath([name], in: entity)) }
        let comparison = comparisons.randomElement(using: &random) ?? .equal
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .floating(try path("weight"), comparison, floats.randomElement(using: &random) ?? 0)
        case 1, 2:
            let name = Bool.random(using: &random) ? "size" : "day"
            return .floating(try path(name), comparison, floats.randomElement(using: &random) ?? 0)
        case 3: return .floating(try path("ratio"), comparison, floats.randomElement(using: &random) ?? 0)
        default:
            let name = ["id", "small", "rank"].randomElement(using: &random) ?? "id"
            return .signed(try path(name), comparison, integers.randomElement(using: &random) ?? 0)
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func itKeepsBackWhatDoesNotMatch(seed: UInt64) throws {
        let sample = try Self.makeSample(seed: seed)
        var random = SeededGenerator(seed: seed)
        var (sieves, combined, keptBack) = (0, 0, 0)
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for _ in 0..<600 {
                var parts: [Filter] = []
                for _ in 0..<Int.random(in: 1...4, using: &random) { parts.append(try Self.test(entity, &random)) }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    parts.append(.any([parts[0], try Self.test(entity, &random)]))
                    parts.shuffle(using: &random)
                }
                let program = try FilterProgram(.all(parts))
                var (expected, scanned): ([RowID], [RowID]) = ([], [])
                try snapshot.scanRows(of: entity) { row in
                    scanned.append(row.rowID)
                    if try program.matches(row) { expected.append(row.rowID) }
                    return true
                }
                let isReversed = Bool.random(using: &random)
                let sieve = program.sieve
                var (found, handedOut): ([RowID], Int) = ([], 0)
                let count = try snapshot.scanRows(of: entity, reversed: isReversed, passing: sieve?.test) { row in
                    handedOut += 1
                    if try program.matches(row, behind: sieve) { found.append(row.rowID) }
                    return true
                }
                try #require(found == (isReversed ? expected.reversed() : expected), "\(parts)")
                try #require(count + handedOut == scanned.count)
                guard let sieve else { continue }
                sieves += 1
                keptBack += count
                if try FilterProgram(parts[0]).sieve?.test != sieve.test { combined += 1 }
            }
        }
        #expect(sieves > 150 && combined > 10 && keptBack > 5_000, "\(sieves), \(combined), \(keptBack)")
    }
}
