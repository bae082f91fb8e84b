import Foundation
import LoamStorage

/// Which ranges of one index component a predicate over that component comes to.
struct ComponentConditions: Sendable {
    let component: KeyComponent
    let property: PropertyID
    let members: [String]
    /// What makes the keys of the values; nil where they are the values themselves.
    private let function: Function?
    /// The time zone of a function of dates.
    private let zone: Zone?
    /// The component's type.
    private let type: ValueType
    private let isString: Bool
    private let isNumeric: Bool
    private let isInteger: Bool

    init(_ component: IndexComponent) throws {
        self.component = try KeyComponent(component)
        property = component.property
        members = component.path
        function = component.function?.known
        zone = component.function?.zone
        type = self.component.type
        (isString, isNumeric, isInteger) = (type == .string, type.isNumeric, type.isInteger)
    }

    /// Makes the conditions of keys that are made of the path's own values, or of the function that it is.
    init(_ component: KeyComponent, of path: PropertyPath) {
        self.component = component
        property = path.property
        members = path.members
        (function, zone) = (path.call?.function.function, path.call?.function.zone)
        type = component.type
        (isString, isNumeric, isInteger) = (type == .string, type.isNumeric, type.isInteger)
    }

    /// Whether the component's values follow from the path's.
    func concerns(_ path: PropertyPath) -> Bool {
        path.property == property && path.members == members
    }

    /// Whether the component's values are the expression's.
    private func covers(_ expression: TypedExpression) -> Bool {
        switch expression {
        case .property(let path): function == nil && concerns(path)
        case .call(let call, .one(.property(let path))):
            call.function == function && call.type == type && concerns(path)
        case .call(let call, .two(.property(let path), .constant)):
            call.function == function && call.zone == zone && zone != nil && concerns(path)
        default: false
        }
    }

    /// The ranges among the keys that begin with `prefix`, holding at least the rows that `predicate` holds for; nil
    /// when it asks for something that no range answers.
    func ranges(of predicate: TypedPredicate, after prefix: [UInt8]) throws -> RangeSet? {
        switch predicate {
        case .constant(let value): return value ? RangeSet(whole(prefix)) : .nothing
        case .and(let parts):
            let sets = try parts.map { try ranges(of: $0, after: prefix) }
            let known = sets.compactMap { $0 }
            guard let first = known.first else { return nil }
            var result = known.dropFirst().reduce(first) { $0.intersection($1) }
            result.isExact = result.isExact && known.count == sets.count
            return result
        case .or(let parts):
            var sets: [RangeSet] = []
            for part in parts {
                guard let set = try ranges(of: part, after: prefix) else { return nil }
                sets.append(set)
            }
            return RangeSet.union(sets)
        case .not(let part):
            return try ranges(of: part, after: prefix)?.complement(in: .prefix(prefix))
        case .comparison(let operand, let comparison, .constant(let value), let form) where covers(operand):
            return try ranges(comparison, value: value, form: form, prefix: prefix)
        case .between(let operand, .constant(let lower), .constant(let upper), let form) where covers(operand):
            if let range = try range(from: lower, through: upper, form: form, prefix: prefix) { return RangeSet(range) }
            guard let above = try ranges(.greaterOrEqual, value: lower, form: form, prefix: prefix),
                let below = try ranges(.lessOrEqual, value: upper, form: form, prefix: prefix)
            else { return nil }
            return above.intersection(below)
        case .isIn(let operand, let elements, let form) where covers(operand):
            guard let values = elements.constants else { return nil }
            if let points = try points(equalTo: values, prefix: prefix) { return points }
            var (points, isExact): ([KeyRange], Bool) = ([], true)
            points.reserveCapacity(values.count)
            for value in values {
                switch try point(equalTo: value, form: form, prefix: prefix) {
                case .unknown: return nil
                case .nothing: break
                case .inside(let point):
                    points.append(point)
                    isExact = false
                case .exactly(let point): points.append(point)
                }
            }
            return RangeSet.union(points, isExact: isExact)
        case .text(let operand, let text, .constant(let value), let form) where covers(operand):
            return try ranges(text, value: value, form: form, prefix: prefix)
        default: return nil
        }
    }

    private func whole(_ prefix: [UInt8]) -> MatchingRange {
        MatchingRange(range: .prefix(prefix), isExact: true)
    }

