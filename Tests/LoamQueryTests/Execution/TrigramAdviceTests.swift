import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// Advice of indexes of trigrams for parts of texts, alone and in an OR beside other indexes: who makes what is advised
/// finds that the planner reads it, and fewer records.
@Suite struct TrigramAdviceTests {
    private static let rowCount = 8_000
    /// Without an index. Nobody changes it.
    private static let bare = Result { try cities() }

    /// Every 500th city is a Reykjavík, the others an Akureyri; every 400th has a note of a rare word.
    private static func cities(_ indexes: [IndexDefinition] = []) throws -> Store {
        var options = StoreOptions()
        options.isInMemory = true
        let store = try Store.open(path: "", options: options)
        let definition = EntityDefinition(
            "City",
            properties: [
                .init("name", type: .string), .init("note", type: .string, isOptional: true),
                .init("code", type: .int64), .init("population", type: .int64),
            ], indexes: indexes)
        _ = try store.load(.newEntity(definition), rowCount: rowCount) { load in
            for number in 0..<rowCount {
                try load.append([
                    .string(number % 500 == 9 ? "Reykjavík \(number)" : "Akureyri \(number)"),
                    number % 3 == 0 ? .null : .string(number % 400 == 1 ? "a Müßiggänger" : "nothing of note"),
                    .int(Int64(number * 7_919 % rowCount)), .int(Int64(number)),
                ])
            }
        }
        return store
    }

    private static func explain(
        _ format: String, in store: Store
    ) throws -> (advice: [AdvisedIndex], text: String, work: Work, rows: [RowID]) {
        try store.read { snapshot in
            let plan = try Planner.plan(
                Query(entity: "City", predicate: try PredicateParser.parse(format)), in: snapshot)
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            let explanation = try plan.explanation(.plan, in: snapshot)
            return (explanation.advice, explanation.description, work, rows)
        }
    }

    private static func trigrams(_ name: String) -> AdvisedIndex {
        AdvisedIndex(entity: "City", kind: .trigrams, components: [name])
    }

    private static func ordered(_ component: String) -> AdvisedIndex {
        AdvisedIndex(entity: "City", components: [component])
    }

    @Test(
        arguments: [
            ("name CONTAINS[cd] 'reykjav'", [trigrams("name")]), ("name ENDSWITH[cd] 'VIK 1009'", [trigrams("name")]),
            ("name LIKE '*jav*9'", [trigrams("name")]), ("name CONTAINS 'ykja' AND code >= 0", [trigrams("name")]),
            ("name CONTAINS[cd] 'reykjav' OR code == 5", [trigrams("name"), ordered("code")]),
            ("code > 7990 OR name CONTAINS[cd] 'reykjav'", [ordered("code"), trigrams("name")]),
            ("name CONTAINS 'ykja' OR note CONTAINS[cd] 'mussig'", [trigrams("name"), trigrams("note")]),
            ("name CONTAINS[cd] 'reykjav' OR name ENDSWITH 'vík 9'", [trigrams("name")]),
            ("name CONTAINS[cd] 'reykjav' OR name == 'Akureyri 7'", [trigrams("name"), ordered("name")]),
            ("(name CONTAINS 'ykja' AND population >= 0) OR code == 5", [trigrams("name"), ordered("code")]),
            ("(name CONTAINS 'kur' AND code == 9) OR note LIKE '*gg*ger'", [ordered("code"), trigrams("note")]),
        ] as [(String, [AdvisedIndex])])
    func `what is advised is used and reads less`(format: String, advice: [AdvisedIndex]) throws {
        let store = try Self.cities()
        let before = try Self.explain(format, in: store)
        #expect(before.advice == advice && before.work.records == Self.rowCount && !before.rows.isEmpty)
        try store.add(before.advice)
        let after = try Self.explain(format, in: store)
        #expect(after.rows == before.rows && after.advice.isEmpty, "\(after.text)")
        #expect(after.work.records <= 60 && after.work.entries <= 120, "\(after.text)")
        for index in advice where index.kind == .trigrams {
            #expect(after.text.contains("index trigrams(\(index.components[0])), rows with '"), "\(after.text)")
        }
    }

