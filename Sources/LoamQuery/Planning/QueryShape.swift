import Foundation
import LoamStorage

/// A query without the constants that its properties and the row's id are compared with, and without the numbers of its
/// limit and offset: what plans are kept by.
///
/// Constants of another type, nil, lists of another length and numbers as they are written in the format make another
/// shape. O(size of the query), in a few allocations.
struct QueryShape: Hashable, Sendable {
    /// The query as bytes, in which nothing can be read in two ways, with a mark for each constant.
    private let bytes: [UInt8]
    private let hash: UInt64
    /// The constants from left to right.
    let slots: [Slot]

    /// A constant beside a property or the row's id.
    enum Slot: Sendable {
        case constant(Value)
        /// The elements of a list, none of which is nil.
        case list([Value])
        /// It belongs to the shape.
        case fixed
    }

    /// Nil for queries whose plans are not kept: those with counts of related rows, long lists, the time of the fetch and
    /// the like.
    init?(_ query: borrowing Query) {
        guard query.limit ?? 1 > 0, query.offset >= 0,
            let (bytes, slots) = ShapeWriter.write(query, within: 512) ?? ShapeWriter.write(query, within: 1 << 14)
        else { return nil }
        (self.bytes, self.slots) = (bytes, slots)
        hash = Self.hash(of: bytes)
    }

