/// A value that is kept elsewhere, to be read and set.
///
/// ```swift
/// Binding(get: { model.name }, set: { model.name = $0 })
/// ```
///
/// A view that reads the value is rendered when it changes, where what it comes from is observed. Cost and isolation of
/// reading and setting are those of the closures, which the main actor calls.
@propertyWrapper @dynamicMemberLookup @MainActor public struct Binding<Value> {
    /// What two bindings have in common that lead to one value, as far as that can be known.
    let identity: BindingIdentity?
    private let read: @MainActor () -> Value
    private let write: @MainActor (Value, Transaction) -> Void
    /// What changes through the binding are made within.
    public var transaction = Transaction()
    /// Whether the transaction was asked for: an empty one is not.
    private var hasTransaction = false

    init(
        identity: BindingIdentity?, get: @escaping @MainActor () -> Value,
        set: @escaping @MainActor (Value, Transaction) -> Void
    ) {
        (self.identity, read, write) = (identity, get, set)
    }

    /// A binding to a value that closures read and set.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value) -> Void) {
        self.init(identity: nil, get: get, set: { value, _ in set(value) })
    }

    /// The same, with the transaction of the change.
    public init(get: @escaping @MainActor () -> Value, set: @escaping @MainActor (Value, Transaction) -> Void) {
        self.init(identity: nil, get: get, set: set)
    }

    init(_ cell: StateCell<Value>) {
        self.init(
            identity: BindingIdentity(root: cell, path: []), get: { cell.value },
            set: { value, _ in cell.value = value })
    }

    /// A binding to what a binding leads to.
    public init(projectedValue: Binding<Value>) { self = projectedValue }

    /// A binding to a value that never changes: setting it does nothing.
    public static func constant(_ value: Value) -> Binding<Value> {
        Binding(identity: nil, get: { value }, set: { _, _ in })
    }

    /// The value.
    public var wrappedValue: Value {
        get { read() }
        nonmutating set {
            guard hasTransaction || transaction != Transaction() else {
                return write(newValue, Transaction.current ?? Transaction())
            }
            withTransaction(transaction) { write(newValue, transaction) }
        }
    }

    /// The binding itself.
    public var projectedValue: Binding<Value> { self }

    /// The same value, changed within a transaction.
    public func transaction(_ transaction: Transaction) -> Binding<Value> {
        var binding = self
        binding.transaction = transaction
        binding.hasTransaction = true
        return binding
    }

    /// The same value, changed with an animation; with nil, without one.
    public func animation(_ animation: Animation? = .default) -> Binding<Value> {
        var transaction = transaction
        transaction.animation = animation
        return self.transaction(transaction)
    }

    /// A binding to something in the value.
    public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> {
        derived(step: keyPath, get: { $0[keyPath: keyPath] }, set: { $0[keyPath: keyPath] = $1 })
    }

    /// A binding to a part of the value, which has the same transaction.
    func derived<Part>(
        step: AnyHashable, get: @escaping @MainActor (Value) -> Part,
        set: @escaping @MainActor (inout Value, Part) -> Void
    ) -> Binding<Part> {
        var part = Binding<Part>(
            identity: identity?.appending(step), get: { get(read()) },
            set: { newValue, transaction in
                var value = read()
                set(&value, newValue)
                write(value, transaction)
            })
        part.transaction = transaction
        part.hasTransaction = hasTransaction
        return part
    }
}

/// What a binding leads to: something in the value of an object.
struct BindingIdentity {
    let root: AnyObject
    let path: [AnyHashable]

    func appending(_ step: AnyHashable) -> BindingIdentity { BindingIdentity(root: root, path: path + [step]) }

    func isSame(as other: BindingIdentity) -> Bool { root === other.root && path == other.path }
}

extension Binding: HostedProperty {
    mutating func mount(in place: PropertyPlace) {}

    func showsSame(as other: Self) -> Bool {
        guard let identity, let other = other.identity else { return false }
        return identity.isSame(as: other)
    }
}
