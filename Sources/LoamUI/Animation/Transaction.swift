/// What goes with a change from where it is made to where it is drawn: its animation.
///
/// A change that is made within ``withTransaction(_:_:)`` or ``withAnimation(_:_:)`` is rendered with that transaction.
/// Of several in one turn of the main actor the newest is the render's.
public struct Transaction: Equatable, Sendable {
    /// How the change is shown over time; nil: at once.
    public var animation: Animation?
    /// Whether animations that views declare have no say.
    public var disablesAnimations = false
    /// Whether the change is one of many in a row, as while something is dragged.
    public var isContinuous = false

    /// A transaction without an animation.
    public init() {}

    /// A transaction with an animation, or with none.
    public init(animation: Animation?) { self.animation = animation }
}

extension Transaction {
    /// The transaction that what runs now is within: the innermost `withAnimation` or `withTransaction` that has not
    /// returned. Nil outside of any; one without an animation within `withAnimation(nil)`.
    ///
    /// A task that was started within one does not continue it.
    package static var current: Transaction? { scope.flatMap { $0.isOver.load() ? nil : $0.transaction } }

    /// The same, also where the innermost one has returned, in tasks that were started within it: a delivery that a
    /// change has asked for goes by it.
    package static var inherited: Transaction? { scope?.transaction }

    @TaskLocal private static var scope: TransactionScope?

    /// Runs within a transaction.
    static func run<Result, Failure: Error>(
        _ transaction: Transaction, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let scope = TransactionScope(transaction)
        defer { scope.isOver.set() }
        let outcome = $scope.withValue(scope) { () -> Swift.Result<Result, Failure> in
            do throws(Failure) { return .success(try body()) } catch { return .failure(error) }
        }
        return try outcome.get()
    }
}

/// One call of `withTransaction`. What changes, once and in one direction, is its flag, which is atomic.
private final class TransactionScope: Sendable {
    let transaction: Transaction
    let isOver = OnceFlag()

    init(_ transaction: Transaction) { self.transaction = transaction }
}

/// Makes changes within a transaction: it reaches the render that shows them.
///
/// Also for a save on the main actor, whose results come later in the turn. O(1) beside the body; the body runs at once,
/// on the caller's isolation, and what it throws is thrown on.
public func withTransaction<Result, Failure: Error>(
    _ transaction: Transaction, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    try Transaction.run(transaction, body)
}

/// Makes changes within the transaction in force, with one value of it set.
///
/// Otherwise as ``withTransaction(_:_:)``.
public func withTransaction<Value, Result, Failure: Error>(
    _ keyPath: WritableKeyPath<Transaction, Value>, _ value: Value, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    var transaction = Transaction.current ?? Transaction()
    transaction[keyPath: keyPath] = value
    return try Transaction.run(transaction, body)
}

/// Makes changes that are shown over time; with nil, at once, whatever a wrapper says by itself.
///
/// Otherwise as ``withTransaction(_:_:)``.
public func withAnimation<Result, Failure: Error>(
    _ animation: Animation? = .default, _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
    var transaction = Transaction.current ?? Transaction()
    transaction.animation = animation
    return try Transaction.run(transaction, body)
}
