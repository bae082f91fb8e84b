import LoamLive
import LoamStorage

/// The models of a live result as it stood at a delivery, in order.
///
/// Objects are made when they are asked for; there is one per model in the context. O(log n) by position. Belongs, like
/// its models, to the isolation of its context.
public struct FetchResultsCollection<Element: PersistentModel>: RandomAccessCollection, Equatable {
    let shown: ShownResult

    public var startIndex: Int { 0 }
    public var endIndex: Int { shown.state.count }

    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "There is no such position in the results.")
        return shown.model(at: position)
    }

    /// The identifiers of the models, in order. No object is made. O(n).
    public var identifiers: [PersistentIdentifier] { shown.state.rowIDs.map(shown.identifier) }

    /// The place of a model; nil where it is not among the results. O(log n).
    public func index(of identifier: PersistentIdentifier) -> Int? { shown.index(of: identifier) }

    public static func == (left: Self, right: Self) -> Bool { left.shown.hasSameRows(as: right.shown) }
}

/// A state of a live result with the context that makes its objects.
struct ShownResult {
    let state: ResultState
    let binding: EntityBinding
    let context: ModelContext

    func model<Model: PersistentModel>(at index: Int) -> Model {
        context.object(Model.self, state[index], binding, record: nil)
    }

    func identifier(_ rowID: RowID) -> PersistentIdentifier {
        PersistentIdentifier(store: binding.storeID, entity: binding.entity.name, row: rowID)
    }

    func index(of identifier: PersistentIdentifier) -> Int? {
        guard identifier.storeIdentifier == binding.storeID, identifier.entityName == binding.entity.name else {
            return nil
        }
        return state.index(of: identifier.rowID)
    }

    func hasSameRows(as other: ShownResult) -> Bool {
        context === other.context && state.count == other.state.count && state.rowIDs == other.state.rowIDs
    }
}
