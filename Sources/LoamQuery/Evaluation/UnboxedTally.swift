import LoamStorage

/// Takes the values of an aggregate one by one, as a program computes them, and makes what
/// ``TypedAggregate/value(in:_:)`` makes. Nil is none of them, but an element of an array counts as one.
///
/// Nothing is allocated, but for decimals that have to be rounded and for the first rows, until there is room for as many
/// values as a row has.
struct UnboxedTally {
    private let aggregate: Aggregate
    private let numbers: Arithmetic
    private(set) var count = 0
    /// The sum of integers.
    private var whole: Int128 = 0
    /// The least or the greatest value so far, the first or the last.
    private var bound = UnboxedValue.null
    /// All values, where the result needs them.
    private let values: AggregateValues

    init(_ aggregate: Aggregate, numbers: Arithmetic, in values: AggregateValues) {
        (self.aggregate, self.numbers, self.values) = (aggregate, numbers, values)
        values.removeAll()
    }

    /// Counts elements of an array, of which some may be nil.
    mutating func addCount(_ number: Int) { count += number }

    /// - Returns: whether the value is needed any longer.
    @discardableResult
    mutating func add(_ next: UnboxedValue) throws -> Bool {
        guard !next.isNull else { return false }
        count += 1
        switch aggregate {
        case .count: return false
        case .min:
            guard try bound.isNull || next.isBefore(bound) else { return false }
            bound = next
        case .max:
            guard try bound.isNull || bound.isBefore(next) else { return false }
            bound = next
        case .first:
            guard bound.isNull else { return false }
            bound = next
        case .last: bound = next
        case .sum, .average:
            // As many values as there can be do not leave 128 bits.
            if let number = next.integer { whole += number } else { values.append(next) }
        case .median, .mode, .deviation: values.append(next)
        }
        return true
    }

    func result() throws -> UnboxedValue {
        switch aggregate {
        case .count: .int(Int64(count))
        case .sum: try sum()
        case .min, .max, .first, .last: bound
        case .average: try average()
        case .median: try median()
        case .mode: try mode()
        case .deviation: try deviation()
        }
    }

    /// What is rounded is added in the order of the values, so that the result does not depend on the order in which rows
    /// are found.
    private func sum() throws -> UnboxedValue {
        switch numbers {
        case .signed: return Int64(exactly: whole).map(UnboxedValue.int) ?? .null
        case .integer: return UInt64(exactly: whole).map(UnboxedValue.uint) ?? .null
        case .double: return try .double(doubles(from: Double(whole)) { $0 + $1 })
        case .decimal:
            // A list may hold integers besides decimals.
            var sum = Int64(exactly: whole).map(UnboxedValue.int) ?? .null
            for value in try values.sorted() { sum = try Arithmetic.decimal.apply(.add, left: sum, right: value) }
            return try Arithmetic.decimal.apply(.add, left: .int(0), right: sum)
        }
    }

    private func average() throws -> UnboxedValue {
        guard count > 0 else { return .null }
        if numbers == .decimal {
            return try Arithmetic.decimal.apply(.divide, left: sum(), right: .int(Int64(count)))
        }
        return .double(try doubles(from: Double(whole)) { $0 + $1 } / Double(count))
    }

    private func median() throws -> UnboxedValue {
        guard count > 0 else { return .null }
        let sorted = try values.sorted()
        let upper = sorted[count / 2]
        let lower = count % 2 == 0 ? sorted[count / 2 - 1] : upper
        let quotient: Arithmetic = numbers == .decimal ? .decimal : .double
        // Halves first: the sum of two numbers may not fit.
        return try quotient.apply(
            .add, left: quotient.apply(.divide, left: lower, right: .int(2)),
            right: quotient.apply(.divide, left: upper, right: .int(2)))
    }

    /// Equal values stand together when they are sorted; integers of the two kinds are equal, but not the same value.
    private func mode() throws -> UnboxedValue {
        let sorted = try values.sorted()
        var (most, mode) = (0, UnboxedValue.null)
        var start = 0
        while start < sorted.count {
            var end = start + 1
            while end < sorted.count, try !sorted[start].isBefore(sorted[end]) { end += 1 }
            for first in start..<end {
                let kind = sorted[first].kind
                guard first == start || sorted[start].kind != kind else { continue }
                let count = sorted[first..<end].count { $0.kind == kind }
                if count > most { (most, mode) = (count, sorted[first]) }
                if kind == sorted[start].kind, count == end - start { break }
            }
            start = end
        }
        return mode
    }

    private func deviation() throws -> UnboxedValue {
        guard count > 0 else { return .null }
        let count = Double(count)
        let mean = try doubles(from: 0) { $0 + $1 / count }
        return .double(try doubles(from: 0) { $0 + ($1 - mean) * ($1 - mean) / count }.squareRoot())
    }

    /// The values as doubles, added up.
    private func doubles(from start: Double, _ add: (Double, Double) -> Double) throws -> Double {
        var sum = start
        for value in try values.sorted() {
            sum = add(sum, try Arithmetic.double.apply(.add, left: value, right: .int(0)).floating)
        }
        return sum
    }
}

extension UnboxedValue {
    /// Whether a value comes before another, in the order of keys: a NaN before all others.
    func isBefore(_ other: UnboxedValue) throws -> Bool {
        switch try ValueOrder.of(self, other, form: .exact) {
        case .less: true
        case .equal, .greater: false
        case .unordered: isNaN && !other.isNaN
        }
    }
}
