import ArgumentParser
import Foundation
import LoamStorage
import SeededRandom

/// One of the processes that are killed. It prints `begin WRITER NUMBER MEMBERS MARKS` before each save, then `done
/// WRITER` or `refused WRITER`; or `failed TEXT`.
struct RelationsWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "relations-worker", shouldDisplay: false)

    @Argument var store: String
    @Option var seed: UInt64
    @Option var firstWriter: Int
    @Option var threads: Int
    @Option var durability: WorkDurability

    func run() throws {
        do {
            let store = try durability.open(store)
            for writer in firstWriter..<firstWriter + threads {
                let thread = try RelationsWriter(writer, store: store, seed: seed)
                Thread.detachNewThread {
                    var thread = thread
                    do {
                        while true { try thread.step() }
                    } catch {
                        say("failed writer \(writer): \(error)")
                        Foundation.exit(EXIT_FAILURE)
                    }
                }
            }
            while true { pause() }
        } catch {
            say("failed \(error)")
            throw ExitCode.failure
        }
    }
}

/// One thread's saves.
struct RelationsWriter {
    private let writer: Int
    private let store: Store
    private let entities: [String: Entity]
    private let owner: RowID
    private var rows: OwnRows
    private var random: SeededGenerator

    init(_ writer: Int, store: Store, seed: UInt64) throws {
        self.writer = writer
        self.store = store
        random = SeededGenerator(seed: seed, stream: UInt64(writer))
        entities = Dictionary(
            try store.catalog().schema.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        guard let own = try store.read({ try OwnRows.read($0) })[writer] else {
            throw CampaignError("Writer \(writer) has no owner.")
        }
        (owner, rows) = own
    }

    /// Makes a save that changes the writer's own lists and something shared.
    mutating func step() throws {
        var next = rows
        next.number += 1
        var batch = WriteBatch(author: "writer \(writer)")
        var changes: [RowID: [PropertyID: Value]] = [:]
        try changeMembers(&next, &batch)
        try changeMarks(&next, &batch)
        for _ in 0..<Int.random(in: 0...2, using: &random) { try changeShared(next, &batch, &changes) }
        let (member, ownerEntity) = (try entity("Member"), try entity("Owner"))
        for (row, values) in changes { batch.update(row, of: member.id, base: nil, changes: values) }
        batch.update(
            owner, of: ownerEntity.id, base: nil, changes: [ownerEntity.properties[1].id: .int(Int64(next.number))])
        say("begin \(writer) \(next.text)")
        do {
            try store.save(batch)
            rows = next
            say("done \(writer)")
        } catch let error as StorageError {
            // Somebody else has deleted a row that this save leads to.
            switch error.kind {
            case .targetMissing, .rowMissing: say("refused \(writer)")
            default: throw error
            }
        }
    }

    private mutating func changeMembers(_ next: inout OwnRows, _ batch: inout WriteBatch) throws {
        let entity = try entity("Member")
        let (toOwner, _) = try relationship("owner", of: "Member")
        let place = pickPlace(next.members)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where next.members.count > 2:
            let row = next.members.remove(at: Int.random(in: 0..<next.members.count, using: &random))
            batch.delete(row, of: entity.id)
        case 1 where !next.members.isEmpty:
            guard let row = next.members.randomElement(using: &random) else { return }
            batch.place(row, of: entity.id, in: toOwner, place: place)
            next.members.place(row, place)
        default:
            guard next.members.count < 12 else { return }
            let row = try store.makeRowID()
            let values: [String: Value] = ["name": .string("member \(row)"), "owner": .uint(owner)]
            batch.insert(try store.catalog().encode(values, as: "Member"), into: entity.id, rowID: row)
            batch.place(row, of: entity.id, in: toOwner, place: place)
            next.members.place(row, place)
            // The member has a part of its own, which is deleted with it.
            let part = try store.makeRowID()
            let partValues: [String: Value] = ["name": .string("part \(part)"), "whole": .uint(row)]
            batch.insert(try store.catalog().encode(partValues, as: "Member"), into: entity.id, rowID: part)
        }
    }

    private mutating func changeMarks(_ next: inout OwnRows, _ batch: inout WriteBatch) throws {
        let all = try store.read { snapshot in
            var rows: [RowID] = []
            try snapshot.scanRows(of: snapshot.entity(named: "Mark")) {
                rows.append($0.rowID)
                return true
            }
            return rows
        }
        guard let mark = all.randomElement(using: &random) else { return }
        let (marks, _) = try relationship("marks", of: "Owner")
        let entity = try entity("Owner").id
        if next.marks.contains(mark), random.percent(40) {
            batch.unlink(marks, of: owner, entity: entity, from: mark)
            next.marks.removeAll { $0 == mark }
        } else {
            let place = pickPlace(next.marks)
            batch.link(marks, of: owner, entity: entity, to: mark, place: place)
            next.marks.place(mark, place)
        }
    }

    /// Relates an own member to rows that others delete, or deletes one of those.
    private mutating func changeShared(
        _ next: OwnRows, _ batch: inout WriteBatch, _ changes: inout [RowID: [PropertyID: Value]]
    ) throws {
        let group = try entity("Group")
        let groups = try someRows(of: group)
        let stored = next.members.filter(rows.members.contains)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            let row = try store.makeRowID()
            batch.insert(
                try store.catalog().encode(["name": .string("group \(row)")], as: "Group"), into: group.id, rowID: row)
        case 1 where groups.count > 4 && !batch.rows.contains { $0.entity == group.id }:
            if let row = groups.randomElement(using: &random) { batch.delete(row, of: group.id) }
        case 2:
            guard let one = stored.randomElement(using: &random),
                let other = try someRows(of: entity("Member")).randomElement(using: &random)
            else { return }
            batch.link(try relationship("peers", of: "Member").id, of: one, entity: try entity("Member").id, to: other)
        default:
            guard let row = stored.randomElement(using: &random), let target = groups.randomElement(using: &random)
            else {
                return
            }
            let name = ["group", "group", "leads", "lastGroup"].randomElement(using: &random) ?? "group"
            let (_, property) = try relationship(name, of: "Member")
            if let property { changes[row, default: [:]][property] = random.percent(10) ? .null : .uint(target) }
        }
    }

    private func someRows(of entity: Entity) throws -> [RowID] {
        try store.read { snapshot in
            var rows: [RowID] = []
            try snapshot.scanRows(of: entity, reversed: true) {
                rows.append($0.rowID)
                return rows.count < 60
            }
            return rows
        }
    }

    private mutating func pickPlace(_ list: [RowID]) -> LinkPlace {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: .append
        case 1: .first
        default: list.randomElement(using: &random).map(LinkPlace.after) ?? .append
        }
    }

    private func entity(_ name: String) throws -> Entity {
        guard let entity = entities[name] else { throw CampaignError("No entity \(name).") }
        return entity
    }

    private func relationship(_ name: String, of entityName: String) throws -> (id: PropertyID, property: PropertyID?) {
        guard let found = try entity(entityName).relationship(named: name) else {
            throw CampaignError("No relationship \(name).")
        }
        return (found.id, found.referenceProperty)
    }
}

extension [RowID] {
    /// Places a row as the store does: behind the last where the neighbour is no member, or is the row itself.
    fileprivate mutating func place(_ row: RowID, _ place: LinkPlace) {
        removeAll { $0 == row }
        switch place {
        case .append: append(row)
        case .first: insert(row, at: 0)
        case .after(let neighbour): insert(row, at: firstIndex(of: neighbour).map { $0 + 1 } ?? count)
        }
    }
}
