import Foundation
import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import LoamLive

/// A result whose predicate goes along relationships is current after changes of the rows and links on the way.
@Suite struct RelationTests {
    static let queries: [(entity: String, predicate: String, sort: String, section: String?)] = [
        ("Town", "country.name == 'a'", "name", nil), ("Town", "country == nil", "name", nil),
        ("Country", "ANY towns.size > 5", "name", nil), ("Country", "towns.@count > 2", "name", nil),
        ("Country", "ALL towns.size < 8", "name", nil), ("Town", "ANY tags.name == 'a'", "name", nil),
        ("Tag", "ANY towns.country.name == 'b'", "name", nil), ("Town", "twin.size > 4", "name", nil),
        ("Tag", "towns.@count == 0", "name", nil), ("Town", "size < 8", "country.name", nil),
        ("Town", "size < 8", "twin.country.size", "country.name"),
        ("Town", "twin.country.name == 'a'", "size", "twin.country.name"),
        ("Town", "country.towns.@count > 1", "name", nil), ("Town", "ANY twin.tags.name == 'b'", "name", nil),
        ("Country", "ANY towns.tags.name == 'a'", "size", nil), ("Town", "twin.twin.size < 7", "twin.twin.name", nil),
    ]

    @Test(arguments: 0..<queries.count, [false, true])
    func isCurrentAfterEverySave(number: Int, byHistory: Bool) throws {
        let (entity, format, sort, section) = Self.queries[number]
        let query = Query(
            entity: entity, predicate: try PredicateParser.parse(format), sort: [SortKey(sort)], section: section)
        let atlas = try Atlas(seed: UInt64(number))
        let follower = try LiveFollower(query, in: atlas.store)
        var upkeep = try atlas.store.read { try ResultUpkeep(query, in: $0) }
        for step in 0..<60 {
            try atlas.saveChanges()
            let expected = try atlas.store.read { snapshot in
                var work = Work()
                return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.rowID)
            }
            if byHistory {
                let save = upkeep.state.save
                let change = try atlas.store.read { try upkeep.follow(LiveRound([], known: save, in: $0))?.change() }
                try #require(upkeep.state.rowIDs == expected && change != .reset, "\(format), step \(step)")
            } else {
                follower.live.settle()
                try #require(follower.live.state.rowIDs == expected, "\(format), step \(step)")
                try #require(follower.faults == [], "\(format), step \(step)")
            }
        }
        #expect(follower.resets == 0)
        // What this process saves is followed along the relationships, and the query is not run again.
        #expect(follower.live.trace.reads == 0 && follower.live.trace.searches == 0)
        #expect(byHistory || follower.live.trace.placed > 0)
    }

    @Test func isLeftAloneByWhatItDoesNotRead() throws {
        let atlas = try Atlas(seed: 1)
        let query = Query(entity: "Country", predicate: try PredicateParser.parse("ANY towns.size > 5"))
        let interest = try atlas.store.read { try ResultUpkeep(query, in: $0).interest }
        let town = try atlas.store.read { try $0.entity(named: "Town") }
        let read = Set(["size", "country"].compactMap(town.position(of:)))
        #expect(interest.others == [town.id: read] && interest.links.isEmpty)
    }

    /// Countries, towns and tags, changed at random.
    private final class Atlas {
        let store: Store
        private var random: SeededGenerator
        private let folder: URL

        init(seed: UInt64) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "loam-live-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var options = StoreOptions()
            options.durability = .unsynced
            store = try Store.open(path: folder.appending(path: "store").path, options: options)
            random = SeededGenerator(seed: seed)
            let properties: [PropertyDefinition] = [.init("name", type: .string), .init("size", type: .int64)]
            try store.apply(
                .addEntities([
                    EntityDefinition(
                        "Country", properties: properties,
                        relationships: [.init("towns", to: "Town", isToMany: true, inverse: "country")]),
                    EntityDefinition(
                        "Town", properties: properties,
                        relationships: [
                            .init("country", to: "Country", inverse: "towns"), .init("twin", to: "Town"),
                            .init("tags", to: "Tag", isToMany: true, inverse: "towns"),
                        ]),
                    EntityDefinition(
                        "Tag", properties: properties,
                        relationships: [.init("towns", to: "Town", isToMany: true, inverse: "tags")]),
                ]))
            for _ in 0..<40 { try saveChanges() }
        }

        deinit { try? FileManager.default.removeItem(at: folder) }

        /// Saves one random change, or two in one batch.
        func saveChanges() throws {
            let schema = try store.read { $0.schema }
            var batch = WriteBatch(policy: .storeWins)
            var named: Set<RowID> = []
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                guard let entity = schema.entities.randomElement(using: &random) else { continue }
                let row = try rows(entity).randomElement(using: &random)
                switch (Int.random(in: 0..<9, using: &random), row) {
                case (0..<2, _), (_, nil):
                    let record = try store.catalog().encode(["name": name, "size": size], as: entity.name)
                    batch.insert(record, into: entity.id, rowID: try store.makeRowID())
                case (2, let row?): if named.insert(row).inserted { batch.delete(row, of: entity.id) }
                case (3..<5, let row?):
                    guard named.insert(row).inserted else { continue }
                    let isName = Bool.random(using: &random)
                    let id = entity.properties[entity.position(of: isName ? "name" : "size") ?? 0].id
                    batch.update(row, of: entity.id, base: nil, changes: [id: isName ? name : size])
                case (_, let row?):
                    guard let relationship = entity.relationships.randomElement(using: &random),
                        named.insert(row).inserted
                    else { continue }
                    try relate(row, entity, relationship, schema, &batch)
                }
            }
            do {
                try store.save(batch)
            } catch let error as StorageError {
                // A batch may relate a row that it deletes, which is refused.
                guard case .targetMissing = error.kind else { throw error }
            }
        }

        private func relate(
            _ row: RowID, _ entity: Entity, _ relationship: Relationship, _ schema: Schema, _ batch: inout WriteBatch
        ) throws {
            guard let destination = schema.entity(withID: relationship.destination) else { return }
            let target = try rows(destination).randomElement(using: &random)
            switch relationship.storage {
            case .reference(let property, _, _):
                let isNil = Int.random(in: 0..<4, using: &random) == 0
                let value = isNil ? Value.null : target.map(Value.uint) ?? .null
                batch.update(row, of: entity.id, base: nil, changes: [property: value])
            case .links:
                guard let target else { return }
                if Bool.random(using: &random) {
                    batch.link(relationship.id, of: row, entity: entity.id, to: target)
                } else {
                    batch.unlink(relationship.id, of: row, entity: entity.id, from: target)
                }
            case .inverseOfReference: break
            }
        }

        private func rows(_ entity: Entity) throws -> [RowID] {
            try store.read { snapshot in
                var rows: [RowID] = []
                try snapshot.scanRows(of: entity) {
                    rows.append($0.rowID)
                    return true
                }
                return rows
            }
        }

        private var name: Value { .string(["a", "b", "c"].randomElement(using: &random) ?? "") }
        private var size: Value { .int(.random(in: 0..<10, using: &random)) }
    }
}
