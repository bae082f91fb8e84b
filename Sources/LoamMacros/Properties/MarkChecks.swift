import SwiftSyntax
import SwiftSyntaxMacros

/// What the marks on properties, `@Attribute`, `@Relationship` and `@Transient`, refuse alike.
enum MarkChecks {
    /// The property under the mark; nil, with a diagnostic, where the mark has no meaning.
    static func property(
        _ node: AttributeSyntax, declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) -> VariableDeclSyntax? {
        guard let variable = declaration.as(VariableDeclSyntax.self) else {
            context.diagnose(.markOnNoProperty(node.baseName), at: node)
            return nil
        }
        guard variable.isStoredInInstance else {
            context.diagnose(
                .markOnUnstoredProperty(node.baseName), at: node, fixIts: [.remove(node, from: variable)])
            return nil
        }
        if node.baseName != "Transient", let transient = variable.attribute("Transient") {
            context.diagnose(
                .markOnTransient(node.baseName), at: node,
                fixIts: [.remove(transient, from: variable), .remove(node, from: variable)])
            return nil
        }
        return variable
    }

    /// A name in an attribute is read at compile time.
    static func checkLiteral(_ argument: LabeledExprSyntax, in context: some MacroExpansionContext) {
        guard !argument.expression.is(NilLiteralExprSyntax.self) else { return }
        let segments = argument.expression.as(StringLiteralExprSyntax.self)?.segments ?? []
        if segments.count == 1, case .stringSegment(let only) = segments.first, !only.content.text.isEmpty { return }
        context.diagnose(.nameIsNoLiteral(argument.label?.text ?? ""), at: argument.expression)
    }
}