    private func ranges(
        _ comparison: ComparisonOperator, value: Value, form: StringForm, prefix: [UInt8]
    ) throws -> RangeSet? {
        switch comparison {
        case .equal: return try point(equalTo: value, form: form, prefix: prefix).set
        case .notEqual where type == .bool: return try others(than: value, prefix: prefix)
        case .notEqual:
            return try point(equalTo: value, form: form, prefix: prefix).set?.complement(in: .prefix(prefix))
        default:
            guard !isString || form == component.form else { return nil }
            if value.isNull || value.isNaN { return .nothing }
            return try ordered(comparison, value: value, prefix: prefix).map { RangeSet($0) }
        }
    }

    private func ordered(
        _ comparison: ComparisonOperator, value: Value, prefix: [UInt8]
    ) throws -> MatchingRange? {
        let bound: NumericBound =
            isNumeric
            ? NumericBound.bound(type, comparison: comparison.bound, constant: value) ?? .never
            : .compare(comparison.bound, value)
        switch bound {
        case .never: return .nothing
        case .always: return try component.range(after: prefix, .ordered(lower: nil, upper: nil))
        case .compare(let comparison, let value):
            switch comparison {
            case .less: return try range(upper: KeyBound(value, isInclusive: false), prefix)
            case .lessOrEqual: return try range(upper: KeyBound(value, isInclusive: true), prefix)
            case .greater: return try range(lower: KeyBound(value, isInclusive: false), prefix)
            case .greaterOrEqual: return try range(lower: KeyBound(value, isInclusive: true), prefix)
            case .equal: return try component.range(after: prefix, .equal(value))
            }
        }
    }

    /// The one range between two bounds; nil where they have to be looked at one by one.
    private func range(
        from lower: Value, through upper: Value, form: StringForm, prefix: [UInt8]
    ) throws -> MatchingRange? {
        guard !isString || form == component.form, !lower.isNull, !lower.isNaN, !upper.isNull, !upper.isNaN else {
            return nil
        }
        guard isNumeric, !isOfDoubles(lower, upper) else {
            return try range(lower: .init(lower, isInclusive: true), upper: .init(upper, isInclusive: true), prefix)
        }
        guard case .compare(let above, let lower) = bound(.greaterOrEqual, lower), above != .equal,
            case .compare(let below, let upper) = bound(.lessOrEqual, upper), below != .equal
        else { return nil }
        return try range(
            lower: .init(lower, isInclusive: above == .greaterOrEqual),
            upper: .init(upper, isInclusive: below == .lessOrEqual), prefix)
    }

    /// Whether the component's values and both of these are doubles, which need no other bounds.
    private func isOfDoubles(_ lower: Value, _ upper: Value) -> Bool {
        if type == .double, case .double = lower, case .double = upper { true } else { false }
    }

    private func bound(_ comparison: NumericBound.Comparison, _ value: Value) -> NumericBound {
        NumericBound.bound(type, comparison: comparison, constant: value) ?? .never
    }

    private func range(lower: KeyBound? = nil, upper: KeyBound? = nil, _ prefix: [UInt8]) throws -> MatchingRange? {
        try component.range(after: prefix, .ordered(lower: lower, upper: upper))
    }

    /// Where the rows are that have a value.
    private enum Equality {
        /// No range tells.
        case unknown
        case nothing
        /// Others are there too.
        case inside(KeyRange)
        case exactly(KeyRange)

        var set: RangeSet? {
            switch self {
            case .unknown: nil
            case .nothing: .nothing
            case .inside(let point): RangeSet(elements: [point], isExact: false)
            case .exactly(let point): RangeSet(elements: [point], isExact: true)
            }
        }
    }

    /// A string in another form than the component's: what is equal exactly is equal folded, not the other way round.
    private func point(equalTo value: Value, form: StringForm, prefix: [UInt8]) throws -> Equality {
        if value.isNaN { return .nothing }
        guard !value.isNull else { return try point(.null, isExact: true, prefix: prefix) }
        guard isString else {
            guard isNumeric else { return try point(value, isExact: true, prefix: prefix) }
            switch NumericBound.bound(type, comparison: .equal, constant: value) {
            case .compare(_, let value): return try point(value, isExact: true, prefix: prefix)
            default: return .nothing
            }
        }
        guard component.form.folds(form) else { return .unknown }
        return try point(value, isExact: form == component.form, prefix: prefix)
    }

