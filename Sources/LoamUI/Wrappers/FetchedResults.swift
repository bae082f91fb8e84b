public import Foundation
public import Loam

/// The results of a ``FetchRequest``, as they are when the value is first read, and what is asked for, to be set.
///
/// O(1) to make; a result is made when its position is asked for. Setting is shown in the same turn: the request's views
/// are rendered, and a value that is read then has the new models.
@MainActor public struct FetchedResults<Result> {
    private let core: FetchRequestCore<Result>
    /// Setting alone reads no models: several settings are one fetch.
    private let shown: ShownElements<Result>

    init(_ core: FetchRequestCore<Result>) {
        self.core = core
        shown = ShownElements(core)
    }

    private var elements: FetchedElements<Result> { shown.elements }

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

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { core.fetchError }

    /// The identifiers of the models, in order. No model is made. O(n).
    public var identifiers: [PersistentIdentifier] { elements.identifiers() }

    /// A sequence of what changes from now on, in the place of Core Data's publisher. As
    /// ``QueryRequest/makeDifferences()``.
    public func makeDifferences() -> ResultsStream<ResultsDifference<Never>> { core.makeDifferences() }
}

extension FetchedResults where Result: PersistentModel {
    /// The order. Descriptors that are about no attribute of the model are left out when it is read.
    public var sortDescriptors: [SortDescriptor<Result>] {
        get { core.configuration.sortDescriptors() }
        nonmutating set { core.configuration.nsSortDescriptors = newValue.map { NSSortDescriptor($0) } }
    }
}

extension FetchedResults: @MainActor RandomAccessCollection {
    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The number of results.
    public var endIndex: Int { elements.count }

    /// The result at a position. Traps where there is no such position.
    public subscript(position: Int) -> Result { elements.element(position) }
}

extension FetchedResults: RowLocating {
    package func position(ofRow element: Any) -> Int? {
        let identifier = (element as? any PersistentModel)?.persistentModelID ?? element as? PersistentIdentifier
        return identifier.flatMap(elements.index)
    }

    package func expect(_ positions: Range<Int>) { elements.expect(positions) }
}

/// The results of a request, from the first reading on.
@MainActor private final class ShownElements<Element> {
    private let core: FetchRequestCore<Element>
    lazy var elements: FetchedElements<Element> = core.elements

    init(_ core: FetchRequestCore<Element>) { self.core = core }
}
