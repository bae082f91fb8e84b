public import SwiftSyntax
public import SwiftSyntaxMacros

/// `#Predicate` over a model: a `Foundation.Predicate` that is built statement by statement.
///
/// Foundation's own macro nests all nodes in one expression, which takes the type checker seconds from some ten terms
/// on; here every node is a statement of its own. What does not mention the row is captured as it stands.
open class PredicateExpansion: ExpressionMacro {
    /// The expansion is laid out already.
    public static var formatMode: FormatMode { .disabled }

    /// Generates the construction of the predicate, a statement for each node.
    ///
    /// - Throws: `DiagnosticsError` at the part of the closure that a predicate cannot have.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        try PredicateForm.predicate.expansion(of: node)
    }
}
