import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// A predicate may spell a name in another Unicode normal form than the schema: Swift's strings are equal by character,
/// while records have the bytes of the schema's names.
@Suite struct NameSpellingTests {
    /// Each holds for the row; a letter with `*` is a name.
    private static let formats = [
        "c*.t* == 'tea'", "c*.t* BEGINSWITH 't'", "c*.t* != nil", "c*.t* IN {'a', 'tea'}", "c*.n* == 4",
        "c*.n* + 1 > 4",
        "c*.n* BETWEEN {1, 4}", "NOT c*.n* == nil", "'a' IN c*.u*", "ANY c*.u* BEGINSWITH 'a'", "c*.u*.@count == 1",
        "c*.u*[0] == 'a'", "c*.s*.l* == 7", "c*.s*.l* > 6", "c*.s* != nil", "length(c*.t*) == 3",
        "SUBQUERY(p*, $x, $x.t* == 'tea' AND $x.n* > 3 AND $x.s*.l* == 7).@count == 1",
        "SUBQUERY(p*, $x, 'a' IN $x.u*).@count == 1", "r*.c*.t* == 'tea'", "r*.c*.s*.l* == 7", "r* == r*.r*",
        "facts['k*'] == 1",
    ]

    @Test(arguments: [Spelling.composed, .decomposed], [Spelling.composed, .decomposed])
    private func aPredicateFindsWhatTheSchemaSpellsOtherwise(schema: Spelling, predicate spelling: Spelling) throws {
        let cafe = try CafeStore(schema: schema)
        try cafe.store.read { snapshot in
            for format in Self.formats {
                let format = format.replacing("*", with: spelling.rawValue)
                let query = Query(entity: "Cafe", predicate: try PredicateParser.parse(format))
                let entity = try snapshot.entity(named: "Cafe")
                let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
                for plan in try Planner.plans(resolved, statistics: snapshot) {
                    var work = Work()
                    #expect(try plan.rows(in: snapshot, work: &work).count == 1, "\(format)")
                }
            }
        }
    }

    /// The value of a column, the order and a description are made by the same path.
    @Test(arguments: [Spelling.composed, .decomposed], [Spelling.composed, .decomposed])
    private func aPathIsSpelledAsTheSchemaSpellsIt(schema: Spelling, path spelling: Spelling) throws {
        let cafe = try CafeStore(schema: schema)
        try cafe.store.read { snapshot in
            let entity = try snapshot.entity(named: "Cafe")
            let names = ["c", "s", "l"].map(spelling.name)
            let path = try PropertyPath(names, in: entity)
            let expected = ["c", "s", "l"].map(schema.name)
            #expect(path.names.map { Array($0.utf8) } == expected.map { Array($0.utf8) })
            #expect(path.members.map { Array($0.utf8) } == expected.dropFirst().map { Array($0.utf8) })
            let written = names.joined(separator: ".")
            let query = Query(entity: "Cafe", sort: [SortKey(written)], columns: [written])
            let resolved = try ResolvedQuery(query, in: entity, schema: snapshot.schema)
            for plan in try Planner.plans(resolved, statistics: snapshot) {
                var work = Work()
                #expect(try plan.rows(in: snapshot, work: &work).map(\.values) == [[.int(7)]])
            }
        }
    }
}

/// Names with one character that has two spellings: one scalar, or a letter and a mark.
private enum Spelling: String, CaseIterable {
    case composed = "\u{E9}"
    case decomposed = "e\u{301}"

    func name(_ letter: String) -> String { letter + rawValue }
}

/// One row, whose values all have names of such characters.
private struct CafeStore {
    let store: Store

    init(schema spelling: Spelling) throws {
        let lid = ValueType.structure([.init(name: spelling.name("l"), type: .int64)])
        let cap = ValueType.structure([
            .init(name: spelling.name("t"), type: .string, isOptional: true),
            .init(name: spelling.name("n"), type: .int64, isOptional: true),
            .init(name: spelling.name("u"), type: .array(of: .string, optional: false)),
            .init(name: spelling.name("s"), type: lid, isOptional: true),
        ])
        let caf = EntityDefinition(
            "Cafe",
            properties: [
                .init(spelling.name("c"), type: cap, isOptional: true),
                .init(spelling.name("p"), type: .array(of: cap, optional: false)),
                .init("facts", type: .dictionary(key: .string, value: .int64, optional: false)),
            ],
            relationships: [.init(spelling.name("r"), to: "Cafe")])
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(.addEntities([caf]))
        let entity = try store.read { try $0.entity(named: "Cafe") }
        let value = Value.structure([
            spelling.name("t"): .string("tea"), spelling.name("n"): .int(4), spelling.name("u"): .array([.string("a")]),
            spelling.name("s"): .structure([spelling.name("l"): .int(7)]),
        ])
        let rowID = try store.makeRowID()
        var batch = WriteBatch(author: "test")
        let facts = Value.dictionary([.string(spelling.name("k")): .int(1)])
        let values: [String: Value] = [
            spelling.name("c"): value, spelling.name("p"): .array([value]), "facts": facts,
            spelling.name("r"): .uint(rowID),
        ]
        let row = entity.properties.map { values[$0.name] ?? .null }
        batch.insert(try store.catalog().encode(row, as: entity.id), into: entity.id, rowID: rowID)
        try store.save(batch)
    }
}
