/// One value of an environment. The values of two environments are the same where their entries are equal.
class EnvironmentEntry {
    /// Whether a view that read one would read the same in the other. False where that cannot be known.
    func isEqual(to other: EnvironmentEntry) -> Bool { self === other }
}

final class TypedEnvironmentEntry<Value>: EnvironmentEntry {
    let value: Value

    init(_ value: Value) { self.value = value }

    override func isEqual(to other: EnvironmentEntry) -> Bool {
        if self === other { return true }
        guard let other = other as? Self else { return false }
        return FieldComparison.areEqual(value, other.value)
    }
}

/// Which keys of an environment were read through one copy of it. Confined to the isolation that reads.
final class EnvironmentReads {
    private(set) var keys: Set<ObjectIdentifier> = []

    func insert(_ key: ObjectIdentifier) { keys.insert(key) }
}
