import SwiftSyntax
import SwiftSyntaxBuilder

/// What a closure becomes: the two macros read and write alike.
enum PredicateForm {
    case predicate
    case expression

    /// Its name in messages, with the article.
    var name: String {
        switch self {
        case .predicate: "a predicate"
        case .expression: "an '#Expression'"
        }
    }

    /// The type that the expansion makes.
    private var type: String {
        switch self {
        case .predicate: "Loam._Predicate"
        case .expression: "Loam._Expression"
        }
    }

    /// The construction of the value, a statement for each node.
    ///
    /// - Throws: `DiagnosticsError` at the part of the closure that the value cannot have.
    func expansion(of node: some FreestandingMacroExpansionSyntax) throws -> ExprSyntax {
        guard let closure = node.trailingClosure ?? node.arguments.first?.expression.as(ClosureExprSyntax.self) else {
            throw PredicateDiagnostic.closureExpected.error(at: node, in: self)
        }
        var reader = PredicateReader(self, names: PredicateNames(avoiding: closure))
        let (rows, body) = try reader.outermost(closure)
        let lines = PredicateWriter.lines(returning: result(body), indentation: 1, prefix: reader.names.node)
        let types = node.genericArgumentClause?.trimmedDescription ?? ""
        return """
            \(raw: type)\(raw: types)({ \(raw: rows.joined(separator: ", ")) in
            \(raw: lines.joined(separator: "\n"))
            })
            """
    }

    /// An expression's value may have to become an optional one, as a function's does.
    private func result(_ body: PredicateNode) -> PredicateNode {
        switch self {
        case .predicate: body
        case .expression: .unary("Result", operand: body)
        }
    }
}
