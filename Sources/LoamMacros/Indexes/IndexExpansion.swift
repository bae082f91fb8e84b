public import SwiftSyntax
public import SwiftSyntaxMacros

/// `#Index` and `#Unique`: what they declare is read by `@Model`; they expand to nothing.
open class IndexExpansion: DeclarationMacro {
    /// Generates no declarations, and says where it stands outside of a model.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        let enclosing = context.lexicalContext.first?.as(ClassDeclSyntax.self)
        let isInModel = enclosing?.attributes.contains { $0.as(AttributeSyntax.self)?.baseName == "Model" } ?? false
        if !isInModel { context.diagnose(.indexOutsideModel(node.macroName.text), at: node) }
        return []
    }
}
