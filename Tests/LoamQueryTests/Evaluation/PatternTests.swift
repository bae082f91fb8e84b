import Foundation
import LoamStorage
import RandomQueries
import Testing

@testable import LoamQuery

/// LIKE and MATCHES over letters that fold to several, and over patterns whose work has no end.
@Suite struct PatternTests {
    private func holds(_ format: String, _ name: String) throws -> Bool {
        let predicate = try TypeChecker(entity: SampleEntity.entity).check(PredicateParser.parse(format))
        let row = PlainRow(rowID: 1, values: SampleEntity.row(["name": .string(name)]))
        let holds = try predicate.holds(row, related: nil)
        #expect(try FilterProgram(Filter(predicate.normalized)).matches(row) == holds, "\(format)")
        return holds
    }

    @Test(arguments: [
        ("LIKE[c] 'STRASSE'", "Straße"), ("LIKE[c] 'straße'", "STRASSE"), ("LIKE[c] 'Stra?e'", "Straße"),
        ("LIKE[c] 'Stra??e'", "Straße"), ("LIKE[c] '?'", "ß"), ("LIKE[c] 's*'", "ß"), ("LIKE[c] '*S'", "ß"),
        ("LIKE[c] 's?'", "ß"), ("LIKE[c] '??'", "ß"), ("LIKE[c] '?*?'", "ßa"), ("LIKE[c] 'FI?'", "ﬁn"),
        ("LIKE[c] '?n'", "ﬁn"),
        ("LIKE[c] '??n'", "ﬁn"), ("LIKE[c] '*ﬁ*'", "SUFFIX"), ("LIKE[cd] '?stanbul'", "İstanbul"),
        ("LIKE[d] '?cole'", "e\u{301}cole"), ("LIKE 'Stra?e'", "Straße"), ("LIKE[c] '*?*ß*?'", "x ß y"),
        ("==[c] 'STRASSE'", "straße"), ("BEGINSWITH[c] 'stras'", "Straße"), ("ENDSWITH[c] 'SE'", "Straße"),
        ("CONTAINS[c] 'ss'", "Straße"), ("IN[c] {'x', 'STRASSE'}", "straße"),
        ("IN[c] {'1', '2', '3', '4', '5', '6', '7', '8', '9', 'FIN'}", "ﬁn"), ("MATCHES[c] 'STRASSE'", "straße"),
    ])
    func lettersThatFoldToSeveral(test: String, name: String) throws {
        #expect(try holds("name \(test)", name))
        #expect(try !holds("NOT name \(test)", name))
    }

    @Test(arguments: [
        ("LIKE 'STRASSE'", "Straße"), ("LIKE[c] 'Stra???e'", "Straße"), ("LIKE[c] '???'", "ß"), ("LIKE '??'", "ß"),
        ("LIKE[d] '??'", "ß"), ("LIKE[c] 'Strae'", "Straße"), ("LIKE[c] '?'", "ßß"),
        ("LIKE[d] '??cole'", "e\u{301}cole"),
    ])
    func whatDoesNotMatch(test: String, name: String) throws {
        #expect(try !holds("name \(test)", name))
    }

    /// Calls the closure with a note of two million letters, and one that makes patterns go back and forth.
    private func withStore(_ body: (Snapshot) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-patterns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        try store.apply(
            .addEntity(
                EntityDefinition("Note", properties: [.init("id", type: .int64), .init("description", type: .string)])))
        let entity = try store.read { try $0.entity(named: "Note") }
        var batch = WriteBatch(author: "test")
        for (id, text) in ["short", String(repeating: "a", count: 2_000_000), String(repeating: "a", count: 50)]
            .enumerated()
        {
            batch.insert(
                try store.catalog().encode([.int(Int64(id)), .string(text)], as: entity.id), into: entity.id,
                rowID: try store.makeRowID())
        }
        try store.save(batch)
        try store.read(body)
    }

    private func ids(_ format: String, _ snapshot: Snapshot) throws -> [Value] {
        var work = Work()
        let query = Query(entity: "Note", predicate: try PredicateParser.parse(format), columns: ["id"])
        return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).flatMap(\.values)
    }

    @Test(arguments: [
        ("description MATCHES 'a*'", [1, 2]), ("description MATCHES[c] '(?:A|B)*'", [1, 2]),
        ("NOT description MATCHES 'a*'", [0]), ("id == 0 AND description MATCHES '(a+)+\\\\bb'", []),
        ("description MATCHES '(a+)+b'", []), ("id == 2 AND description MATCHES '(a+)+(?!c)b'", []),
        ("description MATCHES '(?=a).*(?<!b)'", [1, 2]),
        ("NOT description MATCHES[c] '(A+)+b'", [0, 1, 2]),
        ("description MATCHES '(?:[]a]|b)*'", [1, 2]), ("description MATCHES[c] '(?:[\\Q]A\\E]|[ŉ])*'", [1, 2]),
    ])
    func longTextsAreMatched(format: String, expected: [Int64]) throws {
        try withStore { snapshot in
            let found = try ids(format, snapshot)
            #expect(found == expected.map(Value.int))
        }
    }

    @Test func aPatternThatExplodesEndsTheQuery() throws {
        try withStore { snapshot in
            let error = #expect(throws: QueryError.self) {
                _ = try ids("id == 2 AND description MATCHES '(a+)+(?>b|bc)c'", snapshot)
            }
            #expect(error?.kind == .costlyPattern && error?.part == "MATCHES '(a+)+(?>b|bc)c'")
        }
    }

    @Test func aPatternIsCompiledOnce() throws {
        let matchers = try (0..<3).map { _ in
            try TextMatcher(.matches, operand: "compiled (once|twice)", form: .caseFolded)
        }
        let expressions = matchers.compactMap(\.expression)
        #expect(expressions.count == 3 && expressions.allSatisfy { $0 === expressions[0] })
    }
}
