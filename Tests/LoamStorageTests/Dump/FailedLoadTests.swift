import Foundation
import LoamStorage
import Testing

/// Loads that fail leave nothing behind that would refuse the mended dump.
@Suite struct FailedLoadTests {
    private let temporary: TemporaryStore
    private let store: Store

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
    }

    private static func header(_ entities: [(name: String, rows: String, last: String)]) -> String {
        let described = entities.map { entity in
            #"{"indexes":[],"lastRow":\#(entity.last),"name":"\#(entity.name)","properties":"#
                + #"[{"name":"n","optional":false,"type":"int64"}],"rows":\#(entity.rows)}"#
        }
        return #"{"loam":"dump","format":1,"entities":[\#(described.joined(separator: ","))]}"#
    }

    private static func row(_ entity: String, _ id: Int, _ value: String) -> String {
        #"{"entity":"\#(entity)","row":\#(id),"values":{"n":\#(value)}}"#
    }

    private static let sound = [
        header([("A", "2", "3"), ("B", "1", "7")]), row("A", 2, "1"), row("A", 3, "2"), row("B", 7, "3"),
    ]

    private func load(_ lines: [String]) throws -> Int {
        var reader = try DumpReader(ByteSource(bytes: Array(lines.joined(separator: "\n").utf8)))
        return try StoreDump.load(&reader, into: store)
    }

    @Test(arguments: 1...3)
    func theMendedDumpIsLoaded(line: Int) throws {
        var damaged = Self.sound
        damaged[line] = damaged[line].replacingOccurrences(of: "\"n\":", with: "\"n\":\"x\",\"m\":")
        guard case .invalidDump(line: line + 1, _) = storageError({ _ = try load(damaged) }) else {
            Issue.record("no error for line \(line + 1)")
            return
        }
        #expect(try store.read { $0.schema.entities } == [])
        #expect(try store.info().nextRow == 1)
        #expect(try load(Self.sound) == 3)
        #expect(try store.info().nextRow == 8)
        #expect(try store.check().faults == [])
    }

    @Test func idsThatOthersGotMeanwhileAreNotGivenBack() throws {
        let kind = storageError {
            _ = try store.load(
                .newEntity(EntityDefinition("C", properties: [PropertyDefinition("n", type: .int64)])), rowCount: 10
            ) { load in
                try load.append([.int(1)])
                #expect(try store.makeRowID() == 11)
                throw StorageError(.storeClosed)
            }
        }
        #expect(kind == .storeClosed)
        #expect(try store.makeRowID() == 12)
        #expect(try store.info().nextRow == 11 + 4_096)
    }

    @Test func aLoadThatFailsGivesItsIdsBack() throws {
        let definition = EntityDefinition("C", properties: [PropertyDefinition("n", type: .int64)])
        for count in [nil, 10] {
            for target in [LoadTarget.newEntity(definition), .existingEntity("missing")] {
                let kind = storageError {
                    _ = try store.load(target, rowCount: count) { load in
                        try load.append([.int(1)])
                        throw StorageError(.storeClosed)
                    }
                }
                #expect(kind == .storeClosed || kind == .unknownEntity)
                #expect(try store.info().nextRow == 1)
            }
        }
        #expect(try store.check().faults == [])
    }

    @Test func numbersThatNoDumpCanHaveAreRefused() throws {
        let (most, half) = ("\(Int.max)", "\(1 << 62)")
        let headers = [
            Self.header([("A", most, "1")]), Self.header([("A", most, half)]), Self.header([("A", half, most)]),
            Self.header([("A", half, half), ("B", half, half)]), Self.header([("A", "-1", "1")]),
            Self.header([("A", most, "\(UInt64.max)")]), Self.header([("A", "2", "1")]),
        ]
        for header in headers {
            guard case .invalidDump(line: 1, _) = storageError({ _ = try load([header]) }) else {
                Issue.record("taken: \(header)")
                continue
            }
        }
        // The header announces the most rows that there can be: the error says that the rows are missing.
        guard case .invalidDump = storageError({ _ = try load([Self.header([("A", half, half)])]) }) else {
            Issue.record("no error")
            return
        }
        #expect(try store.info().nextRow == 1)
    }
}
