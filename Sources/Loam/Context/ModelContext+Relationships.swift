/// What the accessors of models ask of their context.
///
/// A model may be all that keeps the context, and lets go of it with its first change: the context stays until the editor
/// is done.
extension ModelContext {
    /// As ``RelationshipEditor/target(of:_:as:)``.
    func target<Target: PersistentModel>(
        of model: some PersistentModel, _ ordinal: Int, as type: Target.Type
    ) -> Target? {
        withExtendedLifetime(self) { relationships.target(of: model, ordinal, as: type) }
    }

    /// As ``RelationshipEditor/members(of:_:as:)``.
    func members<Target: PersistentModel>(
        of model: some PersistentModel, _ ordinal: Int, as type: Target.Type
    ) -> [Target] {
        withExtendedLifetime(self) { relationships.members(of: model, ordinal, as: type) }
    }

    /// As ``RelationshipEditor/relate(_:_:to:keepsOthers:)``.
    func relate(_ model: some PersistentModel, _ ordinal: Int, to targets: [any PersistentModel]) {
        withExtendedLifetime(self) { relationships.relate(model, ordinal, to: targets) }
    }
}
