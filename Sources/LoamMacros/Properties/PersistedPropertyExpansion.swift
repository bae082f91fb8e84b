public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@_PersistedProperty`, which `@Model` puts on each property that the store keeps of a class without relationships:
/// accessors that read the record when a value is first asked for, and the field that holds the value from then on.
open class PersistedPropertyExpansion: AccessorMacro, PeerMacro {
    /// The init accessor, the getter and the setter.
    ///
    /// With the init accessor the compiler itself sees to it that an initializer sets the property. It has no `self`, and
    /// so cannot tell the other side of a relationship: see ``RelatablePropertyExpansion``.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there are none.
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let accessors = PropertyAccessors(of: declaration, markedBy: node) else { return [] }
        let field = accessors.property.fieldName
        return [
            """
            @storageRestrictions(initializes: \(raw: field))
            init(initialValue) {
                \(raw: field) = Loam._Field(initialValue)
            }
            """,
            accessors.getter, accessors.setter,
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
        // Accessors alone use the field, and none of their accesses to it lasts: nothing has to be watched over.
        if let type = property.valueType {
            return ["@exclusivity(unchecked) private var \(raw: field): Loam._Field<\(type)>"]
        }
        guard let value = property.defaultValue else { return [] }
        // The initializer gives the type here and its value to the init accessor; it is run once.
        return ["@exclusivity(unchecked) private var \(raw: field) = Loam._Field(_like: \(value))"]
    }
}
