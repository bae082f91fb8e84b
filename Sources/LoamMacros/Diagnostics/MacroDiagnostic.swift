import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What a macro says of source that it cannot take. The texts are in the extensions, one place per macro.
struct MacroDiagnostic: DiagnosticMessage {
    let name: String
    let message: String
    var severity = DiagnosticSeverity.error

    var diagnosticID: MessageID { MessageID(domain: "Loam", id: name) }
}

/// A change of the source that a diagnostic offers.
struct MacroFixIt: FixItMessage {
    let name: String
    let message: String

    var fixItID: MessageID { MessageID(domain: "Loam", id: name) }
}

extension MacroExpansionContext {
    func diagnose(_ diagnostic: MacroDiagnostic, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        diagnose(Diagnostic(node: node, message: diagnostic, fixIts: fixIts))
    }
}

extension FixIt {
    /// Replaces a node by another of its kind.
    static func replace(
        _ name: String, message: String, old: some SyntaxProtocol, by new: some SyntaxProtocol
    ) -> FixIt {
        FixIt(
            message: MacroFixIt(name: name, message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Replaces a keyword, with the space around it kept.
    static func replace(_ keyword: TokenSyntax, by new: String) -> FixIt {
        .replace(
            "replaceKeyword", message: "replace '\(keyword.text)' with '\(new)'", old: keyword,
            by: keyword.with(\.tokenKind, .identifier(new)))
    }

    /// Puts `@Transient` before a declaration.
    static func addTransient(to declaration: VariableDeclSyntax) -> FixIt {
        var marked = declaration
        marked.leadingTrivia = []
        let attribute = AttributeSyntax(attributeName: TypeSyntax("Transient")).with(\.trailingTrivia, .space)
        marked.attributes = [.attribute(attribute)] + marked.attributes
        marked.leadingTrivia = declaration.leadingTrivia
        return .replace(
            "addTransient", message: "mark it '@Transient' to keep it out of the store", old: declaration, by: marked)
    }

    /// Takes an attribute off a declaration.
    static func remove(_ attribute: AttributeSyntax, from declaration: VariableDeclSyntax) -> FixIt {
        var rest = declaration
        rest.attributes = rest.attributes.filter { $0.as(AttributeSyntax.self)?.baseName != attribute.baseName }
        rest.leadingTrivia = declaration.leadingTrivia
        return .replace("removeAttribute", message: "remove '@\(attribute.baseName)'", old: declaration, by: rest)
    }
}