    /// Tells shapes apart well enough for a table of a few, which looks at the bytes of each that it finds.
    private static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.withUnsafeBytes { bytes in
            var hash = UInt64(bytes.count)
            func mix(_ word: UInt64) {
                hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 29
            }
            var offset = 0
            while offset + 8 <= bytes.count {
                mix(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
            mix(rest)
            return hash
        }
    }

    static func == (left: QueryShape, right: QueryShape) -> Bool {
        left.hash == right.hash && left.bytes == right.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// A number that is the same for equal shapes.
    var number: Int { Int(truncatingIfNeeded: hash ^ hash >> 32) }
}

/// Writes a query as bytes: a mark for each kind of part, a count before what has several, texts with their length.
private struct ShapeWriter {
    /// Room for the bytes, of which the first ``count`` are written.
    private let room: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    private(set) var slots: [QueryShape.Slot] = []
    private(set) var isKept = true
    private var parts = 0
    /// UTF-8 bytes of all constants together: a kept plan has those that it was made for.
    private var textBytes = 0

    /// More elements are looked up together, and cost more than a plan.
    private static let mostElements = 16
    private static let mostParts = 64
    private static let mostTextBytes = 4_096

    private init(_ room: UnsafeMutableBufferPointer<UInt8>) {
        self.room = room
        slots.reserveCapacity(4)
    }

    /// Nil where plans are not kept for the query, or it takes more bytes.
    static func write(_ query: Query, within mostBytes: Int) -> (bytes: [UInt8], slots: [QueryShape.Slot])? {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: mostBytes) { room in
            var writer = ShapeWriter(room)
            writer.append(query)
            guard writer.isKept else { return nil }
            return ([UInt8](UnsafeBufferPointer(rebasing: room[..<writer.count])), writer.slots)
        }
    }

    mutating func append(_ query: Query) {
        append(query.entity)
        append(query.limit != nil)
        append(query.offset > 0)
        append(mark: query.result.shapeMark)
        append(query.isUnordered)
        append(count: query.sort.count)
        for key in query.sort {
            append(key.path)
            append(key.direction == .descending)
            append(mark: key.form.shapeMark)
            if let collation = key.form.collation {
                append(mark: UInt8(truncatingIfNeeded: collation.number >> 8))
                append(mark: UInt8(truncatingIfNeeded: collation.number))
            }
        }
        append(query.columns != nil)
        if let columns = query.columns {
            append(count: columns.count)
            for column in columns { append(column) }
        }
        append(query.section != nil)
        if let section = query.section { append(section) }
        append(query.sectionOfNil != nil)
        if let value = query.sectionOfNil { append(fixed: value) }
        append(query.predicate != nil)
        if let predicate = query.predicate { append(predicate) }
    }

    private mutating func append(mark: UInt8) {
        guard count < room.count else { return isKept = false }
        room[count] = mark
        count += 1
    }

    private mutating func append(_ flag: Bool) { append(mark: flag ? 1 : 0) }

    private mutating func append(count: Int) {
        if count >= 0, count < 0xFF { return append(mark: UInt8(truncatingIfNeeded: count)) }
        append(mark: 0xFF)
        for shift in stride(from: 0, to: 64, by: 8) { append(mark: UInt8(truncatingIfNeeded: count >> shift)) }
    }

    private mutating func append(_ text: String) {
        let text = text.utf8
        append(count: text.count)
        guard text.count <= room.count - count else { return isKept = false }
        count += UnsafeMutableBufferPointer(rebasing: room[count...]).initialize(fromContentsOf: text)
    }
}

extension ShapeWriter {
    /// Appends whatever it is when plans are not kept for it.
    private mutating func append(_ predicate: QueryPredicate) {
        parts += 1
        if parts > Self.mostParts { isKept = false }
        guard isKept else { return }
        switch predicate {
        case .constant(let value): append(mark: value ? 1 : 2)
        case .and(let parts): append(parts, mark: 3)
        case .or(let parts): append(parts, mark: 4)
        case .not(let part):
            append(mark: 5)
            append(part)
        case .comparison(let left, let comparison, let right, let options):
            guard left.isOfRow || right.isOfRow else { return isKept = false }
            append(mark: 6)
            append(mark: comparison.shapeMark)
            append(options)
            // What stands beside what is read of the row is a constant, or read of the row too.
            appendSide(left)
            appendSide(right)
        case .between(let value, let lower, let upper, let options) where value.isOfRow:
            append(mark: 7)
            append(options)
            appendSide(value)
            append(constant: lower)
            append(constant: upper)
        case .isIn(let value, .list(let elements), let options)
        where value.isOfRow && elements.count <= Self.mostElements:
            append(mark: 8)
            append(options)
            appendSide(value)
            append(count: elements.count)
            slots.reserveCapacity(slots.count + elements.count)
            for element in elements { append(constant: element) }
        case .isIn(let value, .constant(.array(let elements)), let options)
        where value.isOfRow && elements.count <= Self.mostElements:
            append(mark: 9)
            append(options)
            appendSide(value)
            append(count: elements.count)
            append(constants: elements)
        case .text(let value, let text, let operand, let options) where value.isOfRow:
            append(mark: 10)
            append(mark: text.shapeMark)
            append(options)
            appendSide(value)
            switch text {
            case .beginsWith, .endsWith, .contains: append(constant: operand)
            // What a pattern asks for depends on what stands in it.
            case .like, .matches: append(fixed: operand)
            }
        default: isKept = false
        }
    }

    private mutating func append(_ predicates: [QueryPredicate], mark: UInt8) {
        append(mark: mark)
        append(count: predicates.count)
        for predicate in predicates { append(predicate) }
    }

    private mutating func append(_ options: StringOptions) {
        append(
            mark: (options.ignoresCase ? 1 : 0) | (options.ignoresDiacritics ? 2 : 0) | (options.isLocalized ? 4 : 0))
    }

    private mutating func appendSide(_ expression: QueryExpression) {
        switch expression {
        case .identifier: append(mark: 1)
        case .keyPath(let names):
            append(mark: 2)
            append(count: names.count)
            for name in names { append(name) }
        case .call(let function, let arguments) where expression.isOfRow:
            append(mark: 4)
            append(function.rawValue)
            append(count: arguments.count)
            for argument in arguments { appendArgument(argument) }
        default:
            append(mark: 3)
            append(constant: expression)
        }
    }

    /// Whatever a function takes besides what is read of the row belongs to the shape.
    private mutating func appendArgument(_ expression: QueryExpression) {
        parts += 1
        guard parts <= Self.mostParts else { return isKept = false }
        switch expression {
        case _ where expression.isOfRow: appendSide(expression)
        case .number(let literal):
            append(mark: 5)
            append(literal.text)
            take(literal.text)
        case .constant(let value):
            append(mark: 6)
            append(fixed: value)
            if case .string(let text) = value { take(text) }
        default: isKept = false
        }
    }

