import LoamStorage

/// Rows that each writer has for itself, in order, and rows that all of them share and delete.
enum RelationsSchema {
    static let definitions = [
        EntityDefinition(
            "Owner",
            properties: [PropertyDefinition("writer", type: .int64), PropertyDefinition("number", type: .int64)],
            relationships: [
                RelationshipDefinition("members", to: "Member", isToMany: true, deleteRule: .cascade, inverse: "owner"),
                RelationshipDefinition("marks", to: "Mark", isToMany: true, deleteRule: .deny, inverse: "owners"),
            ]),
        EntityDefinition(
            "Member", properties: [PropertyDefinition("name", type: .string)],
            relationships: [
                RelationshipDefinition("owner", to: "Owner"),
                RelationshipDefinition("group", to: "Group"),
                RelationshipDefinition("leads", to: "Group"),
                RelationshipDefinition("whole", to: "Member"),
                RelationshipDefinition("parts", to: "Member", isToMany: true, deleteRule: .cascade, inverse: "whole"),
                RelationshipDefinition("peers", to: "Member", isToMany: true, inverse: "peers"),
                RelationshipDefinition("lastGroup", to: "Group"),
            ],
            indexes: [IndexDefinition([.init("group"), .init("name")])]),
        EntityDefinition(
            "Group", properties: [PropertyDefinition("name", type: .string)],
            relationships: [
                RelationshipDefinition("members", to: "Member", isToMany: true, inverse: "group"),
                RelationshipDefinition("leader", to: "Member", inverse: "leads"),
                RelationshipDefinition(
                    "lastMembers", to: "Member", isToMany: true, deleteRule: .noAction, inverse: "lastGroup"),
            ]),
        EntityDefinition(
            "Mark", properties: [PropertyDefinition("name", type: .string)],
            relationships: [RelationshipDefinition("owners", to: "Owner", isToMany: true, inverse: "marks")]),
    ]

    /// Makes the entities, an owner for each writer, and what is shared.
    static func create(in store: Store, writers: Int) throws {
        try store.apply(.addEntities(definitions))
        let catalog = try store.catalog()
        var batch = WriteBatch()
        func insert(_ entity: String, _ values: [String: Value]) throws {
            guard let id = catalog.schema.entity(named: entity)?.id else { throw CampaignError("No \(entity).") }
            batch.insert(try catalog.encode(values, as: entity), into: id, rowID: try store.makeRowID())
        }
        for writer in 0..<writers { try insert("Owner", ["writer": .int(Int64(writer)), "number": .int(0)]) }
        for number in 0..<12 {
            try insert("Mark", ["name": .string("mark \(number)")])
            try insert("Group", ["name": .string("group \(number)")])
        }
        try store.save(batch)
    }
}

/// The rows of one writer alone: the number of its last save, and two lists in order.
struct OwnRows: Hashable {
    var number = 0
    var members: [RowID] = []
    var marks: [RowID] = []

    init() {}

    /// Reads `NUMBER MEMBERS MARKS`, lists with commas or `-`.
    init?(_ words: [Substring]) {
        guard words.count == 3, let number = Int(words[0]) else { return nil }
        self.number = number
        members = words[1].split(separator: ",").compactMap { RowID($0) }
        marks = words[2].split(separator: ",").compactMap { RowID($0) }
    }

    var text: String {
        func list(_ rows: [RowID]) -> String { rows.isEmpty ? "-" : rows.map(String.init).joined(separator: ",") }
        return "\(number) \(list(members)) \(list(marks))"
    }

    /// The rows of each writer as they are stored, with the owners' row ids.
    static func read(_ snapshot: Snapshot) throws -> [Int: (owner: RowID, rows: OwnRows)] {
        let entity = try snapshot.entity(named: "Owner")
        guard let members = entity.relationship(named: "members"), let marks = entity.relationship(named: "marks")
        else {
            throw CampaignError("The owners have no relationships.")
        }
        var found: [Int: (owner: RowID, rows: OwnRows)] = [:]
        try snapshot.scanRows(of: entity) { row in
            guard let writer = try row.int64(0), let number = try row.int64(1) else { return true }
            var rows = OwnRows()
            rows.number = Int(number)
            rows.members = try snapshot.relatedRowIDs(of: row.rowID, members, in: entity)
            rows.marks = try snapshot.relatedRowIDs(of: row.rowID, marks, in: entity)
            found[Int(writer)] = (row.rowID, rows)
            return true
        }
        return found
    }
}
