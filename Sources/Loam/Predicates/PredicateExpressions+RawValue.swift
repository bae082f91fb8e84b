public import Foundation

extension PredicateExpressions {
    /// What the macro writes for `rawValue`: a key path that fetches recognize, whatever the enum.
    public static func build_rawValue<Root>(_ root: Root) -> KeyPath<Root, Root.Output.RawValue>
    where Root.Output: RawRepresentable {
        build_KeyPath(root: root, keyPath: \Root.Output._rawValue)
    }
}

extension RawRepresentable {
    /// The raw value, under a name of this library's own. Part of what `#Predicate` expands to.
    public var _rawValue: RawValue { rawValue }

    static func isRawValue(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self._rawValue }
}
