import Observation

// What programs call that reach properties by key path, or that tell observers of properties of their own.
extension PersistentModel {
    /// The value of a property. Costs what reading the property costs: the first time it may read the record from the
    /// store, and a to-many relationship takes O(members).
    public func getValue<Value>(forKey key: KeyPath<Self, Value>) -> Value { self[keyPath: key] }

    /// Sets a property, and costs what assigning to it costs: O(1) for an attribute whose record was read, O(members)
    /// for a to-many relationship.
    public func setValue<Value>(forKey key: ReferenceWritableKeyPath<Self, Value>, to newValue: Value) {
        self[keyPath: key] = newValue
    }

    /// Tells observers that a property is read which the library does not know of, a computed one say.
    public func access<Member>(keyPath: KeyPath<Self, Member>) {
        _access(self, keyPath)
    }

    /// Tells observers that a property which the library does not know of changes in a closure.
    ///
    /// The context learns nothing by this: properties that are stored tell it themselves.
    ///
    /// - Throws: what the closure throws.
    public func withMutation<Member, Result>(
        keyPath: KeyPath<Self, Member>, _ mutation: () throws -> Result
    ) rethrows -> Result {
        let registrar = _$backing?.registrar
        registrar?.willSet(self, keyPath: keyPath)
        defer { registrar?.didSet(self, keyPath: keyPath) }
        return try mutation()
    }
}
