public import Foundation

extension PredicateExpressions {
    /// What the macro writes for `rawValue` of an enum: a key path that fetches recognize, whatever the enum.
    public static func build_rawValue<Root>(
        root: Root, keyPath: any Swift.KeyPath<Root.Output, Root.Output.RawValue> & Sendable
    ) -> KeyPath<Root, Root.Output.RawValue> where Root.Output: RawRepresentable {
        build_KeyPath(root: root, keyPath: \Root.Output.rawValue)
    }

    /// What the macro writes for a property of any other type that is named `rawValue`.
    public static func build_rawValue<Root, Value>(
        root: Root, keyPath: any Swift.KeyPath<Root.Output, Value> & Sendable
    ) -> KeyPath<Root, Value> {
        build_KeyPath(root: root, keyPath: keyPath)
    }
}

extension RawRepresentable {
    /// Whether a key path leads to the raw value: as code that is generic over the protocol names it, which is what our
    /// macro expands to; as Foundation's macro writes it, which is a key path of each type's own, known by giving the
    /// raw value for every case of an enum; or as a stored property.
    static func isRawValue(_ keyPath: AnyKeyPath) -> Bool {
        if keyPath == \Self.rawValue { return true }
        guard let keyPath = keyPath as? KeyPath<Self, RawValue> else { return false }
        if keyPath.storedPropertyName == "rawValue" { return true }
        guard let cases = EnumCases.all(Self.self), !cases.isEmpty else { return false }
        return cases.allSatisfy { isEqual($0[keyPath: keyPath], $0.rawValue) }
    }

    private static func isEqual(_ left: Any, _ right: Any) -> Bool {
        guard let left = left as? any Equatable else { return false }
        func compare<T: Equatable>(_ left: T) -> Bool { left == right as? T }
        return compare(left)
    }
}
