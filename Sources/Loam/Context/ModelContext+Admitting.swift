import LoamStorage

// How a model enters a context because a relationship leads to or from one that is there.

extension ModelContext {
    /// Inserts a model that is related to one of this context, unless it lacks values that it requires: then it is
    /// awaited, and enters when it has them.
    ///
    /// - Parameter ordinal: the property that is being set.
    /// - Returns: whether it is not awaited.
    func admit<T: PersistentModel>(_ model: T, setting ordinal: Int) -> Bool {
        do {
            return try store(of: T.self).admit(model, setting: ordinal)
        } catch {
            keep(error)
            return true
        }
    }

    /// Inserts a model that was awaited into the context that it leads into by now, if any: of several the first.
    func admit<T: PersistentModel>(related model: T) {
        do {
            let related = try store(of: T.self).encoder.use { try $0.relatedModels(of: model) }
            let targets = related.lazy.flatMap(\.models)
            targets.compactMap { $0._$backing?.context?.owner }.first?.insert(model)
        } catch {
            keep(error)
        }
    }
}

extension StoreContext {
    /// As ``ModelContext/admit(_:setting:)``.
    @discardableResult
    func admit<T: PersistentModel>(_ model: T, setting ordinal: Int? = nil) -> Bool {
        if model._$backing?.state ?? .free == .free, let unset = unsetProperties(of: model, setting: ordinal) {
            model._backing.awaited = AwaitedValues(properties: unset, context: owner)
            return false
        }
        insert(model)
        return true
    }

    /// What a model requires and lacks; nil where it is nothing, or where its insertion will say what is wrong. A model
    /// that another one leads to may get a relationship that it lacks from there.
    private func unsetProperties<T: PersistentModel>(of model: T, setting ordinal: Int?) -> FieldMask? {
        guard let binding = try? bindings.binding(of: T.self),
            var unset = try? encoder.use({ try $0.unsetProperties(of: model, required: binding.required) })
        else { return nil }
        if let ordinal { unset.remove(ordinal) }
        let isLedTo = model._$backing?.drafts?.hasReferrers == true
        let lacks = isLedTo ? unset.slots.contains { binding.relationships[$0] == nil } : !unset.isEmpty
        return lacks ? unset : nil
    }
}
