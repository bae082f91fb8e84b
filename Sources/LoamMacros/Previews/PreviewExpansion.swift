public import SwiftSyntax
public import SwiftSyntaxMacros

/// `#Preview`: its view is checked by the compiler, and nobody shows it; it expands to nothing.
open class PreviewExpansion: DeclarationMacro {
    /// Generates no declarations.
    ///
    /// - Throws: nothing.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
