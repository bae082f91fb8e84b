import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What `@Model` refuses, found from the syntax alone.
enum ModelChecks {
    /// Tells every mistake; false where nothing can be generated.
    static func check(
        _ declaration: some DeclGroupSyntax, node: AttributeSyntax, missing protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) -> Bool {
        guard let model = declaration.as(ClassDeclSyntax.self) else {
            diagnoseKind(of: declaration, node, in: context)
            return false
        }
        if protocols.isEmpty, let superclass = superclass(of: model) {
            context.diagnose(.superclass(superclass.trimmedDescription), at: superclass)
            return false
        }
        if let attribute = model.mainActor {
            context.diagnose(.mainActor(model.name.text), at: attribute, fixIts: [.makeNonisolated(model)])
            return false
        }
        for member in model.memberBlock.members {
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                PropertyChecks(variable: variable).run(in: context)
            } else if let conditional = member.decl.as(IfConfigDeclSyntax.self) {
                check(conditional, in: context)
            }
        }
        checkInitializer(of: model, in: context)
        InitializerChecks(of: model)?.run(in: context)
        IndexChecks.check(ModelClass(model), in: context)
        return true
    }

    private static func diagnoseKind(
        of declaration: some DeclGroupSyntax, _ node: AttributeSyntax, in context: some MacroExpansionContext
    ) {
        switch declaration.kind {
        case .structDecl:
            context.diagnose(
                .modelIsNoClass("a struct"), at: node, fixIts: [.replace(declaration.introducer, by: "final class")])
        case .actorDecl:
            context.diagnose(
                .modelIsNoClass("an actor"), at: node, fixIts: [.replace(declaration.introducer, by: "final class")])
        case .enumDecl: context.diagnose(.modelIsNoClass("an enum"), at: node)
        case .protocolDecl: context.diagnose(.modelIsNoClass("a protocol"), at: node)
        default: context.diagnose(.modelIsNoClass("an extension"), at: node)
        }
    }

    /// The superclass of a class that conforms before the macro has made it: by inheritance from a model, unless by its
    /// own word.
    private static func superclass(of model: ClassDeclSyntax) -> TypeSyntax? {
        guard let inherited = model.inheritanceClause?.inheritedTypes,
            !inherited.contains(where: { $0.type.lastName == "PersistentModel" })
        else { return nil }
        return inherited.first?.type
    }

    private static func check(_ conditional: IfConfigDeclSyntax, in context: some MacroExpansionContext) {
        for clause in conditional.clauses {
            guard case .decls(let members) = clause.elements else { continue }
            for member in members {
                guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isPersisted else { continue }
                context.diagnose(
                    .conditionalProperty(), at: variable, fixIts: [.addTransient(to: variable)])
            }
        }
    }

    /// An object that is not made from a stored row needs an initializer of the class's own.
    private static func checkInitializer(of model: ClassDeclSyntax, in context: some MacroExpansionContext) {
        guard InitializerChecks.initializers(in: model.memberBlock.members).isEmpty else { return }
        let (description, last) = (ModelClass(model), model.memberBlock.members.last)
        let indent = last?.leadingTrivia.indentation ?? .spaces(4)
        let initializer = description.memberwiseInitializer(indent: indent)
        var filled = model.memberBlock
        filled.members.append(MemberBlockItemSyntax(decl: initializer))
        context.diagnose(
            .missingInitializer(description.name), at: model.name,
            fixIts: [.replace("addInitializer", message: "add an initializer", old: model.memberBlock, by: filled)])
    }
}

extension DeclGroupSyntax {
    /// `@MainActor` on the declaration itself.
    var mainActor: AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.baseName == "MainActor" }
    }
}

extension FixIt {
    /// Puts `nonisolated` in the place of `@MainActor`, which also holds where a module's default is the main actor.
    fileprivate static func makeNonisolated(_ model: ClassDeclSyntax) -> FixIt {
        var free = model
        free.attributes = free.attributes.filter { $0.as(AttributeSyntax.self)?.baseName != "MainActor" }
        free.modifiers = [DeclModifierSyntax(name: .keyword(.nonisolated, trailingTrivia: .space))] + free.modifiers
        free.leadingTrivia = model.leadingTrivia
        return .replace("makeNonisolated", message: "replace '@MainActor' with 'nonisolated'", old: model, by: free)
    }
}

extension Trivia {
    /// The spaces and tabs after the last line break.
    var indentation: Trivia {
        Trivia(pieces: pieces.reversed().prefix { !$0.isNewline }.reversed().filter(\.isSpaceOrTab))
    }
}

extension ModelClass {
    /// The initializer that takes a value for each persisted property without a default.
    fileprivate func memberwiseInitializer(indent: Trivia) -> DeclSyntax {
        let asked = properties.filter(\.needsValue)
        let parameters = asked.map { "\($0.identifier.text): \($0.valueType?.description ?? "Any")" }
        let lines = asked.map { "\(indent)    self.\($0.identifier.text) = \($0.identifier.text)\n" }
        let text = """
            \n\n\(indent)\(accessLevel)init(\(parameters.joined(separator: ", "))) {
            \(lines.joined())\(indent)}
            """
        return DeclSyntax(stringLiteral: text)
    }
}
