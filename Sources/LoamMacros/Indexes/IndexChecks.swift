import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Model` refuses of `#Index` and `#Unique` in the class.
enum IndexChecks {
    static func check(_ model: ModelClass, in context: some MacroExpansionContext) {
        var seen: Set<IndexDeclaration.Kind> = []
        for index in model.indexes {
            if !seen.insert(index.kind).inserted {
                context.diagnose(.secondDeclaration(index.kind.rawValue), at: index.node)
            }
            check(index, of: model, in: context)
        }
    }

    private static func check(
        _ index: IndexDeclaration, of model: ModelClass, in context: some MacroExpansionContext
    ) {
        if let subject = index.subject, subject.argument.lastName != model.name {
            context.diagnose(
                .otherModel(index.kind.rawValue, other: subject.argument.lastName, model: model.name),
                at: subject.argument,
                fixIts: [
                    .replace(
                        "replaceModel", message: "replace '\(subject.argument.lastName)' with '\(model.name)'",
                        old: subject,
                        by: subject.with(\.argument, .init(TypeSyntax("\(raw: model.name)"))))
                ])
        }
        if index.node.arguments.isEmpty { context.diagnose(.noKeyPaths(index.kind.rawValue), at: index.node) }
        for argument in index.node.arguments { check(argument.expression, in: context) }
        // SwiftData takes an empty list beside others in '#Unique', and so does code written for it.
        let mayBeEmpty = index.kind == .unique && index.lists.contains { !$0.elements.isEmpty }
        for list in index.lists where list.elements.isEmpty && !mayBeEmpty {
            context.diagnose(.noKeyPaths(index.kind.rawValue), at: list)
        }
        for keyPath in index.keyPaths { check(keyPath, of: model, in: context) }
    }

    private static func check(_ argument: ExprSyntax, in context: some MacroExpansionContext) {
        if let call = argument.as(FunctionCallExprSyntax.self), call.calledExpression.optionName == "rtree" {
            context.diagnose(.rtree(), at: argument)
        } else if !argument.is(ArrayExprSyntax.self), !argument.is(FunctionCallExprSyntax.self) {
            context.diagnose(.listIsNoLiteral(), at: argument)
        }
    }

    private static func check(
        _ keyPath: KeyPathExprSyntax, of model: ModelClass, in context: some MacroExpansionContext
    ) {
        guard keyPath.components.count == 1 else { return context.diagnose(.deepKeyPath(), at: keyPath) }
        guard case .property(let component) = keyPath.components.first?.component else {
            return context.diagnose(.deepKeyPath(), at: keyPath)
        }
        let name = component.declName.baseName.unquoted
        guard model.ordinal(of: name) == nil else { return }
        context.diagnose(.unknownProperty(name, model: model.name), at: keyPath)
    }
}

extension GenericArgumentSyntax.Argument {
    /// The last component of the type's name.
    fileprivate var lastName: String {
        guard case .type(let type) = self else { return trimmedDescription }
        return type.trimmed.lastName
    }
}
