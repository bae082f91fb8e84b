import LoamStorage

extension ModelContext {
    /// What happens to a model's changes when its row was changed or deleted by somebody else since it was read.
    ///
    /// A property is in conflict when it was set here and its stored value differs from the one that was read and from
    /// the new one. Properties that were not set here always take what is stored.
    ///
    /// | policy | property set here | property in conflict | model changed here, deleted meanwhile |
    /// |---|---|---|---|
    /// | ``propertyByProperty`` | is written | the value set here is written | its change is dropped |
    /// | ``storeWins`` | is written | the stored value stays | its change is dropped |
    /// | ``memoryWins`` | is written | the value set here is written | is written again under its identifier |
    /// | ``throwOnConflict`` | is written | the save throws ``SwiftDataError/conflict`` | the save throws |
    ///
    /// A model whose change is dropped leaves its context, as any deleted one, and keeps its values. The rest is
    /// saved, and ``ModelContext/droppedChanges`` says what was not. The same policies drop it where a stored model's
    /// relationship was made to lead to a model that is deleted by then: the relationship leads where it led before.
    /// A new model that leads to a deleted one makes the save throw under every policy. Deleting a deleted model
    /// succeeds under every policy.
    ///
    /// Under ``memoryWins`` a deleted model cannot be written again where its record was never read here, or where it
    /// had a long value, kept apart from the record, that was not set here: the save throws
    /// ``SwiftDataError/modelValidationFailure``.
    public enum MergePolicy: Hashable, Sendable {
        /// What was set here is written, everything else stays as stored. Changes of deleted models are dropped.
        case propertyByProperty
        /// Merges as ``propertyByProperty`` does, but in conflict the stored value stays.
        case storeWins
        /// Merges as ``propertyByProperty`` does, and writes a model that was deleted meanwhile again, under its
        /// identifier.
        case memoryWins
        /// The save throws, and nothing of it is written. Here a property is in conflict also when its stored value is
        /// the new one already: of two that both count from 4 to 5 the second has to count again.
        case throwOnConflict

        var storage: LoamStorage.MergePolicy {
            switch self {
            case .propertyByProperty: .propertyByProperty
            case .storeWins: .storeWins
            case .memoryWins: .memoryWins
            case .throwOnConflict: .error
            }
        }
    }

    /// Changes of one model that a save left out, because somebody else had deleted the model or one that it was to
    /// lead to.
    public struct DroppedChange: Hashable, Sendable {
        /// The model that was changed here.
        public let identifier: PersistentIdentifier
        /// The names of the properties whose change is not stored.
        public let properties: Set<String>
        /// Whether the model itself is deleted; otherwise its properties were to lead to a deleted one.
        public let isDeleted: Bool
    }
}
