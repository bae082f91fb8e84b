/// Models in the order of a fetch, or their identifiers, made when they are asked for.
///
/// An observer's results stand as they did at a delivery, and those of ``ModelContext/fetch(_:batchSize:)`` as they did at
/// the fetch. The records of both are read a batch at a time, those around the position that was asked for; an observer's
/// results read up to 64, and one where a single position is asked for far from those before. There is one object per model
/// in the context. Belongs, like its models, to the isolation of its context.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    let rows: any FetchedRows
    let element: (Int) -> Element

    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The position behind the last element: the number of elements.
    public var endIndex: Int { rows.count }

    /// The model at a position, or its identifier. Traps where there is no such position.
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "There is no such position in the results.")
        return element(position)
    }

    /// The identifiers of the models, in order. No object is made. O(n).
    public var identifiers: [PersistentIdentifier] { rows.identifiers }

    /// The place of a model; nil where it is not among the results. O(log n) in an observer's results, else O(n).
    public func index(of identifier: PersistentIdentifier) -> Int? { rows.index(of: identifier) }

    /// Says which positions are about to be asked for: what is read of one is read of 64 together.
    package func expect(_ positions: Range<Int>) { rows.expect(positions) }
}

extension FetchResultsCollection: Equatable {
    /// Whether both have the same models in the same order, of the same context. O(n).
    public static func == (left: Self, right: Self) -> Bool {
        left.rows.owner === right.rows.owner && left.rows.count == right.rows.count
            && left.rows.identifiers == right.rows.identifiers
    }
}

/// The rows behind a collection of results.
protocol FetchedRows {
    /// The context of the models; nil where there are no rows of any.
    var owner: ModelContext? { get }
    var count: Int { get }
    var identifiers: [PersistentIdentifier] { get }
    func index(of identifier: PersistentIdentifier) -> Int?
    /// These positions are about to be asked for.
    func expect(_ positions: Range<Int>)
}

extension FetchedRows {
    func expect(_ positions: Range<Int>) {}
}

extension FetchResultsCollection {
    /// No models, of no context.
    package static var empty: FetchResultsCollection {
        FetchResultsCollection(rows: NoRows()) { _ in preconditionFailure("There is no such position in the results.") }
    }
}

private struct NoRows: FetchedRows {
    var owner: ModelContext? { nil }
    var count: Int { 0 }
    var identifiers: [PersistentIdentifier] { [] }
    func index(of identifier: PersistentIdentifier) -> Int? { nil }
}
