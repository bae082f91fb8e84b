import SwiftSyntax

/// The type of a model's `id`, as the class's source tells it.
///
/// The compiler finds it by itself, but not from every file: where the class was not compiled together with the file that
/// asks, it takes the type that it has found for inaccessible. So `@Model` writes it out.
enum ModelIdentity {
    /// Nil where the class says what its `ID` is, where the source does not tell, and where the class can be seen from
    /// further away than its `id`, which is none that others see then.
    ///
    /// - Parameter accessLevel: the class's, as ``ModelClass/accessLevel``.
    static func type(in declaration: some DeclGroupSyntax, accessLevel: String) -> String? {
        let members = declaration.memberBlock.members.map(\.decl)
        if members.contains(where: { $0.asProtocol((any NamedDeclSyntax).self)?.name.text == "ID" }) { return nil }
        let variables = members.compactMap { $0.as(VariableDeclSyntax.self) }
            .filter { !$0.has(.static) && !$0.has(.class) }
        for variable in variables {
            for binding in variable.bindings
            where binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "id" {
                return variable.isSeen(with: accessLevel) ? type(of: binding) : nil
            }
        }
        let isConditional = members.contains { $0.is(IfConfigDeclSyntax.self) }
        return isConditional ? nil : "Loam.PersistentIdentifier"
    }

    private static func type(of binding: PatternBindingSyntax) -> String? {
        if let type = binding.typeAnnotation?.type {
            let isNamed = !type.is(SomeOrAnyTypeSyntax.self) && !type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
            let text = type.trimmedDescription
            return isNamed && text != "ID" && !text.hasPrefix("Self") ? text : nil
        }
        guard let value = binding.initializer?.value else { return nil }
        if value.is(StringLiteralExprSyntax.self) { return "String" }
        if value.is(IntegerLiteralExprSyntax.self) { return "Int" }
        let call = value.as(FunctionCallExprSyntax.self)?.calledExpression.as(DeclReferenceExprSyntax.self)
        return call?.baseName.text == "UUID" ? "UUID" : nil
    }
}

extension VariableDeclSyntax {
    /// Whether it is read from wherever a class of an access level is seen.
    fileprivate func isSeen(with accessLevel: String) -> Bool {
        let levels = modifiers.filter { $0.detail == nil }.map(\.name.text)
        switch accessLevel {
        case "public ": return levels.contains("public") || levels.contains("open")
        case "package ": return levels.contains("public") || levels.contains("package")
        default: return !levels.contains("private") && !levels.contains("fileprivate")
        }
    }
}
