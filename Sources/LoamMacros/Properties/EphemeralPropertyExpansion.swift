public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@_EphemeralProperty`, which `@Model` puts on each property that is kept in memory only: accessors that tell
/// observers, and the field behind them.
open class EphemeralPropertyExpansion: AccessorMacro, PeerMacro {
    /// Generates the init accessor, the getter and the setter.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there are none.
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = DeclaredProperty(declaration) else { return [] }
        let (field, keyPath) = (property.fieldName, "\\.\(property.identifier.text)")
        return [
            """
            @storageRestrictions(initializes: \(raw: field))
            init(initialValue) {
                \(raw: field) = initialValue
            }
            """,
            """
            get {
                Loam._access(self, \(raw: keyPath))
                return \(raw: field)
            }
            """,
            """
            set {
                Loam._willSet(self, \(raw: keyPath))
                \(raw: field) = newValue
                Loam._didSet(self, \(raw: keyPath))
            }
            """,
        ]
    }

    /// Generates the field that holds the value.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there is none.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = DeclaredProperty(declaration) else { return [] }
        if let type = property.valueType { return ["private var \(raw: property.fieldName): \(type)"] }
        guard let value = property.defaultValue else { return [] }
        // The initializer gives the type here as well as the value.
        return ["private var \(raw: property.fieldName) = \(value)"]
    }
}
