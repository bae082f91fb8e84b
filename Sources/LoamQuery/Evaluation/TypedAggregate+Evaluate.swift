import Foundation
import LoamStorage

extension TypedAggregate {
    /// The result for a row. O(values), and what it costs to read them.
    ///
    /// - Throws: ``QueryError`` for a MATCHES that takes too much work, and what the row throws.
    func value<Row: RowValues & ~Escapable>(in row: borrowing Row, _ related: (any RelatedRows)?) throws -> Value {
        var tally = AggregateTally(self)
        switch collection {
        case .list(let values):
            for value in values { tally.add(try value.value(in: row, related)) }
        case .elements(let array, let predicate):
            guard let parts = try array.value(in: row, related).parts else { return .null }
            let predicate = try predicate.bound(to: row, related)
            let kept = try parts.filter {
                try predicate == .constant(true) || predicate.holds(PlainRow(rowID: 0, values: [$0]), related: related)
            }
            switch aggregate {
            case .first: return kept.first ?? .null
            case .last: return kept.last ?? .null
            case .count where member == nil: return .int(Int64(kept.count))
            default: for element in kept { tally.add(member.map { $0.value(in: [element]) } ?? element) }
            }
        case .rows(let hops, let predicate, let value, let from):
            guard let related, let last = hops.last else { throw Relations.missing }
            let predicate = try predicate.bound(to: row, related)
            var end: RowID?
            func take(_ target: RowID) throws -> Bool {
                guard !aggregate.isEnd || aggregate.isNearer(target, than: end),
                    try related.isMatch(target, of: last.destination, predicate: predicate)
                else { return true }
                if aggregate.isEnd {
                    end = target
                } else {
                    tally.add(try related.value(of: value, at: target, of: last.destination) ?? .null)
                }
                return true
            }
            if let from {
                guard case .uint(let start) = try from.value(in: row, related),
                    let (source, rest) = try Relations.lastSource(from: start, along: hops, related)
                else { return .null }
                try related.forEachRelated(of: source, along: rest, take)
            } else {
                try Relations.forEachTarget(of: row, along: hops, related, take)
            }
            guard aggregate.isEnd else { break }
            return try end.flatMap { try related.value(of: value, at: $0, of: last.destination) } ?? .null
        }
        return tally.result
    }
}

extension Aggregate {
    /// Whether a related row comes before the one that was taken for the first so far, or behind the one that was taken
    /// for the last: by their ids, since a relationship keeps no order.
    func isNearer(_ rowID: RowID, than end: RowID?) -> Bool {
        guard let end else { return true }
        return self == .first ? rowID < end : rowID > end
    }
}

/// Takes values one by one. Nil is none of them.
///
/// What is rounded is added in the order of the values, so that the result does not depend on the order in which rows
/// are found.
private struct AggregateTally {
    private let aggregate: TypedAggregate
    private var count = 0
    /// The sum of integers.
    private var whole: Int128 = 0
    /// The least or the greatest value so far, the first or the last.
    private var bound: Value?
    /// All values, where the result needs them.
    private var values: [Value] = []

    init(_ aggregate: TypedAggregate) { self.aggregate = aggregate }

    mutating func add(_ next: Value) {
        guard !next.isNull else { return }
        count += 1
        switch aggregate.aggregate {
        case .count: break
        case .min: if isBefore(next, bound) { bound = next }
        case .max: if isBefore(bound, next) || bound == nil { bound = next }
        case .first: bound = bound ?? next
        case .last: bound = next
        case .sum, .average:
            switch next {
            // As many values as there can be do not leave 128 bits.
            case .int(let value): whole += Int128(value)
            case .uint(let value): whole += Int128(value)
            default: values.append(next)
            }
        case .median, .mode, .deviation: values.append(next)
        }
    }

    var result: Value {
        switch aggregate.aggregate {
        case .count: .int(Int64(count))
        case .sum: sum
        case .min, .max, .first, .last: bound ?? .null
        case .average: average
        case .median: median
        case .mode: mode
        case .deviation: deviation
        }
    }

    private var sum: Value {
        switch aggregate.numbers {
        case .signed: Int64(exactly: whole).map(Value.int) ?? .null
        case .integer: UInt64(exactly: whole).map(Value.uint) ?? .null
        case .double: .double(numbers.reduce(Double(whole), +))
        case .decimal:
            // A list may hold integers besides decimals.
            ([Int64(exactly: whole).map(Value.int) ?? .null] + sorted).reduce(.decimal(0)) {
                Arithmetic.decimal.apply(.add, left: $0, right: $1)
            }
        }
    }

    private var average: Value {
        guard count > 0 else { return .null }
        if aggregate.numbers == .decimal {
            return Arithmetic.decimal.apply(.divide, left: sum, right: .int(Int64(count)))
        }
        return .double(numbers.reduce(Double(whole), +) / Double(count))
    }

    private var median: Value {
        let sorted = sorted
        guard let upper = sorted.dropFirst(count / 2).first else { return .null }
        let lower = count % 2 == 0 ? sorted[count / 2 - 1] : upper
        let quotient: Arithmetic = aggregate.numbers == .decimal ? .decimal : .double
        // Halves first: the sum of two numbers may not fit.
        let parts = [lower, upper].map { quotient.apply(.divide, left: $0, right: .int(2)) }
        return quotient.apply(.add, left: parts[0], right: parts[1])
    }

    private var mode: Value {
        var counts: [Value: Int] = [:]
        for value in values { counts[value, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        return sorted.first { counts[$0] == most } ?? .null
    }

    private var deviation: Value {
        guard count > 0 else { return .null }
        let numbers = numbers
        let mean = numbers.reduce(0) { $0 + $1 / Double(count) }
        return .double(numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) / Double(count) }.squareRoot())
    }

    /// The values as doubles.
    private var numbers: [Double] {
        sorted.map { value in
            guard case .double(let number) = Arithmetic.double.apply(.add, left: value, right: .int(0)) else {
                return .nan
            }
            return number
        }
    }

    private var sorted: [Value] { values.sorted { isBefore($0, $1) } }

    /// Whether a value comes before another, in the order of keys: a NaN before all others. Nil is never before.
    private func isBefore(_ left: Value?, _ right: Value?) -> Bool {
        guard let left else { return false }
        guard let right else { return true }
        switch ValueOrder.of(left, right, form: .exact) {
        case .less: return true
        case .equal, .greater: return false
        case .unordered: return left.isNaN && !right.isNaN
        }
    }
}
