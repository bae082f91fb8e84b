public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@Entry`: a value of the environment. The property reads and sets it by a key, which the macro declares beside it.
open class EntryExpansion: AccessorMacro, PeerMacro {
    /// Generates the getter and the setter, and says what the mark stands on where it has no meaning.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [AccessorDeclSyntax] {
        guard let entry = DeclaredEntry(declaration, in: context) else {
            context.diagnose(.entryOnNoProperty(), at: node)
            return []
        }
        guard entry.defaultValue != nil else {
            context.diagnose(.entryWithoutDefault(entry.name), at: node)
            return []
        }
        return [
            "get { self[\(raw: entry.key).self] }",
            "set { self[\(raw: entry.key).self] = newValue }",
        ]
    }

    /// Generates the key. What is wrong is said with the accessors.
    ///
    /// - Throws: nothing.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let entry = DeclaredEntry(declaration, in: context), let defaultValue = entry.defaultValue else {
            return []
        }
        let property =
            entry.type.map { "static var defaultValue: \($0.trimmed) { \(defaultValue.trimmed) }" }
            ?? "static let defaultValue = \(defaultValue.trimmed)"
        return [
            """
            private enum \(raw: entry.key): LoamUI.EnvironmentKey {
                \(raw: property)
            }
            """
        ]
    }
}

/// A stored variable in an extension of the environment's values.
private struct DeclaredEntry {
    let name: String
    let type: TypeSyntax?
    /// What is written, or nil for an optional type without it; nil where there is none.
    let defaultValue: ExprSyntax?
    var key: String { "__Key_\(name)" }

    init?(_ declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext) {
        guard let variable = declaration.as(VariableDeclSyntax.self), let binding = variable.bindings.first,
            variable.bindings.count == 1, variable.bindingSpecifier.tokenKind == .keyword(.var),
            binding.accessorBlock == nil,
            !variable.modifiers.contains(where: { $0.name.tokenKind == .keyword(.static) }),
            let identifier = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier,
            let around = context.lexicalContext.first?.as(ExtensionDeclSyntax.self),
            around.extendedType.trimmedDescription.split(separator: ".").last == "EnvironmentValues"
        else { return nil }
        name = identifier.text.filter { $0 != "`" }
        type = binding.typeAnnotation?.type
        let isOptional = type.map { $0.is(OptionalTypeSyntax.self) } ?? false
        defaultValue = binding.initializer?.value ?? (isOptional ? "nil" : nil)
    }
}

extension MacroDiagnostic {
    fileprivate static func entryOnNoProperty() -> Self {
        Self(
            name: "entryOnNoProperty",
            message: "'@Entry' can only be applied to a stored variable in an extension of 'EnvironmentValues'")
    }

    fileprivate static func entryWithoutDefault(_ name: String) -> Self {
        Self(
            name: "entryWithoutDefault",
            message: "'\(name)' needs a default value: what a view reads where nobody has given one")
    }
}
