import LoamQuery

// A closure over a collection of a row further out is counted there: it sees the rows around that one, and none of those
// that lie between.

extension LoweredValue {
    /// The value so many counts further out; nil where it reads a row that is not there.
    func lifted(_ levels: Int) -> LoweredValue? {
        guard levels > 0 else { return self }
        switch self {
        case .constant: return self
        case .expression(let expression): return expression.lifted(levels).map { .expression($0) }
        case .row(let path, let model): return path.lifted(levels).map { .row($0, model) }
        case .end(let row, let model, let store): return row.lifted(levels).map { .end($0, model, store: store) }
        case .related(let rows, let model, let condition):
            return rows.lifted(levels).map { .related($0, model, where: condition) }
        case .elements(let array, let condition): return array.lifted(levels).map { .elements($0, where: condition) }
        case .range(let lower, let upper, let isClosed):
            guard let lower = lower.lifted(levels), let upper = upper.lifted(levels) else { return nil }
            return .range(lower, upper, isClosed: isClosed)
        case .predicate, .chosen: return nil
        }
    }

    /// The value as the condition on what a path leads to reads it.
    ///
    /// - Throws: ``Unsupported`` for a value of a row between that of the path and this one.
    func inside(_ path: LoweredPath) throws -> LoweredValue {
        guard let value = lifted(path.levels) else { throw path.hidesRows }
        return value.outside(1)
    }
}

extension LoweredPath {
    /// What is thrown where a condition on what the path leads to reads a row between.
    var hidesRows: Unsupported {
        Unsupported(
            "a test of the elements of \(names.joined(separator: ".")) that reads an element of a closure between them "
                + "and the row that has them")
    }

    func lifted(_ levels: Int) -> LoweredPath? {
        guard self.levels >= levels else { return nil }
        return LoweredPath(names: names, levels: self.levels - levels, store: store)
    }
}

extension QueryExpression {
    /// The opposite of ``outside(_:)``; nil for what reads a row that is passed.
    fileprivate func lifted(_ levels: Int) -> QueryExpression? {
        guard levels > 0 else { return self }
        switch self {
        case .constant, .number, .variable: return self
        case .outer(let inner): return inner.lifted(levels - 1)
        case .call(let function, let arguments):
            let lifted = arguments.compactMap { $0.lifted(levels) }
            return lifted.count == arguments.count ? .call(function, lifted) : nil
        case .keyPath, .identifier, .list, .count, .aggregate, .conditional: return nil
        }
    }
}
