import Foundation
import LoamStorage

/// One aggregate of all groups, while rows come in.
///
/// Numbers are added where they lie in the record, with no ``Value`` in between, but for values along relationships.
/// The least and the greatest value are found by the bytes of ordered keys. A row of a group that is there already
/// takes nothing from the heap, but where a text is the new end of its group and longer than all before it.
final class GroupAccumulator {
    let aggregate: TypedGroupAggregate
    private let kind: Kind
    private let source: FilterPath?
    /// The field of a row itself; nil where there is no source, or it lies along relationships.
    private let field: FilterField?
    private let order: RowPlacer?
    /// By group; only those that the kind needs grow.
    private var counts: [Int] = []
    private var integers: [Int128] = []
    private var doubles: [Double] = []
    private var decimals: [DecimalSum] = []
    private var ends: [End] = []
    /// Memory for values that do not lie in a row.
    private var run = FilterRun(registerCount: 0)
    private(set) var keyBytes = 0

    private enum Kind { case rows, values, signed, unsigned, floating, decimal, minimum, maximum }

    /// The first or the last value in the order of results, and its row.
    private struct End {
        var isThere = false
        var key: [UInt8] = []
        /// The bytes of a text are in ``text``.
        var value = UnboxedValue.null
        var text: [UInt8] = []
        var rowID: RowID = 0

        var byteCount: Int { key.count + text.count }

        mutating func set(_ key: UnsafeRawBufferPointer, _ value: UnboxedValue, rowID: RowID) {
            isThere = true
            self.key.removeAll(keepingCapacity: true)
            self.key.append(contentsOf: key)
            text.removeAll(keepingCapacity: true)
            if value.isText { text.append(contentsOf: value.text) }
            self.value = value
            self.rowID = rowID
        }

        func boxed() throws -> Value {
            guard value.isText else { return try value.boxed() }
            return try text.withUnsafeBytes {
                try UnboxedValue.text(value.kind, $0, isPlain: value.isPlain).boxed()
            }
        }
    }

    init(_ aggregate: TypedGroupAggregate) throws {
        self.aggregate = aggregate
        kind = Self.kind(of: aggregate)
        let source = aggregate.path.map(FilterPath.init)
        self.source = source
        field = source.flatMap { $0.path.related == nil && $0.path.call == nil ? FilterField($0) : nil }
        switch kind {
        case .minimum, .maximum:
            order = try aggregate.path.map {
                RowPlacer(try SortKeys([ResolvedSortKey(path: $0, direction: .ascending, form: .exact)]))
            }
        default: order = nil
        }
    }

    deinit { run.deallocate() }

    private static func kind(of aggregate: TypedGroupAggregate) -> Kind {
        guard let path = aggregate.path else { return .rows }
        switch aggregate.function {
        case .count: return .values
        case .minimum: return .minimum
        case .maximum: return .maximum
        case .sum, .average:
            if path.type.isSignedInteger { return .signed }
            if path.type.isUnsignedInteger { return .unsigned }
            return path.type == .decimal ? .decimal : .floating
        }
    }

    /// Bytes that a group takes at the least.
    static let groupBytes = 48

    func addGroup() {
        switch kind {
        case .rows, .values: counts.append(0)
        case .signed, .unsigned:
            counts.append(0)
            integers.append(0)
        case .floating:
            counts.append(0)
            doubles.append(0)
        case .decimal:
            counts.append(0)
            decimals.append(DecimalSum())
        case .minimum, .maximum: ends.append(End())
        }
    }

    /// Keeps only these groups, in this order.
    func keep(_ groups: [Int]) {
        func kept<Element>(_ elements: [Element]) -> [Element] {
            elements.isEmpty ? [] : groups.map { elements[$0] }
        }
        (counts, integers, doubles) = (kept(counts), kept(integers), kept(doubles))
        (decimals, ends) = (kept(decimals), kept(ends))
        keyBytes = ends.reduce(0) { $0 + $1.byteCount }
    }

