import LoamStorage

/// A filter as a list of steps that lie together in memory: what rows are tested with.
///
/// A step tests one thing and names the step that comes next when it holds, and when it does not. Walking the tree
/// would count references up and down at every node, which costs more than the tests.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `steps` | nothing: they do not change | `init` | the program ends |
final class FilterProgram: @unchecked Sendable {
    private let steps: UnsafeMutableBufferPointer<Step>
    private let start: Int32
    /// Keeps what the steps point at alive: they retain nothing themselves.
    private let operands: [AnyObject]

    private struct Step {
        let test: FilterTest
        let ifTrue: Int32
        let ifFalse: Int32
    }

    /// Where a program ends.
    private static var accept: Int32 { -1 }
    private static var reject: Int32 { -2 }

    init(_ filter: Filter) {
        var compiler = Compiler()
        start = compiler.append(filter, ifTrue: Self.accept, ifFalse: Self.reject)
        steps = .allocate(capacity: compiler.steps.count)
        _ = steps.initialize(from: compiler.steps)
        operands = compiler.operands
    }

    deinit { steps.deallocate() }

    /// - Parameter related: rows of other entities, for predicates that read them.
    func matches<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)? = nil
    ) throws -> Bool {
        var next = start
        while next >= 0 {
            let step = steps[Int(next)]
            next = try step.test.holds(row, related: related) ? step.ifTrue : step.ifFalse
        }
        return next == Self.accept
    }

    /// Appends steps from the last to the first, so that the steps they lead to are there.
    private struct Compiler {
        var steps: [Step] = []
        var operands: [AnyObject] = []

        /// Returns the step that the filter begins with.
        mutating func append(_ filter: Filter, ifTrue: Int32, ifFalse: Int32) -> Int32 {
            let test: FilterTest
            switch filter {
            case .constant(let value): return value ? ifTrue : ifFalse
            case .all(let parts):
                return parts.reversed().reduce(ifTrue) { append($1, ifTrue: $0, ifFalse: ifFalse) }
            case .any(let parts):
                return parts.reversed().reduce(ifFalse) { append($1, ifTrue: ifTrue, ifFalse: $0) }
            case .not(let part): return append(part, ifTrue: ifFalse, ifFalse: ifTrue)
            case .isNull(let path): test = .isNull(field(path))
            case .signed(let path, let comparison, let constant): test = .signed(field(path), comparison, constant)
            case .unsigned(let path, let comparison, let constant):
                test = .unsigned(field(path), comparison, constant)
            case .floating(let path, let comparison, let constant):
                test = .floating(field(path), comparison, constant)
            case .text(let path, let matcher): test = .text(field(path), keep(matcher))
            case .oneOf(let path, let values): test = .oneOf(keep(FilterTest.Membership(path.path, values: values)))
            case .identifier(let values): test = .identifier(keep(values))
            case .general(let predicate): test = .general(keep(FilterTest.General(predicate)))
            }
            steps.append(Step(test: test, ifTrue: ifTrue, ifFalse: ifFalse))
            return Int32(steps.count - 1)
        }

        private mutating func field(_ path: FilterPath) -> FilterField {
            operands.append(path)
            return FilterField(path)
        }

        private mutating func keep<Operand: AnyObject>(_ operand: Operand) -> Unmanaged<Operand> {
            operands.append(operand)
            return .passUnretained(operand)
        }
    }
}

/// One test of a ``FilterProgram``, which holds the operands.
private enum FilterTest {
    case isNull(FilterField)
    case signed(FilterField, ComparisonOperator, Int64)
    case unsigned(FilterField, ComparisonOperator, UInt64)
    case floating(FilterField, ComparisonOperator, Double)
    case text(FilterField, Unmanaged<TextMatcher>)
    case oneOf(Unmanaged<Membership>)
    case identifier(Unmanaged<ValueLookup>)
    case general(Unmanaged<General>)

    final class Membership {
        let path: PropertyPath
        let values: ValueLookup

        init(_ path: PropertyPath, values: ValueLookup) {
            self.path = path
            self.values = values
        }
    }

    final class General {
        let predicate: TypedPredicate
        /// The reference on which alone the result depends, when it reads other rows: many rows have the same.
        let reference: PropertyPath?

        init(_ predicate: TypedPredicate) {
            self.predicate = predicate
            let paths = predicate.paths
            let isOne = paths.count == 1 && predicate.readsRelations && !predicate.readsIdentifier
            reference = isOne ? paths.first : nil
        }

        func holds<Row: RowValues & ~Escapable>(
            _ row: borrowing Row, related: (any RelatedRows)?
        ) throws -> Bool {
            guard let reference, let related else { return try predicate.holds(row, related: related) }
            let target = try row.value(of: reference)
            if let known = related.known(ObjectIdentifier(self), key: target) { return known }
            let result = try predicate.holds(row, related: related)
            related.remember(result, for: ObjectIdentifier(self), key: target)
            return result
        }
    }

    @inline(__always)
    func holds<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)?
    ) throws -> Bool {
        switch self {
        case .isNull(let field): return try row.isNull(field)
        case .signed(let field, let comparison, let constant):
            return Self.test(try row.signed(field), comparison: comparison, constant: constant)
        case .unsigned(let field, let comparison, let constant):
            return Self.test(try row.unsigned(field), comparison: comparison, constant: constant)
        case .floating(let field, let comparison, let constant):
            return Self.test(try row.floating(field), comparison: comparison, constant: constant)
        case .text(let field, let matcher): return try row.text(field, matches: matcher)
        case .oneOf(let membership):
            let operand = membership.takeUnretainedValue()
            return operand.values.contains(try row.value(of: operand.path))
        case .identifier(let values): return values.takeUnretainedValue().contains(.uint(row.rowID))
        case .general(let general): return try general.takeUnretainedValue().holds(row, related: related)
        }
    }

    /// Nil is equal to no constant and has no order.
    @inline(__always)
    private static func test<Number: Comparable>(
        _ value: Number?, comparison: ComparisonOperator, constant: Number
    ) -> Bool {
        guard let value else { return comparison == .notEqual }
        switch comparison {
        case .equal: return value == constant
        case .notEqual: return value != constant
        case .less: return value < constant
        case .lessOrEqual: return value <= constant
        case .greater: return value > constant
        case .greaterOrEqual: return value >= constant
        }
    }
}