    private mutating func append(constant expression: QueryExpression) {
        guard case .constant(let value) = expression else { return append(fixed: expression) }
        append(constant: value)
    }

    /// The elements of a list, which is passed on as it is where none of them is nil.
    private mutating func append(constants values: [Value]) {
        guard !values.isEmpty, !values.contains(where: \.isNull) else {
            for value in values { append(constant: value) }
            return
        }
        for value in values { appendKind(of: value) }
        slots.append(.list(values))
    }

    private mutating func append(constant value: Value) {
        appendKind(of: value)
        slots.append(value.isNull ? .fixed : .constant(value))
    }

    private mutating func appendKind(of value: Value) {
        guard let mark = value.shapeMark, !value.isNaN else { return isKept = false }
        append(mark: mark)
        if case .string(let text) = value { take(text) }
    }

    private mutating func append(fixed expression: QueryExpression) {
        switch expression {
        case .number(let literal):
            append(mark: 0xFE)
            append(literal.text)
            take(literal.text)
        case .constant(.string(let text)):
            append(mark: 0xFF)
            append(text)
            take(text)
        default: isKept = false
        }
        slots.append(.fixed)
    }

    /// The section of rows that have none belongs to the shape.
    private mutating func append(fixed value: Value) {
        guard let mark = value.shapeMark else { return isKept = false }
        append(mark: mark)
        switch value {
        case .string(let text): append(text)
        case .bool(let value): append(value)
        case .int(let value): append("\(value)")
        case .uint(let value): append("\(value)")
        case .double(let value): append("\(value.bitPattern)")
        case .date(let value): append("\(value.seconds.bitPattern)")
        case .null: break
        default: isKept = false
        }
    }

    private mutating func take(_ text: String) {
        textBytes += text.utf8.count
        if textBytes > Self.mostTextBytes { isKept = false }
    }
}

extension QueryExpression {
    /// Whether it is read of the row, and no constant, or a function of what is.
    fileprivate var isOfRow: Bool { isOfRow(within: 4) }

    /// - Parameter depth: calls that stand in each other; deeper ones are not looked at.
    private func isOfRow(within depth: Int) -> Bool {
        switch self {
        case .keyPath, .identifier: true
        case .call(_, let arguments): depth > 0 && arguments.contains { $0.isOfRow(within: depth - 1) }
        case .constant, .number, .list, .count, .outer, .aggregate, .conditional, .variable: false
        }
    }
}

// Numbers for what a shape tells apart. They stay in this process.

extension Value {
    /// The number of its kind; nil for values that predicates do not compare.
    var shapeMark: UInt8? {
        switch self {
        case .null: 0
        case .bool: 1
        case .int: 2
        case .uint: 3
        case .float: 4
        case .double: 5
        case .decimal: 6
        case .string: 7
        case .date: 8
        case .uuid: 9
        case .url, .data, .array, .dictionary, .structure: nil
        }
    }
}

extension ResultKind {
    fileprivate var shapeMark: UInt8 {
        switch self {
        case .rows: 0
        case .count: 1
        case .sections: 2
        }
    }
}

extension StringForm {
    fileprivate var shapeMark: UInt8 {
        switch self {
        case .exact: 0
        case .caseFolded: 1
        case .diacriticFolded: 2
        case .caseAndDiacriticFolded: 3
        case .localizedStandard: 4
        case .localized: 5
        }
    }
}

extension ComparisonOperator {
    fileprivate var shapeMark: UInt8 {
        switch self {
        case .equal: 0
        case .notEqual: 1
        case .less: 2
        case .lessOrEqual: 3
        case .greater: 4
        case .greaterOrEqual: 5
        }
    }
}

extension TextOperator {
    fileprivate var shapeMark: UInt8 {
        switch self {
        case .beginsWith: 0
        case .endsWith: 1
        case .contains: 2
        case .like: 3
        case .matches: 4
        }
    }
}
