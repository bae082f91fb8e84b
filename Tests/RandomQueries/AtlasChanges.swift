package import LoamQuery
import LoamStorage
import SeededRandom

/// Random changes of an atlas, as an overlay and as the rows that they lead to.
package struct AtlasChanges {
    package let model: RelatedRowsModel
    package let overlay = Overlay()
    private let original: RelatedRowsModel
    private var generator: SeededGenerator

    package init(_ original: RelatedRowsModel, seed: UInt64) {
        self.original = original
        model = RelatedRowsModel(original.schema)
        model.rows = original.rows
        model.links = original.links
        generator = SeededGenerator(seed: seed)
    }

    package mutating func make() {
        var changed: [EntityID: Set<RowID>] = [:]
        var next = RowID(1_000_000)
        for _ in 0..<Int.random(in: 1...6, using: &generator) {
            let entity = ValuePool.pick(model.schema.entities, &generator)
            let ids = model.ids(entity)
            switch ids.isEmpty ? 0 : Int.random(in: 0..<5, using: &generator) {
            case 0:
                next += 1
                let values = model.randomValues(entity, &generator)
                model.rows[entity.id]?[next] = PlainRow(rowID: next, values: values)
                changed[entity.id, default: []].insert(next)
            case 1: model.delete(ValuePool.pick(ids, &generator), of: entity)
            case 2: relink(entity, ids)
            default:
                let rowID = ValuePool.pick(ids, &generator)
                let values = model.randomValues(entity, &generator)
                model.rows[entity.id]?[rowID] = PlainRow(rowID: rowID, values: values)
                changed[entity.id, default: []].insert(rowID)
            }
        }
        for entity in model.schema.entities {
            let (before, now) = (original.rows[entity.id] ?? [:], model.rows[entity.id] ?? [:])
            let pending = (changed[entity.id] ?? []).filter { now[$0] != nil }
            for row in before.keys where now[row] == nil { overlay.mask(row, of: entity.id) }
            for row in pending.compactMap({ now[$0] }) {
                overlay.set(row, isStored: before[row.rowID] != nil, of: entity.id)
            }
        }
    }

    /// Gives a row other links, from either side of a relationship.
    private mutating func relink(_ entity: Entity, _ ids: [RowID]) {
        let relationships = entity.relationships.filter { $0.linkTable != nil }
        guard !relationships.isEmpty else { return }
        let relationship = ValuePool.pick(relationships, &generator)
        let rowID = ValuePool.pick(ids, &generator)
        for old in model.links[relationship.id]?[rowID] ?? [] { model.unlink(relationship, rowID, old) }
        for target in model.randomTargets(relationship, &generator) { model.link(relationship, rowID, target) }
        overlay.links[relationship.id, default: [:]][rowID] = model.links[relationship.id]?[rowID] ?? []
        // The links that the overlay has of other rows follow.
        for (id, lists) in overlay.links {
            for source in lists.keys {
                let members = model.links[id]?[source] ?? []
                overlay.links[id]?[source] = members
            }
        }
    }
}
