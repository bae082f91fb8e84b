package import LoamStorage

/// An entity with a property of each kind, for tests of parsing, typing and planning.
package enum SampleEntity {
    package static let entity: Entity = {
        let address = ValueType.structure([
            .init(name: "city", type: .string), .init(name: "zip", type: .int32, isOptional: true),
        ])
        let types: [(String, ValueType, Bool)] = [
            ("id", .int64, false), ("name", .string, false), ("note", .string, true), ("size", .double, true),
            ("weight", .float, false), ("price", .decimal, true), ("count", .uint64, false), ("day", .date, true),
            ("key", .uuid, true), ("link", .url, true), ("blob", .data, true), ("flag", .bool, true),
            ("address", address, true), ("tags", .array(of: .string, optional: false), true), ("small", .int8, true),
            ("and", .int64, true), ("two words", .int64, true),
        ]
        return Entity(
            id: 1, name: "Sample",
            properties: types.enumerated().map {
                Property(
                    id: PropertyID($0.offset + 1), name: $0.element.0, type: $0.element.1, isOptional: $0.element.2)
            })
    }()

    /// A row in which the named properties have values and all others are nil.
    package static func row(_ values: [String: Value]) -> [Value] {
        entity.properties.map { values[$0.name] ?? .null }
    }
}