    /// The points of integers, each there once, in order; nil for other components and values.
    private func points(equalTo values: [Value], prefix: [UInt8]) throws -> RangeSet? {
        guard isInteger, values.count > 1 else { return nil }
        return try withUnsafeTemporaryAllocation(of: Int64.self, capacity: values.count) { room in
            var count = 0
            for value in values {
                guard case .int(let number) = value else { return nil }
                // Into its place among those before it. Longer lists are put in order as a whole.
                var hole = count
                if values.count <= Self.fewIntegers {
                    while hole > 0, number < room[hole - 1] {
                        room[hole] = room[hole - 1]
                        hole -= 1
                    }
                }
                room[hole] = number
                count += 1
            }
            var sorted = UnsafeMutableBufferPointer(rebasing: room[..<count])
            if values.count > Self.fewIntegers { sorted.sort() }
            var set = RangeSet.nothing
            set.elements.reserveCapacity(count)
            var last: Int64?
            for position in 0..<count {
                let number = sorted[component.direction == .ascending ? position : count - 1 - position]
                guard number != last else { continue }
                last = number
                guard case .compare(_, let value) = bound(.equal, .int(number)) else { continue }
                set.elements.append(try component.range(equalTo: value, after: prefix).range)
            }
            return set
        }
    }

    /// So many are put in order one by one as fast as in any other way.
    private static var fewIntegers: Int { 16 }

    /// What a Bool can be besides a value: so few values are points each, behind which the next component can narrow the
    /// scan and give its order.
    private func others(than value: Value, prefix: [UInt8]) throws -> RangeSet {
        let others = [Value.null, .bool(false), .bool(true)].filter { $0 != value }
        let points = try others.flatMap { try point($0, isExact: true, prefix: prefix).set?.elements ?? [] }
        return RangeSet.union(points, isExact: true)
    }

    private func point(_ value: Value, isExact: Bool, prefix: [UInt8]) throws -> Equality {
        if value.isNull && !component.isOptional { return .nothing }
        let (point, isWhole) = try component.range(equalTo: value, after: prefix)
        return isExact && isWhole ? .exactly(point) : .inside(point)
    }

    /// BEGINSWITH, and LIKE up to its first wildcard.
    private func ranges(
        _ text: TextOperator, value: Value, form: StringForm, prefix: [UInt8]
    ) throws -> RangeSet? {
        if type == .data {
            guard text == .beginsWith, let bytes = value.bytes else { return nil }
            return try component.range(after: prefix, .hasBytes(bytes)).map { RangeSet($0) }
        }
        guard case .string(let pattern) = value else { return .nothing }
        guard component.form.folds(form) else { return nil }
        let beginning: String
        switch text {
        case .beginsWith: beginning = pattern
        case .like:
            guard let literal = LikePattern.literalPrefix(of: pattern) else { return nil }
            beginning = literal
        default: return nil
        }
        guard var range = try component.range(after: prefix, .hasPrefix(beginning)) else { return nil }
        // What begins with nothing does so in every form.
        range.isExact = range.isExact && text == .beginsWith && (form == component.form || beginning.isEmpty)
        return RangeSet(range)
    }
}

extension StringForm {
    /// Whether strings that are equal in `other` are equal in this form.
    func folds(_ other: StringForm) -> Bool {
        self == other || (!isCollated && other == .exact)
            || (self == .caseAndDiacriticFolded && !other.isCollated)
    }
}

extension Value {
    /// Data, or an array of what bytes can be; nil for anything else.
    var bytes: Data? {
        switch self {
        case .data(let data): return data
        case .array(let elements):
            var bytes = Data(capacity: elements.count)
            for element in elements {
                switch element {
                case .int(let number):
                    guard let byte = UInt8(exactly: number) else { return nil }
                    bytes.append(byte)
                case .uint(let number):
                    guard let byte = UInt8(exactly: number) else { return nil }
                    bytes.append(byte)
                default: return nil
                }
            }
            return bytes
        default: return nil
        }
    }
}

extension ComparisonOperator {
    /// The bound that the operator stands for. `!=` is none and must not be asked.
    var bound: NumericBound.Comparison {
        switch self {
        case .equal, .notEqual: .equal
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        }
    }
}
