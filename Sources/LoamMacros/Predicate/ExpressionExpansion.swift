public import SwiftSyntax
public import SwiftSyntaxMacros

/// `#Expression`: a `Foundation.Expression` that is built statement by statement, as predicates are.
open class ExpressionExpansion: ExpressionMacro {
    /// The expansion is laid out already.
    public static var formatMode: FormatMode { .disabled }

    /// Generates the construction of the expression, a statement for each node.
    ///
    /// - Throws: `DiagnosticsError` at the part of the closure that an expression cannot have.
    public static func expansion(
        of node: some FreestandingMacroExpansionSyntax, in context: some MacroExpansionContext
    ) throws -> ExprSyntax {
        try PredicateForm.expression.expansion(of: node)
    }
}
