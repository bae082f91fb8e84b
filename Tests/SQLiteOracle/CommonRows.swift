package import Foundation
import LoamStorage
package import RandomQueries
import SeededRandom

/// A store and rows of values that SQLite keeps as they are, and orders alike: no NaN, no number above Int64, no text
/// of more than one way to write it.
package enum CommonRows {
    package static let entityName = "Entry"

    /// - Parameter parent: where the store's folder is made.
    /// - Throws: what the store throws.
    package static func makeStore(
        seed: UInt64, rowCount: Int, indexShare: Double = 1, in parent: URL? = nil
    ) throws -> SampleStore {
        try SampleStore(
            definition, seed: seed, rowCount: rowCount, indexShare: indexShare, in: parent, change: value,
            makeValue: value)
    }

    /// Texts of ASCII, whose letters SQLite folds.
    static let words = ["", "a", "A", "ab", "AB", "abc", "aBc", "b", "ba", "z", "Z", "it's", "x y", "100%", "a_b"]
    /// Texts that are written in one way only, and in which no character is made of several.
    static let texts = ["", "a", "A", "é", "É", "éa", "ab", "Straße", "日本", "日", "가", "z", "ø", "Ωmega", "ß"]
    static let doubles: [Double] = [
        0, -0.0, 1, -1, 1.5, 2, 5, 0.25, 127, -2.25, 1e6, .infinity, -.infinity, 9_007_199_254_740_992,
    ]
    static let integers: [Int64] = [
        0, 1, -1, 2, 3, 5, 127, -128, .max, .min, .max - 1, 9_007_199_254_740_993, 1000,
    ]
    static let smalls: [Int64] = [0, 1, -1, 2, 3, 5, 7, -4, 10, 100]
    static let days: [Double] = [0, 1, 0.25, 86_400, -1, 1e9]
    static let blobs: [[UInt8]] = [[], [0], [0, 0], [1], [1, 2], [255]]

    /// Numbers of 32 bits stay small in sums and products.
    static func value(of property: Property, _ generator: inout SeededGenerator) -> Value {
        switch property.type {
        case .bool: .bool(.random(using: &generator))
        case .int32: .int(ValuePool.pick(smalls, &generator))
        case .double: .double(ValuePool.pick(doubles, &generator))
        case .string: .string(ValuePool.pick(property.name == "note" ? texts : words, &generator))
        case .date: .date(Date(timeIntervalSinceReferenceDate: ValuePool.pick(days, &generator)))
        case .uuid:
            .uuid(
                UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ValuePool.pick([0, 1, 127, 255], &generator))))
        case .data: .data(Data(ValuePool.pick(blobs, &generator)))
        default: .int(ValuePool.pick(integers, &generator))
        }
    }

    private static let definition = EntityDefinition(
        entityName,
        properties: [
            .init("id", type: .int64), .init("small", type: .int32, isOptional: true), .init("count", type: .int32),
            .init("amount", type: .int64, isOptional: true), .init("size", type: .double, isOptional: true),
            .init("name", type: .string), .init("note", type: .string, isOptional: true),
            .init("day", type: .date, isOptional: true), .init("flag", type: .bool),
            .init("mark", type: .bool, isOptional: true), .init("key", type: .uuid, isOptional: true),
            .init("blob", type: .data, isOptional: true),
        ],
        indexes: [
            .init([.init("id")], kind: .unique), .init([.init("small")], isSectioned: true), .init([.init("size")]),
            .init([.init("size", direction: .descending)]), .init([.init("name")]),
            .init([.init("name", form: .caseFolded)]), .init([.init("name", form: .caseAndDiacriticFolded)]),
            .init([.init("note", direction: .descending), .init("small")]),
            .init([.init("small"), .init("size", direction: .descending)]), .init([.init("flag"), .init("name")]),
            .init([.init("mark"), .init("small"), .init("count")]),
            .init([.init("day"), .init("id", direction: .descending)]),
            .init([.init("count")], included: ["size", "name", "note"]), .init([.init("amount"), .init("flag")]),
            .init([.init("key")]), .init([.init("blob", direction: .descending)]),
            .init([.init("name", function: .lowercase)]), .init([.init("flag"), .init("small", function: .negate)]),
        ])
}
