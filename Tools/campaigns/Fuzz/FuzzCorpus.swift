import Foundation
import LoamStorage
import RandomQueries

/// What mutated index definitions and catalogs begin as.
enum FuzzCorpus {
    static let entity = SampleEntity.entity

    /// The JSON of index definitions, in this format and in that of old dumps.
    static let definitions: [[UInt8]] =
        [
            IndexDefinition([.init("name")]), IndexDefinition([.init("id")], kind: .unique),
            IndexDefinition([.init("note", direction: .descending, form: .caseAndDiacriticFolded), .init("small")]),
            IndexDefinition([.init("address.city", function: .lowercase)], isSectioned: true),
            IndexDefinition([.init("count"), .init("size", function: .floor)], included: ["name", "address"]),
            IndexDefinition([
                .init("day", function: .year, timeZone: "Europe/Berlin"), .init("name", function: .length),
            ]),
            IndexDefinition([.init("day", direction: .descending, function: .startOfDay)], isSectioned: true),
        ].compactMap { try? Array(JSONEncoder().encode($0)) }
        + [
            """
            {"name":"a","unique":true,"sectioned":false,"components":[{"property":"name","path":[],"direction":"ascending",\
            "form":"exact"}],"included":[]}
            """,
            """
            {"name":"b","kind":"rtree","sectioned":false,"components":[{"keyPath":["day"],"function":{"name":"month",\
            "timeZone":"Europe/Lisbon"},"direction":"ascending","form":"later"}],"included":["id"],"later":{"a":[1,null]}}
            """,
        ].map { Array($0.utf8) }

    /// The JSON of entities with relationships and indexes, as catalogs hold them.
    static let catalogs: [[UInt8]] = {
        var schemas = [Schema(entities: [entity])]
        if let atlas = try? AtlasStore(seed: 1, rowCount: 4) { schemas.append(atlas.model.schema) }
        if let sample = try? SampleStore(seed: 1, rowCount: 1, longStrings: false) {
            if let schema = try? sample.store.read({ $0.schema }) { schemas.append(schema) }
        }
        return schemas.compactMap { try? Array(JSONEncoder().encode($0)) }
    }()

    static let words =
        Function.allCases.map(\.rawValue)
        + [
            "null", "true", "-1", "1e400", "18446744073709551616", "[]", "{}", "\"\"", "\\ud800", "ascending",
            "descending",
            "exact", "localizedStandard", "ordered", "unique", "folded", "reference", "address.city", "tags", "blob",
            "\"timeZone\":\"GMT+0130\"", "\"timeZone\":\"Mars/Olympus\"", "\"timeZone\":\"\"", "Asia/Kathmandu",
            "\"keyPath\":[]", "\"function\":{\"name\":\"element\"}", "int64", "{\"array\":\"string\"}",
            "{\"structure\":[]}", "{\"dictionary\":\"int8\",\"key\":\"string\"}", String(repeating: "[", count: 600),
        ]
}
