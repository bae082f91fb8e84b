import LoamQuery
import LoamStorage
import SeededRandom

/// Random rows with few first values, and indexes whose second components skip scans merge.
enum SkippedThings {
    static let definition = EntityDefinition(
        "Thing",
        properties: [
            .init("id", type: .int64), .init("a", type: .int64, isOptional: true),
            .init("b", type: .double, isOptional: true), .init("c", type: .string), .init("d", type: .int64),
        ],
        indexes: [
            .init([.init("a"), .init("b")]), .init([.init("a"), .init("b"), .init("c", direction: .descending)]),
            .init([.init("a", direction: .descending), .init("c"), .init("b", direction: .descending)]),
            .init([.init("a"), .init("c", form: .caseFolded)]),
            .init([.init("a"), .init("d", direction: .descending)]),
        ])

    static func value(_ property: Property, _ random: inout SeededGenerator) -> Value {
        switch property.type {
        case .string: .string(["", "a", "A", "b", "ä", "B\u{301}"][Int.random(in: 0..<6, using: &random)])
        case .double: .double([-1, -0.0, 0, 0.5, 1, 2, .infinity, .nan][Int.random(in: 0..<8, using: &random)])
        default: .int(Int64.random(in: 0..<5, using: &random))
        }
    }
}
