import LoamStorage

/// The entities that the crash campaign writes: between them every kind of index, and values inside and outside
/// records.
enum WorkEntity: String, CaseIterable, Comparable {
    case item = "Item"
    case entry = "Entry"
    /// An entity that comes and goes as a whole, by bulk load.
    case bulk = "Bulk"

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    var definition: EntityDefinition {
        switch self {
        case .item:
            EntityDefinition(
                rawValue,
                properties: [
                    PropertyDefinition("slot", type: .int64),
                    PropertyDefinition("code", type: .string, isOptional: true),
                    PropertyDefinition("name", type: .string),
                    PropertyDefinition("rank", type: .int32, isOptional: true),
                    PropertyDefinition("score", type: .double, isOptional: true),
                    PropertyDefinition("note", type: .string, isOptional: true), PropertyDefinition("day", type: .date),
                    PropertyDefinition("blob", type: .data, isOptional: true),
                ],
                indexes: [
                    IndexDefinition([.init("slot")], kind: .unique),
                    IndexDefinition([.init("code")], kind: .unique),
                    IndexDefinition([.init("name", form: .caseAndDiacriticFolded)], name: "folded"),
                    IndexDefinition([.init("rank", direction: .descending), .init("name")]),
                    IndexDefinition([.init("note")], name: Self.rebuiltIndex),
                    IndexDefinition(
                        [.init("score"), .init("slot", direction: .descending)], included: ["rank", "name"]),
                    IndexDefinition(
                        [.init("name", function: .length), .init("day", function: .year, timeZone: "Asia/Tokyo")],
                        name: "computed", isSectioned: true),
                ])
        case .entry, .bulk:
            EntityDefinition(
                rawValue,
                properties: [
                    PropertyDefinition("slot", type: .int64), PropertyDefinition("owner", type: .int64),
                    PropertyDefinition("number", type: .int64), PropertyDefinition("text", type: .string),
                    PropertyDefinition("flag", type: .bool),
                ],
                indexes: [
                    IndexDefinition([.init("slot")], kind: .unique),
                    IndexDefinition(
                        [.init("owner"), .init("number", direction: .descending)], kind: .unique, isSectioned: true),
                    IndexDefinition([.init("text", direction: .descending, form: .caseFolded)]),
                ])
        }
    }

    /// The name of the index of `Item` that is built anew from time to time.
    static let rebuiltIndex = "note"

    /// The index of `Item` that comes and goes.
    static let extraIndex = IndexDefinition(
        [
            .init("day", function: .startOfMonth, timeZone: "Europe/Berlin"), .init("rank"),
            .init("code", direction: .descending),
        ], name: "extra")

    static func create(in store: Store) throws {
        let known = try store.catalog().schema.entities.map(\.name)
        for entity in [WorkEntity.item, .entry] where !known.contains(entity.rawValue) {
            try store.apply(.addEntity(entity.definition))
        }
    }
}

/// The campaign's name for a row; the store chooses the row id.
struct RowName: Hashable, Comparable {
    var entity: WorkEntity
    var slot: Int

    static func < (left: Self, right: Self) -> Bool { (left.entity, left.slot) < (right.entity, right.slot) }
}

/// The rows of one thread of the writing process. No other thread writes them.
struct Partition: Hashable {
    /// The values of the rows, in the order of the entity's properties.
    var rows: [RowName: [Value]] = [:]
    var hasExtraIndex = false

    static let slots = 1_000
    /// Batches write the slots below this one. Bulk loads also write the others.
    static let batchSlots = 120
}
