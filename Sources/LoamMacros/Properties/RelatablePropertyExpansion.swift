public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@_RelatableProperty`, which `@Model` puts on each property that the store keeps of a class that may have
/// relationships: accessors that read the record when a value is first asked for, and the field that holds the value
/// from then on.
open class RelatablePropertyExpansion: AccessorMacro, PeerMacro {
    /// The getter and the setter.
    ///
    /// An init accessor, which has no `self`, could not tell the other side of a relationship what it is given. Without
    /// any in the class, and with a field that starts with a value, all stored properties have values before an
    /// initializer's body begins: so each assignment in it calls the setter. That the initializer sets the property is
    /// for `InitializerChecks` to see.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there are none.
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let accessors = PropertyAccessors(of: declaration, markedBy: node) else { return [] }
        return [accessors.getter, accessors.setter]
    }

    /// Generates the field, with the initial value of the property, or empty.
    ///
    /// - Throws: nothing; where the declaration is no property that it knows, there is none.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let property = DeclaredProperty(declaration) else { return [] }
        let (field, initial) = (property.fieldName, property.initialField)
        if let type = property.valueType {
            return ["@exclusivity(unchecked) private var \(raw: field): Loam._Field<\(type)> = \(raw: initial)"]
        }
        return property.defaultValue == nil ? [] : ["private var \(raw: field) = \(raw: initial)"]
    }
}
