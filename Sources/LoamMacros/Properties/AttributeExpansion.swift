public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Attribute`: a mark that `@Model` reads; it expands to nothing, and says what it cannot keep.
open class AttributeExpansion: PeerMacro {
    /// Generates no peers, and says what is wrong with the mark.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let variable = MarkChecks.property(node, declaration: declaration, in: context) else { return [] }
        if let other = variable.attribute("Relationship") {
            context.diagnose(.attributeAndRelationship(), at: node, fixIts: [.remove(other, from: variable)])
        }
        for argument in node.argumentList ?? [] {
            check(argument, in: context)
        }
        return []
    }

    private static func check(_ argument: LabeledExprSyntax, in context: some MacroExpansionContext) {
        switch argument.label?.text {
        case nil:
            let option = argument.expression.optionName
            if !supportedOptions.contains(option) { context.diagnose(.option(option), at: argument.expression) }
        case "originalName":
            MarkChecks.checkLiteral(argument, in: context)
        default: break
        }
    }

    /// Long values lie apart by themselves, `Codable` values are kept as such without being told, and there is no
    /// Spotlight and no cloud here.
    private static let supportedOptions: Set<String> = [
        "allowsCloudEncryption", "codable", "ephemeral", "externalStorage", "preserveValueOnDeletion", "spotlight",
        "transformable", "unique",
    ]
}

extension AttributeSyntax {
    /// Whether an `@Attribute` gives a former name or a hash alone, which the properties of both kinds may have.
    var saysNoKind: Bool { argumentList.map { !$0.isEmpty && $0.allSatisfy { $0.label != nil } } ?? false }

    /// Whether an option of this name is among the arguments of an `@Attribute`.
    func hasOption(_ name: String) -> Bool {
        argumentList?.contains { $0.label == nil && $0.expression.optionName == name } ?? false
    }
}

extension ExprSyntax {
    /// `unique` of `.unique`, `Schema.Attribute.Option.unique` and `.unique(...)`.
    var optionName: String {
        if let call = self.as(FunctionCallExprSyntax.self) { return call.calledExpression.optionName }
        return self.as(MemberAccessExprSyntax.self)?.declName.baseName.text ?? trimmedDescription
    }
}