    /// Takes a row into a group.
    ///
    /// - Throws: `StorageError` for damage, and what related rows throw.
    func add<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, to group: Int, related: (any RelatedRows)?
    ) throws {
        guard let source else {
            counts[group] += 1
            return
        }
        guard let field else {
            return try add(row.value(of: source.path, related), of: row, to: group, related: related)
        }
        switch kind {
        case .rows, .values: if try !row.isNull(field) { counts[group] += 1 }
        case .signed: if let value = try row.signed(field) { add(Int128(value), to: group) }
        case .unsigned: if let value = try row.unsigned(field) { add(Int128(value), to: group) }
        case .floating: if let value = try row.floating(field) { add(value, to: group) }
        case .decimal: add(try row.unboxed(field, in: &run), to: group)
        case .minimum, .maximum:
            guard try !row.isNull(field), let place = try endPlace(of: row, in: group, related: related) else { return }
            setEnd(of: group, place, to: try row.unboxed(field, in: &run))
        }
    }

    /// Whether ``add(_:of:column:to:)`` takes rows in: their values alone decide, and not their ids.
    var takesBatches: Bool { kind != .minimum && kind != .maximum && (source == nil || field != nil) }

    /// Takes many rows into a group, whose values lie one row after another.
    ///
    /// - Parameters:
    ///   - count: of the rows.
    ///   - column: of the values that the aggregate is made of; nil where it counts rows.
    func add(_ values: UnsafeBufferPointer<UnboxedValue>, of count: Int, column: Int?, to group: Int) {
        guard let column else {
            counts[group] += count
            return
        }
        let step = values.count / count
        let places = stride(from: column, to: values.count, by: step)
        switch kind {
        case .rows, .values: for place in places where !values[place].isNull { counts[group] += 1 }
        // These look at each row by itself.
        case .minimum, .maximum: break
        case .signed, .unsigned:
            var (sum, found) = (integers[group], 0)
            for place in places {
                guard let term = values[place].integer else { continue }
                sum += term
                found += 1
            }
            (integers[group], counts[group]) = (sum, counts[group] + found)
        case .floating:
            var (sum, found) = (doubles[group], 0)
            for place in places where values[place].kind == .double || values[place].kind == .float {
                sum += values[place].floating
                found += 1
            }
            (doubles[group], counts[group]) = (sum, counts[group] + found)
        case .decimal: for place in places { add(values[place], to: group) }
        }
    }

    private func add<Row: RowValues & ~Escapable>(
        _ value: Value, of row: borrowing Row, to group: Int, related: (any RelatedRows)?
    ) throws {
        guard !value.isNull else { return }
        switch (kind, value) {
        case (.rows, _), (.values, _): counts[group] += 1
        case (.minimum, _), (.maximum, _):
            guard let place = try endPlace(of: row, in: group, related: related) else { return }
            setEnd(of: group, place, to: run.keep(value))
        case (_, .int(let value)): add(Int128(value), to: group)
        case (_, .uint(let value)): add(Int128(value), to: group)
        case (_, .float(let value)): add(Double(value), to: group)
        case (_, .double(let value)): add(value, to: group)
        case (_, .decimal): add(run.keep(value), to: group)
        default: break
        }
    }

    private func add(_ value: Int128, to group: Int) {
        counts[group] += 1
        integers[group] += value
    }

    private func add(_ value: Double, to group: Int) {
        counts[group] += 1
        doubles[group] += value
    }

    private func add(_ value: UnboxedValue, to group: Int) {
        guard value.kind == .decimal else { return }
        counts[group] += 1
        decimals[group].add(value)
    }

    /// Where the row's key lies when it is the new end of its group; nil where it is not. Of rows with equal values
    /// that with the lowest id is the first, that with the highest the last.
    private func endPlace<Row: RowValues & ~Escapable>(
        of row: borrowing Row, in group: Int, related: (any RelatedRows)?
    ) throws -> Match? {
        guard let order else { return nil }
        order.clear()
        let rowID = row.rowID
        let isMinimum = kind == .minimum
        let match = Match(rowID: rowID, key: try order.place(row, related: related))
        guard ends[group].isThere else { return match }
        let difference = order.withKey(of: match) { key in
            ends[group].key.withUnsafeBytes { Self.compare(key, $0) }
        }
        let isNewEnd = difference == 0 ? (rowID < ends[group].rowID) == isMinimum : (difference < 0) == isMinimum
        return isNewEnd ? match : nil
    }

    private func setEnd(of group: Int, _ place: Match, to value: UnboxedValue) {
        keyBytes -= ends[group].byteCount
        order?.withKey(of: place) { ends[group].set($0, value, rowID: place.rowID) }
        keyBytes += ends[group].byteCount
        run.end()
    }

    private static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        if let leftBase = left.baseAddress, let rightBase = right.baseAddress {
            let order = memcmp(leftBase, rightBase, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }

    /// What a group has so far, for those who keep it from here on.
    func part(of group: Int) throws -> GroupPart {
        var part = GroupPart()
        switch kind {
        case .rows, .values: part.count = counts[group]
        case .signed, .unsigned: (part.count, part.integer) = (counts[group], integers[group])
        case .floating: (part.count, part.double) = (counts[group], doubles[group])
        case .decimal: (part.count, part.decimal) = (counts[group], decimals[group])
        case .minimum, .maximum:
            guard ends[group].isThere else { break }
            part.end = GroupPart.End(
                key: ends[group].key, value: try ends[group].boxed(), rowID: ends[group].rowID)
        }
        return part
    }

    /// The result of a group.
    ///
    /// - Throws: ``QueryError`` for a sum that does not fit into its type.
    func result(of group: Int) throws -> Value {
        let isAverage = aggregate.function == .average
        switch kind {
        case .rows, .values: return .int(Int64(counts[group]))
        case .minimum, .maximum: return ends[group].isThere ? try ends[group].boxed() : .null
        case .signed, .unsigned, .floating, .decimal: break
        }
        if isAverage, counts[group] == 0 { return .null }
        switch kind {
        case .signed, .unsigned:
            if isAverage { return .double(Double(integers[group]) / Double(counts[group])) }
            if kind == .unsigned, let sum = UInt64(exactly: integers[group]) { return .uint(sum) }
            if kind == .signed, let sum = Int64(exactly: integers[group]) { return .int(sum) }
        case .floating: return .double(isAverage ? doubles[group] / Double(counts[group]) : doubles[group])
        default:
            let result = isAverage ? decimals[group].divided(by: counts[group]) : decimals[group].decimal
            if let result { return .decimal(result) }
        }
        throw QueryError(.sumOutOfRange(type: aggregate.type.description), part: aggregate.name)
    }
}
