import Foundation
import SeededRandom

@testable import LoamStorage

/// Layouts and values for the tests of records.
enum RecordSamples {
    static let address = ValueType.structure([
        .init(name: "street", type: .string), .init(name: "city", type: .string, isOptional: true),
        .init(
            name: "place",
            type: .structure([.init(name: "latitude", type: .double), .init(name: "longitude", type: .double)]),
            isOptional: true),
    ])

    /// One type of each kind, composites with nested ones.
    static let types: [ValueType] = [
        .bool, .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64, .float, .double, .decimal, .string,
        .date, .uuid, .url, .data, .array(of: .int16, optional: false), .array(of: .string, optional: true),
        .dictionary(key: .string, value: .double, optional: true),
        .dictionary(key: .int64, value: .array(of: .uuid, optional: false), optional: false), address,
        .array(of: address, optional: true),
    ]

    static func layout(
        _ types: [(ValueType, isOptional: Bool)], id: LayoutID = 3, entity: EntityID = 9
    ) throws
        -> RecordLayout
    {
        try RecordLayout(
            .init(
                id: id, entity: entity,
                fields: types.enumerated().map { slot, type in
                    .init(property: PropertyID(100 + slot), type: type.0, isOptional: type.isOptional)
                }))
    }

    /// A layout of 1 to 20 random fields.
    static func layout(using random: inout SeededGenerator, id: LayoutID = 3) throws -> RecordLayout {
        let count = Int.random(in: 1...20, using: &random)
        return try layout(
            (0..<count).map { _ in
                (types.randomElement(using: &random) ?? .bool, isOptional: Bool.random(using: &random))
            }, id: id)
    }

    static func values(of layout: RecordLayout, using random: inout SeededGenerator) -> [Value] {
        layout.fields.map { value(of: $0.type, isOptional: $0.isOptional, using: &random) }
    }

    static func value(of type: ValueType, isOptional: Bool, using random: inout SeededGenerator) -> Value {
        if isOptional, Int.random(in: 0..<3, using: &random) == 0 { return .null }
        return value(of: type, using: &random)
    }

    private static func value(of type: ValueType, using random: inout SeededGenerator) -> Value {
        switch type {
        case .bool: .bool(.random(using: &random))
        case .int8: .int(Int64(Int8.random(in: .min ... .max, using: &random)))
        case .int16: .int(Int64(Int16.random(in: .min ... .max, using: &random)))
        case .int32: .int(Int64(Int32.random(in: .min ... .max, using: &random)))
        case .int64: .int(Int64(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random)))
        case .uint8: .uint(UInt64(UInt8.random(in: .min ... .max, using: &random)))
        case .uint16: .uint(UInt64(UInt16.random(in: .min ... .max, using: &random)))
        case .uint32: .uint(UInt64(UInt32.random(in: .min ... .max, using: &random)))
        case .uint64: .uint(random.next() >> UInt64.random(in: 0..<64, using: &random))
        case .float: .float(Float(bitPattern: UInt32(truncatingIfNeeded: random.next())))
        case .double: .double(Double(bitPattern: random.next()))
        case .decimal: .decimal(decimal(using: &random))
        case .string: .string(string(using: &random))
        case .date: .date(Date(timeIntervalSinceReferenceDate: .random(in: -1e10...1e10, using: &random)))
        case .uuid: .uuid(uuid(using: &random))
        case .url: .url(URL(string: "https://example.org/\(random.next())") ?? URL(fileURLWithPath: "/"))
        case .data:
            .data(
                Data(
                    (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            )
        case .array(let element, let optional):
            .array(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    value(of: element, isOptional: optional, using: &random)
                })
        case .dictionary(let key, let element, let optional):
            .dictionary(
                Dictionary(
                    (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        (value(of: key, using: &random), value(of: element, isOptional: optional, using: &random))
                    }, uniquingKeysWith: { first, _ in first }))
        case .structure(let members):
            .structure(
                members.reduce(into: [:]) { result, member in
                    let value = value(of: member.type, isOptional: member.isOptional, using: &random)
                    if !value.isNull { result[member.name] = value }
                })
        }
    }

    static func uuid(using random: inout SeededGenerator) -> UUID {
        var bytes: uuid_t = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) {
            for index in $0.indices { $0[index] = UInt8.random(in: 0...255, using: &random) }
        }
        return UUID(uuid: bytes)
    }

    static func decimal(using random: inout SeededGenerator) -> Decimal {
        let digits = String(
            (0..<Int.random(in: 1...38, using: &random)).map { _ in
                Character(String(Int.random(in: 0...9, using: &random)))
            })
        let text = "\(Bool.random(using: &random) ? "-" : "")\(digits)e\(Int.random(in: -80...80, using: &random))"
        return Decimal(string: text) ?? .nan
    }

    static func string(using random: inout SeededGenerator) -> String {
        let alphabet: [Character] = [
            "a", "b", "Z", " ", "0", "\r\n", "\r", "é", "e\u{301}", "👩‍👩‍👧", "ß", "\0", "日",
        ]
        let letters = Bool.random(using: &random) ? alphabet.prefix(5) : alphabet[...]
        return String(
            (0..<Int.random(in: 0...30, using: &random)).map { _ in letters.randomElement(using: &random) ?? "a" })
    }

    /// The bytes of a record of these values, sealed.
    static func record(_ values: [Value], _ layout: RecordLayout, save: UInt64 = 1, rowID: RowID = 1) throws -> [UInt8]
    {
        var builder = RecordBuilder(layout)
        var record: [UInt8] = []
        try builder.encode(values, into: &record)
        try RecordHeader.seal(&record, save: save, rowID: rowID, entity: layout.entity)
        return record
    }

    /// The values of a record, read through its layout.
    static func values(_ record: [UInt8], _ layout: RecordLayout) throws -> [Value] {
        let view = try RecordView(record.span.bytes, layout: layout)
        return try view.values()
    }

    static func value(_ record: [UInt8], _ layout: RecordLayout, _ slot: Int) throws -> Value {
        let view = try RecordView(record.span.bytes, layout: layout)
        return try view.value(slot)
    }

    /// A value from the bytes of a composite one.
    static func decoded(_ composite: [UInt8]) throws -> Value {
        try RecordView.decodeComposite(composite.span.bytes)
    }

    static func isIntact(_ record: [UInt8], rowID: RowID, entity: EntityID = 9) -> Bool {
        (try? RecordHeader.verifyChecksum(record: record.span.bytes, rowID: rowID, entity: entity)) != nil
    }
}
