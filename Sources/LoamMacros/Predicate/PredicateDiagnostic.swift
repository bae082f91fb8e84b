import SwiftDiagnostics
import SwiftSyntax

/// What `#Predicate` cannot do; each sentence stands here once.
enum PredicateDiagnostic {
    case closureExpected
    case parameters
    case empty
    case severalStatements
    case statement
    case expression
    case assignment
    case `operator`(String)
    case function(String)
    case cast
    case effect
    case switchExpression
    case missingElse
    case mixedConditions

    var message: String {
        switch self {
        case .closureExpected: "A predicate needs a closure literal, or a key path in place of a closure inside it"
        case .parameters: "A closure in a predicate takes exactly one parameter"
        case .empty: "A predicate needs an expression"
        case .severalStatements: "A predicate is a single expression; capture intermediate values outside of it"
        case .statement: "Declarations and statements cannot be part of a predicate; only an expression can"
        case .expression: "This expression cannot be part of a predicate"
        case .assignment: "A predicate cannot assign"
        case .operator(let symbol): "The operator '\(symbol)' is not supported in a predicate"
        case .function(let name):
            "The function '\(name)' is not supported in a predicate; compute values that do not depend on the row "
                + "outside of it"
        case .cast: "Type casts and checks are not supported in a predicate over a model"
        case .effect: "A predicate cannot throw or wait; compute the value before"
        case .switchExpression: "'switch' is not supported in a predicate; use '?:' or 'if' with 'else'"
        case .missingElse: "'if' in a predicate needs an 'else'"
        case .mixedConditions: "Optional bindings, patterns and other conditions cannot be mixed in a predicate"
        }
    }

    private var identifier: String {
        switch self {
        case .operator: "operator"
        case .function: "function"
        default: "\(self)"
        }
    }

    private struct Message: DiagnosticMessage, FixItMessage {
        var message: String
        var diagnosticID: MessageID
        var severity: DiagnosticSeverity { .error }
        var fixItID: MessageID { diagnosticID }
    }

    private func message(_ text: String) -> Message {
        Message(message: text, diagnosticID: MessageID(domain: "Loam.Predicate", id: identifier))
    }

    func error(at node: some SyntaxProtocol) -> any Error {
        DiagnosticsError(diagnostics: [Diagnostic(node: Syntax(node), message: message(message))])
    }

    func error(
        at node: some SyntaxProtocol, replacing old: some SyntaxProtocol, with new: some SyntaxProtocol, fixIt: String
    ) -> any Error {
        let change = FixIt.Change.replace(oldNode: Syntax(old), newNode: Syntax(new))
        return DiagnosticsError(diagnostics: [
            Diagnostic(
                node: Syntax(node), message: message(message),
                fixIts: [FixIt(message: self.message(fixIt), changes: [change])])
        ])
    }
}
