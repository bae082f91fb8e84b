import Foundation
import LMDB
import LoamStorage

/// The rows that the writers of a round insert: who wrote each, and its number.
struct Notes {
    struct Note: Hashable {
        var writer: Int
        var number: Int
    }

    private static let entity = "Note"
    private static let definition = EntityDefinition(
        entity, properties: [PropertyDefinition("writer", type: .int64), PropertyDefinition("number", type: .int64)],
        indexes: [IndexDefinition([.init("writer"), .init("number")], kind: .unique)])

    private let store: Store

    /// Opens the store at a path, making it and its entity where they are missing.
    init(path: String) throws {
        store = try WorkDurability.recent.open(path)
        guard try store.catalog().schema.entity(named: Self.entity) == nil else { return }
        do {
            try store.apply(.addEntity(Self.definition))
        } catch let error as StorageError {
            // The other writer has made the entity first.
            guard error.kind == .entityExists else { throw error }
        }
    }

    func insert(_ note: Note) throws {
        let catalog = try store.catalog()
        guard let entity = catalog.schema.entity(named: Self.entity) else { throw CampaignError("no entity") }
        let values: [String: Value] = ["writer": .int(Int64(note.writer)), "number": .int(Int64(note.number))]
        var batch = WriteBatch(author: "writer \(note.writer)")
        batch.insert(
            try catalog.encode(values, as: Self.entity), into: entity.id, rowID: try store.makeRowID())
        try store.save(batch)
    }

    func all() throws -> Set<Note> {
        try store.read { snapshot in
            var notes: Set<Note> = []
            guard let entity = snapshot.schema.entity(named: Self.entity) else { return notes }
            try snapshot.scanRows(of: entity) { row in
                guard case .int(let writer) = try row.value(0), case .int(let number) = try row.value(1) else {
                    throw CampaignError("row \(row.rowID) is no note")
                }
                notes.insert(Note(writer: Int(writer), number: Int(number)))
                return true
            }
            return notes
        }
    }

    func check() throws -> CheckReport { try store.check() }
}

extension LMDBError.Kind {
    /// Whether the error tells a process that its files were moved.
    var tellsOfMoves: Bool {
        switch self {
        case .fileDisplaced, .lockDisplaced, .lockOfAnotherFile, .fileHeld: true
        default: false
        }
    }
}
