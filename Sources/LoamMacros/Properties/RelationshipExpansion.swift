public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Relationship`: a mark that `@Model` reads; it expands to nothing, and says what cannot be a relationship.
open class RelationshipExpansion: PeerMacro {
    /// Generates no peers, and says what is wrong with the mark.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let variable = MarkChecks.property(node, declaration: declaration, in: context) else { return [] }
        checkValue(of: variable, node, in: context)
        for argument in node.argumentList ?? [] {
            switch argument.label?.text {
            case nil: context.diagnose(.relationshipOption(argument.expression.optionName), at: argument.expression)
            case "originalName": MarkChecks.checkLiteral(argument, in: context)
            case "inverse": checkInverse(argument.expression, in: context)
            default: break
            }
        }
        checkCounts(node, in: context)
        return []
    }

    /// A relationship leads to models: types that are known to be values are told.
    private static func checkValue(
        of variable: VariableDeclSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext
    ) {
        guard let binding = variable.bindings.first else { return }
        let value = binding.typeAnnotation?.type.elementName ?? binding.initializer?.value.literalType
        guard let value, valueTypes.contains(value) else { return }
        context.diagnose(
            .relationshipToValue(binding.pattern.trimmedDescription, type: value), at: node,
            fixIts: [.remove(node, from: variable)])
    }

    private static func checkInverse(_ inverse: ExprSyntax, in context: some MacroExpansionContext) {
        guard !inverse.is(NilLiteralExprSyntax.self) else { return }
        guard let keyPath = inverse.as(KeyPathExprSyntax.self) else {
            return context.diagnose(.inverseIsNoKeyPath(), at: inverse)
        }
        if keyPath.root == nil || keyPath.components.count != 1 {
            context.diagnose(.inverseWithoutRoot(), at: inverse)
        }
    }

    private static func checkCounts(_ node: AttributeSyntax, in context: some MacroExpansionContext) {
        func count(_ label: String) -> Int? {
            let argument = node.argumentList?.first { $0.label?.text == label }
            return argument.flatMap { Int($0.expression.trimmedDescription) }
        }
        // A maximum of 0 is none.
        guard let minimum = count("minimumModelCount"), let maximum = count("maximumModelCount"), maximum > 0,
            minimum > maximum
        else { return }
        context.diagnose(.countsCross(minimum, maximum: maximum), at: node)
    }

    private static let valueTypes: Set<String> = [
        "Bool", "Character", "Data", "Date", "Decimal", "Double", "Float", "Int", "Int8", "Int16", "Int32", "Int64",
        "String", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "URL", "UUID",
    ]
}

extension TypeSyntax {
    /// The name of the type inside optionals and arrays.
    fileprivate var elementName: String? {
        if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType.elementName }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.elementName }
        return self.as(IdentifierTypeSyntax.self)?.name.text ?? self.as(MemberTypeSyntax.self)?.name.text
    }
}

extension ExprSyntax {
    /// The type that a literal has by default.
    fileprivate var literalType: String? {
        switch kind {
        case .stringLiteralExpr: "String"
        case .integerLiteralExpr: "Int"
        case .floatLiteralExpr: "Double"
        case .booleanLiteralExpr: "Bool"
        default: nil
        }
    }
}
