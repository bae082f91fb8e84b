public import Foundation
public import Loam

/// The models of a ``FetchRequest``, as they are when the value is first read, and what is asked for, to be set.
///
/// O(1) to make; a model is made when its position is asked for. Setting is shown in the same turn: the request's views
/// are rendered, and a value that is read then has the new models.
@MainActor public struct FetchedResults<Result: PersistentModel> {
    private let core: FetchRequestCore<Result>
    /// Setting alone reads no models: several settings are one fetch.
    private let shown: ShownModels<Result>

    init(_ core: FetchRequestCore<Result>) {
        self.core = core
        shown = ShownModels(core)
    }

    private var models: FetchResultsCollection<Result> { shown.models }

    /// The condition; nil for all models.
    public var nsPredicate: NSPredicate? {
        get { core.configuration.nsPredicate }
        nonmutating set { core.configuration.nsPredicate = newValue }
    }

    /// The order.
    public var nsSortDescriptors: [NSSortDescriptor] {
        get { core.configuration.nsSortDescriptors }
        nonmutating set { core.configuration.nsSortDescriptors = newValue }
    }

    /// The order. Descriptors that are about no attribute of the model are left out when it is read.
    public var sortDescriptors: [SortDescriptor<Result>] {
        get { core.configuration.sortDescriptors() }
        nonmutating set { core.configuration.nsSortDescriptors = newValue.map { NSSortDescriptor($0) } }
    }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { core.request.fetchError }

    /// The identifiers of the models, in order. No model is made. O(n).
    public var identifiers: [PersistentIdentifier] { models.identifiers }

    /// A sequence of what changes from now on, in the place of Core Data's publisher. As
    /// ``QueryRequest/makeDifferences()``.
    public func makeDifferences() -> AsyncStream<ResultsDifference<Never>> { core.request.makeDifferences() }
}

extension FetchedResults: @MainActor RandomAccessCollection {
    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The number of models.
    public var endIndex: Int { models.count }

    /// The model at a position. Traps where there is no such position.
    public subscript(position: Int) -> Result { models[position] }
}

extension FetchedResults: RowLocating {
    package func position(ofRow element: Any) -> Int? {
        (element as? Result).flatMap { models.index(of: $0.persistentModelID) }
    }
}

/// The models of a request, from the first reading on.
@MainActor private final class ShownModels<Model: PersistentModel> {
    private let core: FetchRequestCore<Model>
    lazy var models: FetchResultsCollection<Model> = core.request.result

    init(_ core: FetchRequestCore<Model>) { self.core = core }
}
