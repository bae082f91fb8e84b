import LoamLive
import LoamStorage

extension FetchResultsCollection where Element: PersistentModel {
    init(shown: ShownResult) {
        rows = shown
        element = { shown.model(at: $0) }
    }
}

extension ShownResult: FetchedRows {
    var count: Int { state.count }
    var identifiers: [PersistentIdentifier] { state.rowIDs.map(identifier) }
}

/// A state of a live result with the context that makes its objects.
struct ShownResult {
    let state: ResultState
    let binding: EntityBinding
    let finder: RowFinder?
    /// Keeps the store's part of it.
    let context: ModelContext
    let store: StoreContext

    init(state: ResultState, binding: EntityBinding, store: StoreContext, finder: RowFinder? = nil) {
        self.state = state
        self.finder = finder
        self.binding = binding
        self.store = store
        context = store.owner
    }

    func model<Model: PersistentModel>(at index: Int) -> Model {
        store.object(Model.self, rowID: state[index], binding: binding, record: nil)
    }

    func identifier(_ rowID: RowID) -> PersistentIdentifier {
        PersistentIdentifier(binding.origin, row: rowID)
    }

    func index(of identifier: PersistentIdentifier) -> Int? {
        guard identifier.storeIdentifier == binding.storeID, identifier.entityName == binding.entity.name else {
            return nil
        }
        return finder.map { $0.index(of: identifier.rowID, in: state) } ?? state.index(of: identifier.rowID)
    }

    func hasSameRows(as other: ShownResult) -> Bool {
        context === other.context && state.count == other.state.count && state.rowIDs == other.state.rowIDs
    }
}
