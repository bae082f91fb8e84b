public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Transient`: a mark that `@Model` reads; it expands to nothing.
open class TransientExpansion: PeerMacro {
    /// No peers.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        _ = MarkChecks.property(node, declaration, in: context)
        return []
    }
}
