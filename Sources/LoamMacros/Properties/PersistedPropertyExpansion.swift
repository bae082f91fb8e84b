public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@_PersistedProperty`, which `@Model` puts on each property that the store keeps: accessors that read the record
/// when a value is first asked for, and the field that holds the value from then on.
open class PersistedPropertyExpansion: AccessorMacro, PeerMacro {
    /// The init accessor, the getter and the setter.
    ///
    /// An init accessor has no `self`, so the other side of a relationship does not hear of what it is given. Only a
    /// macro that writes the initializer's body anew could tell it, and inside such a body an editor no longer finds
    /// what a name means.
    ///
    /// No access to the field spans a call into the library: loading a value can bring the object up to date, which
    /// writes its fields.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there are none.
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let property = DeclaredProperty(declaration), let ordinal = node.argumentList?.first?.expression.trimmed
        else {
            return []
        }
        let (field, keyPath) = (property.fieldName, "\\.\(property.identifier.text)")
        let (load, assign) = property.isTransformed ? ("_loadTransformed", "_assignTransformed") : ("_load", "_assign")
        return [
            """
            @storageRestrictions(initializes: \(raw: field))
            init(initialValue) {
                \(raw: field) = Loam._Field(initialValue)
            }
            """,
            """
            get {
                Loam._access(self, \(raw: keyPath))
                if let value = \(raw: field).value {
                    return value
                }
                var field = \(raw: field)
                let value = Loam.\(raw: load)(self, \(ordinal), into: &field)
                \(raw: field) = field
                return value
            }
            """,
            """
            set {
                Loam._willSet(self, \(ordinal), \(raw: keyPath))
                \(raw: field) = Loam.\(raw: assign)(newValue, to: \(ordinal), of: self)
                Loam._didSet(self, \(raw: keyPath))
            }
            """,
        ]
    }

    /// Generates the field, empty or with the initializer of the property.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there is none.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = DeclaredProperty(declaration) else { return [] }
        let field = property.fieldName
        if let type = property.valueType { return ["private var \(raw: field): Loam._Field<\(type)>"] }
        guard let value = property.defaultValue else { return [] }
        // The initializer gives the type here and its value to the init accessor; it is run once.
        return ["private var \(raw: field) = Loam._Field(_like: \(value))"]
    }
}
