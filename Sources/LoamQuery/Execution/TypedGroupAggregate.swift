package import LoamStorage

/// An aggregate whose key path was looked up in an entity.
package struct TypedGroupAggregate: Hashable, Sendable {
    package let function: AggregateFunction
    /// Nil for the number of rows.
    let path: PropertyPath?
    /// Of the result.
    package let type: ValueType
    let name: String

    /// - Parameter path: what the aggregate's key path leads to.
    /// - Throws: ``QueryError`` where the function does not take values of its type.
    init(_ aggregate: GroupAggregate, path: PropertyPath?) throws(QueryError) {
        function = aggregate.function
        name = aggregate.name
        self.path = path
        guard let path else {
            type = .int64
            return
        }
        switch function {
        case .count: type = .int64
        case .sum, .average:
            guard path.type.isNumeric, !path.isReference else {
                throw QueryError(
                    .typeMismatch("\(function.rawValue) applies to numbers, not to \(path.words)"), part: name)
            }
            type = function == .sum ? path.type.sumType : path.type == .decimal ? .decimal : .double
        case .minimum, .maximum:
            guard path.type.isOrdered, !path.isReference else {
                throw QueryError(.typeMismatch("\(path.words) have no order"), part: name)
            }
            type = path.type
        }
    }

    /// Whether the result depends on the order in which rows are added up.
    var followsRowOrder: Bool {
        (function == .sum || function == .average) && path?.type.isFloatingPoint == true
    }

    /// Whether only the number of rows counts.
    var countsRows: Bool { path == nil }

    /// Whether it is nil where there is no value.
    package var isOptional: Bool { function != .count && function != .sum }
}

extension PropertyPath {
    fileprivate var words: String { isReference ? "rows" : "values of type \(type)" }
}

extension ValueType {
    /// The type in which values of this one are added up: the widest of their kind.
    fileprivate var sumType: ValueType {
        if isSignedInteger { return .int64 }
        if isUnsignedInteger { return .uint64 }
        return self == .decimal ? .decimal : .double
    }
}
