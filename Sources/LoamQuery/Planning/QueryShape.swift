import Foundation
import LoamStorage

/// A query without the constants that its properties and the row's id are compared with, and without the numbers of its
/// limit and offset: what plans are kept by.
///
/// Constants of another type, nil, lists of another length and numbers as they are written in the format make another
/// shape.
struct QueryShape: Hashable {
    /// In which a constant of the same type stands for every constant.
    private let query: Query
    private let hash: Int
    /// The constants from left to right.
    let slots: [Slot]

    /// A constant beside a property or the row's id.
    enum Slot {
        case constant(Value)
        /// It belongs to the shape.
        case fixed
    }

    /// Nil for queries whose plans are not kept: those with functions, counts of related rows, long lists and the like.
    init?(_ query: Query) {
        guard query.limit ?? 1 > 0, query.offset >= 0 else { return nil }
        var reader = ShapeReader()
        var shape = query
        if let predicate = query.predicate { shape.predicate = reader.shape(of: predicate) }
        guard reader.isKept else { return nil }
        if query.limit != nil { shape.limit = 1 }
        if query.offset > 0 { shape.offset = 1 }
        self.query = shape
        hash = shape.hashValue
        slots = reader.slots
    }

    static func == (left: QueryShape, right: QueryShape) -> Bool {
        left.hash == right.hash && left.query == right.query
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }

    /// A number that is the same for equal shapes.
    var number: Int { hash }
}

private struct ShapeReader {
    var slots: [QueryShape.Slot] = []
    var isKept = true
    private var parts = 0

    /// More elements are looked up together, and cost more than a plan.
    private static let mostElements = 16
    private static let mostParts = 64
    /// UTF-8 bytes of all constants together.
    private var textBytes = 0
    private static let mostTextBytes = 4_096

    /// The predicate with placeholders; whatever it is when plans are not kept for it.
    mutating func shape(of predicate: QueryPredicate) -> QueryPredicate {
        parts += 1
        if parts > Self.mostParts { isKept = false }
        guard isKept else { return predicate }
        switch predicate {
        case .constant: return predicate
        case .and(let parts): return .and(shapes(of: parts))
        case .or(let parts): return .or(shapes(of: parts))
        case .not(let part): return .not(shape(of: part))
        case .comparison(let left, let comparison, let right, let options):
            if left.isOfRow, right.isOfRow { return predicate }
            if left.isOfRow { return .comparison(left, comparison, shape(of: right), options) }
            if right.isOfRow { return .comparison(shape(of: left), comparison, right, options) }
        case .between(let value, let lower, let upper, let options) where value.isOfRow:
            return .between(value, shape(of: lower), shape(of: upper), options)
        case .isIn(let value, .list(let elements), let options)
        where value.isOfRow && elements.count <= Self.mostElements:
            return .isIn(value, .list(elements.map { shape(of: $0) }), options)
        case .isIn(let value, .constant(.array(let elements)), let options)
        where value.isOfRow && elements.count <= Self.mostElements:
            return .isIn(value, .constant(.array(elements.map { shape(of: $0) })), options)
        case .text(let value, let text, let operand, let options) where value.isOfRow:
            switch text {
            case .beginsWith, .endsWith, .contains: return .text(value, text, shape(of: operand), options)
            // What a pattern asks for depends on what stands in it.
            case .like, .matches: return .text(value, text, fixed(operand), options)
            }
        default: break
        }
        isKept = false
        return predicate
    }

    private mutating func shapes(of predicates: [QueryPredicate]) -> [QueryPredicate] {
        predicates.map { shape(of: $0) }
    }

    private mutating func shape(of expression: QueryExpression) -> QueryExpression {
        guard case .constant(let value) = expression else { return fixed(expression) }
        return .constant(shape(of: value))
    }

    private mutating func shape(of value: Value) -> Value {
        guard !value.isNull else {
            slots.append(.fixed)
            return value
        }
        if case .string(let text) = value { take(text) }
        guard !value.isNaN, let placeholder = value.placeholder else {
            isKept = false
            return value
        }
        slots.append(.constant(value))
        return placeholder
    }

    /// A kept plan has the constants that it was made for.
    private mutating func take(_ text: String) {
        textBytes += text.utf8.count
        if textBytes > Self.mostTextBytes { isKept = false }
    }

    private mutating func fixed(_ expression: QueryExpression) -> QueryExpression {
        switch expression {
        case .number(let literal): take(literal.text)
        case .constant(.string(let text)): take(text)
        default: isKept = false
        }
        slots.append(.fixed)
        return expression
    }
}

extension QueryExpression {
    /// Whether it is read of the row, and no constant.
    fileprivate var isOfRow: Bool {
        switch self {
        case .keyPath, .identifier: true
        case .constant, .number, .call, .list, .count, .outer: false
        }
    }
}

extension Value {
    /// What stands for every value of the same kind; nil for nil and for values that predicates do not compare.
    fileprivate var placeholder: Value? {
        switch self {
        case .bool: .bool(false)
        case .int: .int(0)
        case .uint: .uint(0)
        case .float: .float(0)
        case .double: .double(0)
        case .decimal: .decimal(0)
        case .string: .string("")
        case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
        case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
        case .url, .data, .null, .array, .dictionary, .structure: nil
        }
    }

    /// Whether it has the same kind and is the same.
    fileprivate func isSame(as other: Value) -> Bool { placeholder == other.placeholder && self == other }
}

extension TypedPredicate {
    /// Whether the constants beside properties and the row's id are those of a shape, in its order: then they may be
    /// replaced by others of their kinds, and the predicate is what those are checked and normalized to.
    func hasConstants(of slots: [QueryShape.Slot]) -> Bool {
        var next = 0
        var isSame = true
        _ = replacingConstants { value in
            if next < slots.count, case .constant(let expected) = slots[next], !value.isSame(as: expected) {
                isSame = false
            }
            next += 1
            return value
        }
        return isSame && next == slots.count
    }

    /// The predicate with the constants of the same shape.
    func replacingConstants(by slots: [QueryShape.Slot]) -> TypedPredicate {
        var next = 0
        return replacingConstants { value in
            defer { next += 1 }
            if case .constant(let new) = slots[next] { return new }
            return value
        }
    }

    private func replacingConstants(_ body: (Value) -> Value) -> TypedPredicate {
        func replaced(_ expression: TypedExpression) -> TypedExpression {
            if case .constant(let value) = expression { .constant(body(value)) } else { expression }
        }
        switch self {
        case .constant, .exists, .hasElement: return self
        case .and(let parts): return .and(parts.map { $0.replacingConstants(body) })
        case .or(let parts): return .or(parts.map { $0.replacingConstants(body) })
        case .not(let part): return .not(part.replacingConstants(body))
        case .comparison(let left, let comparison, let right, let form):
            return .comparison(left, comparison, replaced(right), form)
        case .text(let left, let text, let right, let form): return .text(left, text, replaced(right), form)
        case .between(let value, let lower, let upper, let form):
            return .between(value, replaced(lower), replaced(upper), form)
        case .isIn(let value, let elements, let form):
            return .isIn(value, ElementList(elements.map(replaced), besides: value.type, form: form), form)
        }
    }
}
