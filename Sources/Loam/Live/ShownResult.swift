import LoamLive
import LoamStorage

extension FetchResultsCollection where Element: PersistentModel {
    init(shown: ShownResult) {
        rows = shown
        element = { shown.model(at: $0) }
    }
}

extension ShownResult: FetchedRows {
    var owner: ModelContext? { context }
    var count: Int { state.count }
    var identifiers: [PersistentIdentifier] { state.rowIDs.map(identifier) }
}

/// A state of a live result with the context that makes its objects. An object, so that each section and each collection
/// that is handed out counts one reference and copies nothing.
final class ShownResult {
    let state: ResultState
    let binding: EntityBinding
    let finder: RowFinder?
    /// Keeps the store's part of it.
    let context: ModelContext
    let store: StoreContext
    private let batch: ResultBatch

    init(
        state: ResultState, binding: EntityBinding, store: StoreContext, batch: ResultBatch, finder: RowFinder? = nil
    ) {
        self.batch = batch
        self.state = state
        self.finder = finder
        self.binding = binding
        self.store = store
        context = store.owner
    }

    /// The model at a place. Where its record was not read before, those around it are read with it.
    func model<Model: PersistentModel>(at index: Int) -> Model {
        let rowID = state[index]
        if let model = batch.departed[rowID] as? Model { return model }
        if let model = readModel(rowID, as: Model.self) { return model }
        batch.read(Model.self, around: index, at: rowID, of: self)
        return object(rowID)
    }

    /// The object of a row, whose record need not be read.
    func object<Model: PersistentModel>(_ rowID: RowID) -> Model {
        if let model = batch.departed[rowID] as? Model { return model }
        return store.object(Model.self, rowID: rowID, binding: binding, record: nil)
    }

    /// The object of a row, where there is one for which nothing has to be read.
    func readModel<Model: PersistentModel>(_ rowID: RowID, as type: Model.Type) -> Model? {
        guard let model = store.registered(rowID, of: binding.entity.id, as: type), let backing = model._$backing,
            backing.record != nil || backing.state == .inserted
        else { return nil }
        return model
    }

    func identifier(_ rowID: RowID) -> PersistentIdentifier {
        PersistentIdentifier(binding.origin, row: rowID)
    }

    func expect(_ positions: Range<Int>) { batch.expected = positions }

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
