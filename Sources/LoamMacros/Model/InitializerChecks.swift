import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// Whether the initializers of a class whose fields start empty set every property that needs a value, which the
/// compiler cannot see there.
///
/// Nothing is said of code that may be right: an assignment counts wherever it stands, and an initializer whose end may
/// never be reached is let be. What is set on some paths only is missed when the object is saved.
struct InitializerChecks {
    private let model: ClassDeclSyntax
    private let needed: [DeclaredProperty]

    /// Nil where there is nothing to check.
    init?(of model: ClassDeclSyntax) {
        let description = ModelClass(model)
        needed = description.properties.filter(\.needsValue)
        self.model = model
        guard description.startsEmpty, !needed.isEmpty else { return nil }
    }

    func run(in context: some MacroExpansionContext) {
        for initializer in Self.initializers(in: model.memberBlock.members) {
            guard let body = initializer.body, isDesignated(initializer) else { continue }
            let assigned = AssignedNames.of(body)
            let unset = assigned.map { names in needed.filter { !names.contains($0.name) } } ?? []
            let end = InitializerEnd(model: model, setsNothing: unset.count == needed.count)
            guard !unset.isEmpty, end.isReached(body.statements) else { continue }
            for property in unset {
                context.diagnose(
                    .unsetProperty(property.name, model: model.name.text), at: initializer.initKeyword,
                    fixIts: [.set(property, in: body)])
            }
        }
    }

    /// Those in the class's body, conditional ones included: a class has designated initializers nowhere else.
    static func initializers(in members: MemberBlockItemListSyntax) -> [InitializerDeclSyntax] {
        members.flatMap { member -> [InitializerDeclSyntax] in
            if let initializer = member.decl.as(InitializerDeclSyntax.self) { return [initializer] }
            guard let conditional = member.decl.as(IfConfigDeclSyntax.self) else { return [] }
            return conditional.clauses.flatMap { clause -> [InitializerDeclSyntax] in
                guard case .decls(let members) = clause.elements else { return [] }
                return initializers(in: members)
            }
        }
    }

    /// Not one that leaves the work to another, and none whose body a macro may write anew.
    private func isDesignated(_ initializer: InitializerDeclSyntax) -> Bool {
        if initializer.modifiers.contains(where: { $0.name.tokenKind == .keyword(.convenience) }) { return false }
        return initializer.attributes.allSatisfy { element in
            guard let name = element.as(AttributeSyntax.self)?.baseName else { return false }
            return name.first?.isLowercase == true || name == "MainActor"
        }
    }
}

/// The names that an initializer's body assigns to as properties of `self`.
private final class AssignedNames: SyntaxVisitor {
    private var names: Set<String> = []
    /// Whether nothing can be said: the body hands over to another initializer, or holds macros, which may assign.
    private var isOpen = false

    /// Nil where nothing can be said.
    static func of(_ body: CodeBlockSyntax) -> Set<String>? {
        let visitor = AssignedNames(viewMode: .sourceAccurate)
        visitor.walk(body)
        return visitor.isOpen ? nil : visitor.names
    }

    override func visit(_ node: SequenceExprSyntax) -> SyntaxVisitorContinueKind {
        let elements = Array(node.elements)
        for index in elements.indices.dropLast() where elements[index + 1].is(AssignmentExprSyntax.self) {
            take(elements[index])
        }
        return .visitChildren
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        if node.operator.is(AssignmentExprSyntax.self) { take(node.leftOperand) }
        return .visitChildren
    }

    override func visit(_ node: InOutExprSyntax) -> SyntaxVisitorContinueKind {
        take(node.expression)
        return .visitChildren
    }

    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if node.base?.isSelf == true, node.declName.baseName.tokenKind == .keyword(.`init`) { isOpen = true }
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
        isOpen = isOpen || node.parent?.is(CodeBlockItemSyntax.self) == true
        return .visitChildren
    }

    override func visit(_ node: MacroExpansionDeclSyntax) -> SyntaxVisitorContinueKind {
        isOpen = true
        return .visitChildren
    }

    /// Takes what is assigned to, a pattern's names one by one.
    private func take(_ target: ExprSyntax) {
        if let tuple = target.as(TupleExprSyntax.self) {
            for element in tuple.elements { take(element.expression) }
        } else if let member = target.as(MemberAccessExprSyntax.self) {
            if member.base?.isSelf == true { names.insert(member.declName.baseName.unquoted) }
        } else if let name = target.as(DeclReferenceExprSyntax.self), !HiddenNames.hide(name) {
            names.insert(name.baseName.unquoted)
        }
    }
}

/// Whether a name that is assigned to means a local variable. One that cannot be assigned to hides nothing here.
private enum HiddenNames {
    static func hide(_ name: DeclReferenceExprSyntax) -> Bool {
        var child = Syntax(name)
        while let parent = child.parent, !parent.is(InitializerDeclSyntax.self) {
            if let list = parent.as(CodeBlockItemListSyntax.self) {
                for item in list where item.position < child.position {
                    if let variable = item.item.as(VariableDeclSyntax.self), declares(name, variable) { return true }
                }
            }
            child = parent
        }
        return false
    }

    private static func declares(_ name: DeclReferenceExprSyntax, _ variable: VariableDeclSyntax) -> Bool {
        variable.bindings.contains { binding in
            binding.pattern.tokens(viewMode: .sourceAccurate).contains { $0.unquoted == name.baseName.unquoted }
        }
    }
}

extension FixIt {
    /// Sets a property at the end of an initializer.
    fileprivate static func set(_ property: DeclaredProperty, in body: CodeBlockSyntax) -> FixIt {
        let last = body.statements.last
        let indent =
            (last?.leadingTrivia ?? body.rightBrace.leadingTrivia).indentation + (last == nil ? .spaces(4) : [])
        let value = "<#\(property.valueType?.description ?? "value")#>"
        let statement: CodeBlockItemSyntax = "self.\(property.identifier) = \(raw: value)"
        var filled = body
        filled.statements.append(statement.with(\.leadingTrivia, .newline + indent))
        return .replace("setProperty", message: "set 'self.\(property.name)'", old: body, by: filled)
    }
}