    @Test func `the commands stand behind the explanation`() throws {
        let store = try Self.bare.get()
        let one = try Self.explain("name CONTAINS[cd] 'reykjav'", in: store).text
        #expect(
            one.hasSuffix(
                "\n  An index of trigrams on (name) would serve:\n    loam index STORE add City name --trigrams"),
            "\(one)")
        let two = try Self.explain("name CONTAINS[cd] 'reykjav' OR code == 5", in: store).text
        #expect(
            two.hasSuffix(
                """

                  Indexes of trigrams on (name) and on (code) would serve together:
                    loam index STORE add City name --trigrams
                    loam index STORE add City code
                """), "\(two)")
    }

    /// The one that is there is not advised again.
    @Test(arguments: [true, false]) func `the other index is advised where one is there`(isOfTrigrams: Bool) throws {
        let store = try Self.cities([isOfTrigrams ? .trigrams(of: "name") : .init([.init("code")])])
        let format = "name CONTAINS[cd] 'reykjav' OR code == 5"
        let before = try Self.explain(format, in: store)
        #expect(before.advice == [isOfTrigrams ? Self.ordered("code") : Self.trigrams("name")])
        try store.add(before.advice)
        let after = try Self.explain(format, in: store)
        #expect(after.rows == before.rows && after.advice.isEmpty && after.text.contains("union of 2 scans"))
        #expect(before.work.records == Self.rowCount && after.work.records <= 20, "\(after.text)")
    }

    /// Common parts, short ones, and parts of an OR that stay without an index.
    @Test(arguments: [
        "name CONTAINS[cd] 'akur'", "name CONTAINS[cd] 're'", "NOT name CONTAINS[cd] 'reykjav'",
        "name MATCHES '.*Reykjav.*'", "name CONTAINS[d] 'Reykjav'", "name CONTAINS[cd] 'akur' OR code == 5",
        "name CONTAINS[cd] 're' OR code == 5", "name CONTAINS[cd] 'reykjav' OR code > 100",
        "name CONTAINS[cd] 'reykjav' OR name CONTAINS 'kur'", "name CONTAINS[cd] 'reykjav' OR code * 2 == 10",
    ])
    func `none is advised where none would serve`(format: String) throws {
        #expect(try Self.explain(format, in: Self.bare.get()).advice.isEmpty)
    }

    /// The beginning of a text is found in the order of texts, which takes less room.
    @Test func `an ordered index is advised for the beginning of a text`() throws {
        let store = try Self.bare.get()
        #expect(
            try Self.explain("name BEGINSWITH[cd] 'REYKJAV'", in: store).advice == [Self.ordered("fold(name)")])
        #expect(
            try Self.explain("name LIKE 'Reykj*9' OR code == 5", in: store).advice
                == [Self.ordered("name"), Self.ordered("code")])
    }

    @Test(arguments: [IndexState.building, .stale])
    func `an index that is there is not named while it is not read`(state: IndexState) throws {
        try Self.bare.get().read { snapshot in
            let entity = try snapshot.entity(named: "City")
            func advice(_ format: String, besides indexes: [IndexDefinition]) throws -> [AdvisedIndex] {
                var query = try ResolvedQuery(
                    Query(entity: "City", predicate: try PredicateParser.parse(format)), in: entity)
                for (number, definition) in indexes.enumerated() {
                    query.entity.indexes.append(
                        try Index(id: .max - 100 - IndexID(number), definition, of: entity, state: state))
                }
                return try IndexAdvice(query, in: snapshot).advice()
            }
            let (names, codes) = (IndexDefinition.trigrams(of: "name"), IndexDefinition([.init("code")]))
            let format = "name CONTAINS[cd] 'reykjav' OR code == 5"
            #expect(try advice("name CONTAINS[cd] 'reykjav'", besides: [names]).isEmpty)
            #expect(try advice(format, besides: [names]) == [Self.ordered("code")])
            #expect(try advice(format, besides: [codes]) == [Self.trigrams("name")])
            #expect(try advice(format, besides: [names, codes]).isEmpty)
        }
    }
}

extension Store {
    /// Adds the indexes that an explanation advises.
    func add(_ advice: [AdvisedIndex]) throws {
        for index in advice {
            let definition =
                index.kind == .trigrams
                ? IndexDefinition.trigrams(of: index.components[0])
                : IndexDefinition(index.components.map { .init($0) })
            try apply(.addIndex(definition, to: index.entity))
        }
    }
}
