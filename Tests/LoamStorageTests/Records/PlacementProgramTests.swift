import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

/// Keys that a placement program makes from records are, byte for byte, those of the records' values.
@Suite struct PlacementProgramTests {
    private let temporary: TemporaryStore
    private let store: Store

    private static let forms: [StringForm] = [
        .exact, .caseFolded, .caseAndDiacriticFolded, .diacriticFolded, .localizedStandard,
    ]
    /// A required and an optional property of each type that has an order, and a structure.
    private static let properties: [PropertyDefinition] =
        orderedTypes.flatMap { type in
            [PropertyDefinition("\(type)", type: type), PropertyDefinition("\(type)?", type: type, isOptional: true)]
        } + [PropertyDefinition("address", type: address, isOptional: true)]
    private static let address = ValueType.structure([
        .init(name: "city", type: .string), .init(name: "zip", type: .int32, isOptional: true),
    ])
    private static let names = properties.dropLast().map(\.name)

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
    }

    /// A value of a property; now and then one that lies outside of its record.
    private static func value(_ property: PropertyDefinition, _ random: inout SeededGenerator) -> Value {
        if property.isOptional, random.percent(25) { return .null }
        if property.type == address {
            return .structure([
                "city": .string(RandomValues.string(using: &random)),
                "zip": random.percent(30) ? .null : .int(Int64.random(in: -9...9, using: &random)),
            ])
        }
        switch property.type {
        case .string where random.percent(3): return .string(String(repeating: "é\0", count: 9_000))
        case .data where random.percent(3): return .data(Data(repeating: 1, count: 20_000))
        default: break
        }
        while true {
            let value = RandomValues.value(property.type, using: &random)
            // A decimal that is NaN has a key, and no record can hold it.
            if case .decimal(let number) = value, number.isNaN { continue }
            return value
        }
    }

    private static func rows(_ count: Int, seed: UInt64) -> [[String: Value]] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            Dictionary(uniqueKeysWithValues: properties.map { ($0.name, value($0, &random)) })
        }
    }

    private static func component(
        _ property: Property, _ direction: SortDirection, _ form: StringForm, share: Int, hashesCut: Bool = false
    ) throws -> KeyComponent {
        try KeyComponent(
            property.type, isOptional: true, direction: direction, form: form, share: share, hashesCut: hashesCut)
    }

    @Test("Whole keys in every type, direction and form", arguments: [1, 2, 3] as [UInt64])
    func wholeKeys(seed: UInt64) throws {
        try store.apply(.addEntity(EntityDefinition("Thing", properties: Self.properties)))
        try store.insert(Self.rows(60, seed: seed), into: "Thing")
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for position in entity.properties.indices.dropLast() {
                let property = entity.properties[position]
                for form in property.type == .string ? Self.forms : [.exact] {
                    for direction in [SortDirection.ascending, .descending] {
                        let usual = try Self.component(property, direction, form, share: 480)
                        let large = try Self.component(property, direction, form, share: 1 << 20)
                        let program = PlacementProgram([usual, usual], fields: [position, nil], cuts: false)
                        try snapshot.scanRows(of: entity) { row in
                            let value = try row.value(position)
                            var expected: [UInt8] = []
                            try large.append(value, to: &expected)
                            var key = KeyBuffer()
                            if try !row.append(0, of: program, to: &key) { try program.append(value, as: 0, to: &key) }
                            let takesNoValue = try row.append(1, of: program, to: &key)
                            let found = Array(key.pointer)
                            try #require(found == expected, "seed \(seed), \(property.name) \(form) \(direction)")
                            #expect(!takesNoValue)
                            if let prefix = try row.prefix(of: program) {
                                let first =
                                    expected.prefix(8) + [UInt8](repeating: 0, count: max(0, 8 - expected.count))
                                let bits = first.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                                #expect(prefix.mask != 0 && prefix.bytes == bits & prefix.mask, "\(expected)")
                            } else {
                                #expect(!program.leading.kind.isVariable || value.isNull || isUnknown(value, form))
                            }
                            let length = try program.leadingLength(of: key.pointer)
                            #expect(length == expected.count)
                            try checkCopy(found, position, property, form, value)
                            return true
                        }
                    }
                }
            }
        }
    }

    /// Whether the first bytes of a key are not known without making it.
    private func isUnknown(_ value: Value, _ form: StringForm) -> Bool {
        switch value {
        case .decimal: true
        case .string(let text): form == .localizedStandard || text.utf8.count > 10_000
        case .data(let data): data.count > 10_000
        default: false
        }
    }

    /// Checks that a component of another key, in either direction, is copied to the bytes that the value gives.
    private func checkCopy(
        _ bytes: [UInt8], _ position: Int, _ property: Property, _ form: StringForm, _ value: Value
    ) throws {
        for direction in [SortDirection.ascending, .descending] {
            let component = try Self.component(property, direction, form, share: 480)
            let program = PlacementProgram([component], fields: [position], cuts: false)
            let isAscending = bytes.first.map { $0 < 2 } ?? true
            let source = try Self.component(property, isAscending ? .ascending : .descending, form, share: 480)
            #expect(program.canCopy(0, from: source))
            var key = KeyBuffer()
            bytes.withUnsafeBytes { program.append(copying: $0, of: source, as: 0, to: &key) }
            let copied = Array(key.pointer)
            key.removeAll()
            try program.append(value, as: 0, to: &key)
            let written = Array(key.pointer)
            #expect(copied == written)
        }
    }

    @Test("Cut keys are cut where those of values are", arguments: [false, true])
    func cutKeys(hashesCut: Bool) throws {
        try store.apply(.addEntity(EntityDefinition("Thing", properties: Self.properties)))
        try store.insert(Self.rows(80, seed: 4), into: "Thing")
        try store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            for position in entity.properties.indices {
                let property = entity.properties[position]
                guard [.string, .url, .data].contains(property.type) else { continue }
                for direction in [SortDirection.ascending, .descending] {
                    let component = try Self.component(property, direction, .exact, share: 17, hashesCut: hashesCut)
                    let program = PlacementProgram([component], fields: [position], cuts: true)
                    try snapshot.scanRows(of: entity) { row in
                        var expected: [UInt8] = []
                        let isExact = try component.append(row.value(position), to: &expected)
                        var key = KeyBuffer()
                        guard let slot = row.slot(position) else { throw StorageError(.unknownProperty) }
                        var found = try program.append(0, slot: slot, of: row.view, to: &key)
                        if found == nil { found = try program.append(row.value(position), as: 0, to: &key) }
                        let bytes = Array(key.pointer)
                        #expect(bytes == expected && found == isExact, "\(property.name) \(direction)")
                        return true
                    }
                }
            }
        }
    }

    // MARK: Indexes

    private static let indexes: [IndexDefinition] =
        names.map { IndexDefinition([.init($0)]) } + names.map { IndexDefinition([.init($0, direction: .descending)]) }
        + forms.dropFirst().map {
            IndexDefinition([.init("string?", form: $0), .init("int8", direction: .descending)])
        } + [
            IndexDefinition([.init("address.city"), .init("address.zip", direction: .descending)]),
            IndexDefinition([.init("string", function: .lowercase), .init("double?", function: .negate)]),
            IndexDefinition(
                [.init("int16"), .init("string?"), .init("data?", direction: .descending)], included: ["float"]),
            IndexDefinition(
                [.init("string?"), .init("date"), .init("uuid"), .init("uint64")], name: "unique", kind: .unique),
        ]

    /// Checks that every entry of every row has the key of the values of its components, and that it is stored.
    private func checkEntries(of name: String, seed: UInt64) throws {
        try store.run(
            WriterJob { transaction, state in
                let access = try state.catalog.access(named: name)
                try access.scanImages(in: transaction) { image in
                    for index in access.indexes where index.isMaintained {
                        let values = try index.componentValues(of: image)
                        let (bytes, isExact) = try index.keyShape.key(of: values)
                        let entry = try index.entry(of: image)
                        let isEqual = entry.key == bytes && entry.isInexact == !isExact
                        try #require(isEqual, "seed \(seed), index \(index.index.name), row \(image.rowID)")
                        #expect(try index.hasNil(image) == values.contains(where: \.isNull))
                    }
                }
            })
        #expect(try store.check().faults == [])
    }

    @Test("Index entries in every type, direction and form, of single rows and of many", arguments: [5, 6] as [UInt64])
    func entries(seed: UInt64) throws {
        try store.apply(.addEntity(EntityDefinition("Thing", properties: Self.properties, indexes: Self.indexes)))
        let ids = try store.insert(Self.rows(100, seed: seed), into: "Thing")
        for (id, row) in zip(ids, Self.rows(10, seed: seed + 100)) { try store.update(id, of: "Thing", row) }
        try checkEntries(of: "Thing", seed: seed)
    }

    @Test("Index entries of records that were written before their properties were what they are")
    func olderLayouts() throws {
        try store.apply(.addEntity(EntityDefinition("Thing", properties: Self.properties, indexes: Self.indexes)))
        try store.insert(Self.rows(40, seed: 7), into: "Thing")
        let wider: [(String, ValueType)] = [
            ("int8", .int16), ("int16?", .int64), ("int32", .int64), ("uint8?", .int32), ("uint16", .uint32),
            ("uint32?", .uint64), ("float", .double), ("float?", .double),
        ]
        for (name, type) in wider { try store.apply(.widen(name, to: type, in: "Thing")) }
        try store.apply(.makeOptional("uuid", in: "Thing"))
        try store.apply(.makeRequired("int64?", nilValue: .int(-3), in: "Thing"))
        try store.apply(.makeRequired("bool?", nilValue: .bool(true), in: "Thing"))
        try store.apply(
            .addProperty(PropertyDefinition("late", type: .string, initialValue: .string("läte")), to: "Thing"))
        try store.apply(.addProperty(PropertyDefinition("later", type: .double, isOptional: true), to: "Thing"))
        try store.apply(
            .addIndex(IndexDefinition([.init("late", direction: .descending), .init("later")]), to: "Thing"))
        try checkEntries(of: "Thing", seed: 7)
        // Saves that change only some fields make the same entries.
        let ids = try store.rows(in: "int64", of: "Thing")
        for (number, id) in ids.enumerated() where number % 3 == 0 {
            try store.update(id, of: "Thing", ["later": .double(Double(number)), "int8": .int(300)])
        }
        try checkEntries(of: "Thing", seed: 7)
    }
}
