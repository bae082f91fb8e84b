import LoamStorage
import Synchronization

/// A filter as a list of steps that lie together in memory: what rows are tested with.
///
/// A step tests one thing and names the step that comes next when it holds, and when it does not; or it computes a value
/// into a register. Walking the tree would count references up and down at every node, which costs more than the tests,
/// and would take memory for values. What is read of a row is used where it lies.
///
/// What takes memory from the heap for a row all the same is what `ResidualAllocationTests` lists.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `steps` | nothing: they do not change | `init` | the program ends |
/// | `own` | `isBusy` | whoever has set it | it is taken back |
package final class FilterProgram: @unchecked Sendable {
    private let steps: UnsafeMutableBufferPointer<FilterStep>
    private let start: Int32
    /// Keeps what the steps point at alive: they retain nothing themselves.
    private let operands: [AnyObject]
    private let registerCount: Int
    /// How many values are computed once for a row.
    private let keptCount: Int
    /// The expressions of the row around that the program is called with.
    let parameters: [TypedExpression]
    /// Whether it cannot be called, since it reads the row around in a way of its own.
    let isOpen: Bool
    /// The registers of the only row that is tested at a time, as a rule.
    private let own: UnsafeMutablePointer<FilterRun>
    private let isBusy = Atomic(false)

    /// Where a program ends.
    static var accept: Int32 { -1 }
    static var reject: Int32 { -2 }

    /// The program without steps, which every row matches.
    static let matchingAll = FilterProgram(FilterCompiler(RepeatedExpressions(in: nil)), start: accept)

    /// - Throws: ``QueryError`` for a malformed pattern in a predicate about other rows.
    convenience init(_ filter: Filter) throws {
        var compiler = FilterCompiler(RepeatedExpressions(in: filter))
        let start = try compiler.append(filter, ifTrue: Self.accept, ifFalse: Self.reject)
        self.init(compiler, start: start)
    }

    /// A program that computes a value, which it gives to whom it is called by.
    ///
    /// - Throws: ``QueryError`` for a malformed pattern in a predicate about other rows.
    convenience init(_ value: TypedExpression) throws {
        var compiler = FilterCompiler(RepeatedExpressions(in: nil, then: value))
        let start = try compiler.append(value, into: 0, next: compiler.appendResult())
        self.init(compiler, start: start)
    }

    /// A program that computes a value where a filter holds, which it gives to whom it is called by.
    ///
    /// - Throws: ``QueryError`` for a malformed pattern in a predicate about other rows.
    convenience init(_ filter: Filter, then value: TypedExpression) throws {
        var compiler = FilterCompiler(RepeatedExpressions(in: filter, then: value))
        let next = try compiler.append(value, into: 0, next: compiler.appendResult())
        let start = try compiler.append(filter, ifTrue: next, ifFalse: Self.reject)
        self.init(compiler, start: start)
    }

    private init(_ compiler: FilterCompiler, start: Int32) {
        self.start = start
        steps = .allocate(capacity: compiler.steps.count)
        _ = steps.initialize(from: compiler.steps)
        operands = compiler.operands
        (registerCount, keptCount) = (compiler.registerCount, compiler.keptCount)
        parameters = compiler.parameters
        isOpen = compiler.isOpen
        own = .allocate(capacity: 1)
        own.initialize(to: FilterRun(registerCount: registerCount, keptCount: keptCount))
    }

    deinit {
        own.pointee.deallocate()
        own.deinitialize(count: 1)
        own.deallocate()
        steps.deallocate()
    }

    /// - Parameters:
    ///   - related: rows of other entities, for predicates that read them.
    ///   - sieve: one of this program's that the row has passed.
    func matches<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)? = nil, behind sieve: Sieve? = nil
    ) throws -> Bool {
        let start = sieve?.next ?? start
        guard registerCount > 0 else { return try follow(row, from: start, related: related, own) }
        return try run(row, from: start, related: related, call: nil)
    }

    /// The first steps, where these keep one number of a row within bounds: whoever reads the rows tests it at once.
    struct Sieve {
        let test: RowSieve
        /// The step behind them.
        fileprivate let next: Int32
    }

    /// Nil where the first step tests something else. Cheap, and made anew each time.
    var sieve: Sieve? {
        var next = start
        var test: RowSieve?
        while next >= 0 {
            let step = steps[Int(next)]
            guard step.ifFalse == Self.reject, let bounds = step.instruction.bounds else { break }
            guard let combined = test.map({ $0.combined(with: bounds) }) ?? bounds else { break }
            (test, next) = (combined, step.ifTrue)
        }
        return test.map { Sieve(test: $0, next: next) }
    }

    /// Runs a program that another one has called.
    package func run<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)?, call: FilterCall
    ) throws -> Bool {
        try run(row, from: start, related: related, call: call as FilterCall?)
    }

    private func run<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, from start: Int32, related: (any RelatedRows)?, call: FilterCall?
    ) throws -> Bool {
        guard !isBusy.exchange(true, ordering: .acquiring) else {
            return try runApart(row, from: start, related: related, call: call)
        }
        defer {
            own.pointee.end()
            isBusy.store(false, ordering: .releasing)
        }
        own.pointee.call = call
        return try follow(row, from: start, related: related, own)
    }

    /// With registers for this row alone: another thread, or the same one further out, has the program's own.
    @inline(never)
    private func runApart<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, from start: Int32, related: (any RelatedRows)?, call: FilterCall?
    ) throws -> Bool {
        var other = FilterRun(registerCount: registerCount, keptCount: keptCount)
        defer { other.deallocate() }
        other.call = call
        return try follow(row, from: start, related: related, &other)
    }

    @inline(__always)
    private func follow<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, from start: Int32, related: (any RelatedRows)?,
        _ run: UnsafeMutablePointer<FilterRun>
    ) throws -> Bool {
        var next = start
        while next >= 0 {
            let step = steps[Int(next)]
            next = try step.instruction.holds(row, related: related, run) ? step.ifTrue : step.ifFalse
        }
        return next == Self.accept
    }
}
