public import Observation

/// What a view is given by those around it: values by key, and observable objects by type.
///
/// A copy costs a reference count; setting a value copies the table, which has an entry for each key that was set. Reading
/// is O(1). A value belongs to the isolation that uses it: the host's is the main actor's.
public struct EnvironmentValues: CustomStringConvertible {
    private var entries: [ObjectIdentifier: EnvironmentEntry] = [:]
    /// Told of what is read through this copy.
    var reads: EnvironmentReads?

    /// No value but the defaults.
    public init() {}

    /// The value of a key: the one set last around the view, else the key's default.
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value {
        get {
            reads?.insert(ObjectIdentifier(key))
            let entry = entries[ObjectIdentifier(key)] as? TypedEnvironmentEntry<Key.Value>
            return entry?.value ?? Key.defaultValue
        }
        set { set(newValue, for: ObjectIdentifier(key)) }
    }

    /// The object of a type; nil where nobody has given one.
    public subscript<Object: AnyObject & Observable>(object: Object.Type) -> Object? {
        get {
            reads?.insert(ObjectIdentifier(object))
            return (entries[ObjectIdentifier(object)] as? TypedEnvironmentEntry<Object>)?.value
        }
        set {
            if let newValue {
                set(newValue, for: ObjectIdentifier(object))
            } else {
                entries[ObjectIdentifier(object)] = nil
            }
        }
    }

    /// The number of values that were set.
    public var description: String { "EnvironmentValues(\(entries.count) set)" }

    private mutating func set<Value>(_ value: Value, for key: ObjectIdentifier) {
        entries[key] = TypedEnvironmentEntry(value)
    }

    /// Whether a view that read these keys in one would read the same in the other. O(keys).
    func agrees(with other: EnvironmentValues, on keys: Set<ObjectIdentifier>) -> Bool {
        keys.allSatisfy { Self.areEqual(entries[$0], other.entries[$0]) }
    }

    /// Whether every view would read the same in both. O(values that are set).
    func agrees(with other: EnvironmentValues) -> Bool {
        entries.count == other.entries.count && entries.allSatisfy { Self.areEqual($1, other.entries[$0]) }
    }

    private static func areEqual(_ left: EnvironmentEntry?, _ right: EnvironmentEntry?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.isEqual(to: right)
    }
}
