import SwiftDiagnostics
import SwiftSyntax

/// What `#Predicate` and `#Expression` cannot do; each sentence stands here once.
enum PredicateDiagnostic {
    case closureExpected
    case parameters
    case empty
    case valueExpected
    case variable
    case pattern
    case uninitialized
    case declaration
    case loop
    case statement
    case expression
    case assignment
    case `operator`(String)
    case function(String)
    case cast
    case effect
    case switchExpression
    case missingElse
    case condition

    /// - Parameter whole: what the macro makes, with its article.
    private func message(about whole: String) -> String {
        let start = whole.prefix(1).uppercased() + whole.dropFirst()
        return switch self {
        case .closureExpected: "\(start) needs a closure literal, or a key path in place of a closure inside it"
        case .parameters: "A closure in \(whole) takes exactly one parameter"
        case .empty: "\(start) needs an expression"
        case .valueExpected:
            "Only 'let', 'if' and 'guard' may stand before the value of \(whole), which 'return' gives"
        case .variable: "\(start) has no variables; use 'let'"
        case .pattern: "A 'let' in \(whole) names one value; write one 'let' for each"
        case .uninitialized:
            "A 'let' in \(whole) needs its value where it stands, as in 'let a = if b { c } else { d }'"
        case .declaration:
            "Only values can be declared in \(whole), with 'let'; an '#Expression' outside of it does what a function "
                + "would"
        case .loop:
            "\(start) cannot loop; ask the collection with 'contains(where:)', 'allSatisfy(_:)' or 'filter(_:)'"
        case .statement: "This statement cannot be part of \(whole); 'let', 'if', 'guard' and 'return' can"
        case .expression: "This expression cannot be part of \(whole)"
        case .assignment: "\(start) cannot assign"
        case .operator(let symbol): "The operator '\(symbol)' is not supported in \(whole)"
        case .function(let name):
            "The function '\(name)' is not supported in \(whole); compute values that do not depend on the row "
                + "outside of it"
        case .cast: "Type casts and checks are not supported in \(whole) over a model"
        case .effect: "\(start) cannot throw or wait; compute the value before"
        case .switchExpression: "'switch' is not supported in \(whole); use '?:' or 'if' with 'else'"
        case .missingElse: "'if' in \(whole) needs an 'else', or a value after it"
        case .condition: "This condition cannot be part of \(whole); a Bool and 'let' with an optional can"
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

    func error(at node: some SyntaxProtocol, in form: PredicateForm) -> any Error {
        DiagnosticsError(diagnostics: [Diagnostic(node: Syntax(node), message: message(message(about: form.name)))])
    }

    func error(
        at node: some SyntaxProtocol, in form: PredicateForm, replacing old: some SyntaxProtocol,
        with new: some SyntaxProtocol, fixIt: String
    ) -> any Error {
        let change = FixIt.Change.replace(oldNode: Syntax(old), newNode: Syntax(new))
        return DiagnosticsError(diagnostics: [
            Diagnostic(
                node: Syntax(node), message: message(message(about: form.name)),
                fixIts: [FixIt(message: message(fixIt), changes: [change])])
        ])
    }
}
