public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Transient`: a mark that `@Model` reads; it expands to nothing. Computed properties may have it too.
open class TransientExpansion: PeerMacro {
    /// Generates no peers, and says where the mark is on something else than a property.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if !declaration.is(VariableDeclSyntax.self) { context.diagnose(.markOnNoProperty(node.baseName), at: node) }
        return []
    }
}
