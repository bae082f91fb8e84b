import Foundation
import LoamStorage

/// One aggregate of one group, as far as rows were taken in: what goes on being kept while rows come and go.
///
/// Numbers of rows and sums of integers and decimals are exact, so that a row is taken out again without a trace. Two
/// things cannot be taken back from what is kept here, and make the part *stale*: a sum of floating-point numbers, which
/// depends on the order in which it was rounded, and the least or greatest value when its row goes.
package struct GroupPart: Sendable {
    enum Kind { case rows, values, integer, decimal, floating, minimum, maximum }

    /// The least or the greatest value, with its bytes in the order of values.
    struct End: Sendable {
        var key: [UInt8]
        var value: Value
        /// Nil where it is not known which of several rows with the value it is.
        var rowID: RowID?
    }

    var count = 0
    var integer: Int128 = 0
    var decimal = DecimalSum()
    var double = 0.0
    var end: End?
    /// Whether the part has to be found anew.
    package internal(set) var isStale = false
}

extension GroupPart {
    /// Takes a row in.
    mutating func add(_ input: GroupRule.Input, of rowID: RowID, kind: Kind) {
        guard kind == .rows || !input.value.isNull else { return }
        count += 1
        switch kind {
        case .rows, .values: break
        case .integer: integer += input.value.wholeNumber
        case .decimal: if case .decimal(let term) = input.value { decimal.add(term) }
        case .floating: isStale = true
        case .minimum, .maximum: addEnd(input, of: rowID, isMinimum: kind == .minimum)
        }
    }

    /// Where the end is stale, all other values lie behind the one that went: what comes before that is the new end.
    private mutating func addEnd(_ input: GroupRule.Input, of rowID: RowID, isMinimum: Bool) {
        let new = End(key: input.order, value: input.value, rowID: rowID)
        guard let end else {
            if !isStale { self.end = new }
            return
        }
        let isBefore =
            input.order == end.key
            ? end.rowID.map { isMinimum ? rowID <= $0 : rowID >= $0 }
            : input.order.lexicographicallyPrecedes(end.key) == isMinimum
        if let isBefore {
            if isBefore { (self.end, isStale) = (new, false) }
        } else {
            // Which of the rows with this value is the first one is not known.
            isStale = true
        }
    }

    /// Takes a row out that was taken in.
    mutating func remove(_ input: GroupRule.Input, of rowID: RowID, kind: Kind) {
        guard kind == .rows || !input.value.isNull else { return }
        count -= 1
        switch kind {
        case .rows, .values: break
        case .integer: integer -= input.value.wholeNumber
        case .decimal:
            guard case .decimal(let term) = input.value else { return }
            // A sum that is not a number stays so.
            if term.isNaN { isStale = true } else if !term.isZero { decimal.add(-term) }
        case .floating: isStale = true
        case .minimum, .maximum:
            guard let end, input.order == end.key, end.rowID.map({ $0 == rowID }) ?? true else { return }
            isStale = true
        }
    }

    /// - Throws: ``QueryError`` for a sum that does not fit into its type.
    func result(_ aggregate: TypedGroupAggregate, kind: Kind) throws -> Value {
        let isAverage = aggregate.function == .average
        switch kind {
        case .rows, .values: return .int(Int64(count))
        case .minimum, .maximum: return end?.value ?? .null
        case .integer, .decimal, .floating: if isAverage, count == 0 { return .null }
        }
        switch kind {
        case .integer:
            if isAverage { return .double(Double(integer) / Double(count)) }
            if aggregate.type == .uint64, let sum = UInt64(exactly: integer) { return .uint(sum) }
            if aggregate.type != .uint64, let sum = Int64(exactly: integer) { return .int(sum) }
        case .floating: return .double(isAverage ? double / Double(count) : double)
        default:
            if let result = isAverage ? decimal.divided(by: count) : decimal.decimal { return .decimal(result) }
        }
        throw QueryError(.sumOutOfRange(type: aggregate.type.description), part: aggregate.name)
    }
}

extension TypedGroupAggregate {
    var partKind: GroupPart.Kind {
        guard let path else { return .rows }
        switch function {
        case .count: return .values
        case .minimum: return .minimum
        case .maximum: return .maximum
        case .sum, .average:
            if path.type.isSignedInteger || path.type.isUnsignedInteger { return .integer }
            return path.type == .decimal ? .decimal : .floating
        }
    }
}

extension Value {
    fileprivate var wholeNumber: Int128 {
        switch self {
        case .int(let value): Int128(value)
        case .uint(let value): Int128(value)
        default: 0
        }
    }
}
