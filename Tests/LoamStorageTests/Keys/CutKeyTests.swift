import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Cut keys of unique indexes")
struct CutKeyTests {
    private static func component(_ type: ValueType, _ direction: SortDirection, share: Int) throws -> KeyComponent {
        try KeyComponent(type, isOptional: true, direction: direction, share: share, hashesCut: true)
    }

    private static func key(_ value: Value, _ component: KeyComponent) throws -> [UInt8] {
        var key: [UInt8] = []
        try component.append(value, to: &key)
        return key
    }

    @Test("Are the first bytes and a hash of the whole content", arguments: [SortDirection.ascending, .descending])
    func bytes(direction: SortDirection) throws {
        let component = try Self.component(.string, direction, share: 16)
        let text = "long é " + String(repeating: "x", count: 40)
        let content = Array(text.precomposedStringWithCanonicalMapping.utf8)
        let hash = Checksum.hash64(content.span.bytes)
        let bytes = (0..<8).map { max(UInt8(truncatingIfNeeded: hash >> UInt64(56 - 8 * $0)), 1) }
        let expected = [1] + content[..<7] + bytes
        #expect(try Self.key(.string(text), component) == expected.map { direction == .ascending ? $0 : ~$0 })
        // A value that is not cut keeps all of its bytes.
        #expect(try Self.key(.string("fourteen bytes"), component).count == 16)
        let short = try Self.key(.string("fourteen bytes"), component)
        #expect(try !component.isCut(short.span.bytes, at: 0))
    }

    @Test("Tell apart what begins alike, and not what is canonically equivalent")
    func equality() throws {
        let component = try Self.component(.string, .ascending, share: 20)
        let head = String(repeating: "a", count: 100)
        let keys = try (0..<1_000).map { try Self.key(.string(head + "\($0)"), component) }
        #expect(Set(keys).count == 1_000)
        #expect(
            try Self.key(.string(head + "é"), component) == Self.key(.string(head + "e\u{301}"), component))
    }

    @Test(
        "End where they are cut, and no byte of the hash ends them before", arguments: [ValueType.string, .data, .url])
    func ends(type: ValueType) throws {
        var random = SeededGenerator(seed: 12)
        for direction in [SortDirection.ascending, .descending] {
            let component = try Self.component(type, direction, share: 24)
            for _ in 0..<3_000 {
                let text = "https://example.org/" + String(random.next(), radix: 36) + "/more"
                let value: Value =
                    switch type {
                    case .string: .string(text)
                    case .data: .data(Data(text.utf8))
                    default: .url(try #require(URL(string: text)))
                    }
                let key = try Self.key(value, component) + [direction == .ascending ? 0 : 0xFF]
                #expect(try component.skip(key.span.bytes, from: 0) == 24)
                #expect(try component.isCut(key.span.bytes, at: 0))
                var offset = 0
                #expect(try component.decode(key.span.bytes, at: &offset) == nil)
                let end = LeadingLength.variable(descending: direction == .descending, share: 24)
                #expect(key.withUnsafeBytes { end.end(in: $0) } == 24)
            }
        }
    }

    @Test("Lie in every range that holds their value", arguments: 1...6 as ClosedRange<UInt64>)
    func ranges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func text() -> String {
            String(
                (0..<Int.random(in: 0...24, using: &random)).map { _ in "ab\u{0}é".randomElement(using: &random) ?? "a"
                })
        }
        for direction in [SortDirection.ascending, .descending] {
            let component = try Self.component(.string, direction, share: 14)
            for _ in 0..<4_000 {
                let (value, bound, isInclusive) = (text(), text(), Bool.random(using: &random))
                let key = try Self.key(.string(value), component)
                let (left, right) = (nfc(value), nfc(bound))
                let below = left.lexicographicallyPrecedes(right) || isInclusive && left == right
                let above = right.lexicographicallyPrecedes(left) || isInclusive && left == right
                let limit = KeyBound(.string(bound), isInclusive: isInclusive)
                let lower = try #require(try component.range(after: [], .ordered(lower: limit, upper: nil)))
                let upper = try #require(try component.range(after: [], .ordered(lower: nil, upper: limit)))
                let equal = try #require(try component.range(after: [], .equal(.string(bound))))
                let prefix = try #require(try component.range(after: [], .hasPrefix(bound)))
                for (holds, found) in [
                    (above, lower), (below, upper), (left == right, equal), (left.starts(with: right), prefix),
                ] {
                    if holds && !found.range.contains(key) { Issue.record("\(value) \(bound): lost") }
                    if !holds && found.isExact && found.range.contains(key) {
                        Issue.record("\(value) \(bound): too many")
                    }
                }
            }
        }
    }

    private func nfc(_ text: String) -> [UInt8] { Array(text.precomposedStringWithCanonicalMapping.utf8) }

    @Test("A share without room for a hash is refused")
    func share() throws {
        #expect(throws: StorageError.self) { try Self.component(.string, .ascending, share: 9) }
        _ = try Self.component(.string, .ascending, share: 10)
    }

    @Test func longValuesThatBeginAlikeAreUniqueAndEqualOnesConflict() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open()
        let note = EntityDefinition(
            "Note",
            properties: [
                PropertyDefinition("text", type: .string), PropertyDefinition("kind", type: .string, isOptional: true),
            ],
            indexes: [
                IndexDefinition([.init("text")], kind: .unique), IndexDefinition([.init("text"), .init("kind")]),
            ])
        try store.apply(.addEntity(note))
        let head = String(repeating: "h", count: 600)
        let rows = try store.insert((0..<200).map { ["text": .string(head + "\($0) é")] }, into: "Note")
        #expect(try store.check().faults == [])
        let kind = storageError { try store.update(rows[3], of: "Note", ["text": .string(head + "7 e\u{301}")]) }
        #expect(kind == .uniqueViolation(existing: rows[7]))
        try store.update(rows[3], of: "Note", ["text": .string(head + "201")])
        #expect(try store.check().faults == [])
        let unique = try #require(try store.entity("Note").indexes.first { $0.kind == .unique })
        let shape = try IndexKeyShape(index: unique)
        let found = try #require(try shape.range(equalTo: [.string(head + "8 é")]))
        #expect(!found.isExact)
        var matches: [RowID] = []
        try store.read { snapshot in
            try snapshot.scanIndex(unique, range: found.range) { batch in
                for position in 0..<batch.count { matches.append(batch.rowID(at: position)) }
                return true
            }
        }
        #expect(matches == [rows[8]])
    }
}
