import LoamStorage

/// How a model outside any context is related to others outside any: whichever of them is inserted, the others go
/// along.
///
/// A model holds what it leads to. Here it also holds what leads to it, so that a child that nobody else holds is not
/// lost before its parent is inserted. Related models therefore keep each other, as objects with properties in both
/// directions do, until one of them is inserted or the relationship is taken away.
final class DraftRelations {
    /// For each ordinal of a relationship the models that it was made to lead to.
    private var targets: [Int: [any PersistentModel]] = [:]
    private var referrers: [ObjectIdentifier: Referrer] = [:]
    private var referrerCount = 0

    /// Whether other models lead to this one.
    var hasReferrers: Bool { !referrers.isEmpty }

    private struct Referrer {
        let model: any PersistentModel
        /// Counted up, so that models are inserted in the order in which they were related.
        let number: Int
        /// How many of its relationships lead here.
        var count: Int
    }

    /// Makes a relationship of a model lead to others. What is alike at the beginning stays as it is, so that appending
    /// is a comparison of references.
    static func relate(_ model: any PersistentModel, ordinal: Int, to new: [any PersistentModel]) {
        guard model._$backing?.drafts != nil || !new.isEmpty else { return }
        let own = made(model)
        let old = own.targets[ordinal] ?? []
        var same = 0
        while same < min(old.count, new.count), old[same] === new[same] { same += 1 }
        own.targets[ordinal] = new
        for target in old[same...] { target._$backing?.drafts?.remove(model) }
        for target in new[same...] { made(target).add(model) }
    }

    private static func made(_ model: any PersistentModel) -> DraftRelations {
        let backing = model._backing
        if let known = backing.drafts { return known }
        let made = DraftRelations()
        backing.drafts = made
        return made
    }

    private func add(_ model: any PersistentModel) {
        referrerCount += 1
        referrers[ObjectIdentifier(model), default: Referrer(model: model, number: referrerCount, count: 0)].count += 1
    }

    private func remove(_ model: any PersistentModel) {
        referrers[ObjectIdentifier(model)]?.count -= 1
        if referrers[ObjectIdentifier(model)]?.count == 0 { referrers[ObjectIdentifier(model)] = nil }
    }

    /// The models that lead to one that was inserted, in the order in which they were related. Nobody is held any more.
    static func take(_ model: any PersistentModel) -> [any PersistentModel] {
        guard let backing = model._$backing, let own = backing.drafts else { return [] }
        backing.drafts = nil
        for target in own.targets.values.joined() { target._$backing?.drafts?.remove(model) }
        return own.referrers.values.sorted { $0.number < $1.number }.map(\.model)
    }
}
