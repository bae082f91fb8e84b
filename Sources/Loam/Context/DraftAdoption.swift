import LoamStorage

/// Moves the relationships that models hold themselves, as long as they are outside any context, into the context that
/// they are inserted into. Inserts what they lead to and what leads to them.
///
/// One model after another, as a chain of models may be longer than a stack is deep: a model that is inserted meanwhile
/// waits for its turn. Confined to the isolation of the context, which owns this: nobody else keeps it.
final class DraftAdoption {
    private unowned(unsafe) let context: StoreContext
    /// Inserted models, in the order of insertion. Those that were adopted stay until all are.
    private var models: [any PersistentModel] = []
    private var isRunning = false

    init(of context: StoreContext) { self.context = context }

    /// Adopts what an inserted model is related to, now or after those that wait. O(related models).
    func adopt(_ model: any PersistentModel) {
        models.append(model)
        guard !isRunning else { return }
        isRunning = true
        var next = 0
        while next < models.count {
            let model = models[next]
            adoptRelated(of: model)
            next += 1
        }
        models = []
        isRunning = false
    }

    private func adoptRelated<T: PersistentModel>(of model: T) {
        let referrers = DraftRelations.take(model)
        guard model._$backing?.context === context else { return }
        do {
            let related = try context.encoder.use { try $0.relatedModels(of: model) }
            model._invalidate(_FieldSet(FieldMask(related.map(\.ordinal))))
            for (ordinal, models) in related where !models.isEmpty {
                context.relationships.relate(model, ordinal: ordinal, to: models, keepsOthers: true)
            }
        } catch {
            context.keep(error)
        }
        for referrer in referrers { context.admit(referrer) }
    }
}
