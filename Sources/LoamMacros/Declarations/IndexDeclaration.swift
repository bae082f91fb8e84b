import SwiftSyntax

/// `#Index` or `#Unique` in the body of a model class.
struct IndexDeclaration {
    enum Kind: String { case index = "Index", unique = "Unique" }

    let kind: Kind
    let node: MacroExpansionDeclSyntax

    /// Reads `#Index` or `#Unique`; nil for any other declaration.
    init?(_ declaration: DeclSyntax) {
        guard let node = declaration.as(MacroExpansionDeclSyntax.self), let kind = Kind(rawValue: node.macroName.text)
        else { return nil }
        (self.kind, self.node) = (kind, node)
    }

    /// The expression of the metadata for `model`.
    func metadata(of model: String) -> String {
        let arguments = node.arguments.map { $0.with(\.trailingComma, nil).trimmedDescription }
        return "Loam.Schema.\(kind.rawValue)<\(model)>(\(arguments.joined(separator: ", ")))"
    }

    /// The type in angle brackets.
    var subject: GenericArgumentSyntax? { node.genericArgumentClause?.arguments.first }

    /// The key paths of all its lists, also those that functions are given.
    var keyPaths: [KeyPathExprSyntax] {
        lists.flatMap { $0.elements.compactMap { Self.keyPath($0.expression) } }
    }

    /// The key path in `\.name`, `.length(\.name)` and `.length(\.name).descending`.
    private static func keyPath(_ component: ExprSyntax) -> KeyPathExprSyntax? {
        if let member = component.as(MemberAccessExprSyntax.self) { return member.base.flatMap(keyPath) }
        if let call = component.as(FunctionCallExprSyntax.self) {
            return call.arguments.first.flatMap { keyPath($0.expression) }
        }
        return component.as(KeyPathExprSyntax.self)
    }

    /// The lists of key paths, also those in `.binary(...)` and the like.
    var lists: [ArrayExprSyntax] {
        node.arguments.compactMap { argument in
            if let list = argument.expression.as(ArrayExprSyntax.self) { return list }
            let call = argument.expression.as(FunctionCallExprSyntax.self)
            return call?.arguments.first?.expression.as(ArrayExprSyntax.self)
        }
    }
}
