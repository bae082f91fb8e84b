import SwiftSyntax
import SwiftSyntaxBuilder

/// How `let` and `if let` in a predicate give names.
extension PredicateReader {
    /// The lets of the expansion that a declaration becomes. Its names are seen from now on.
    mutating func lets(_ declaration: VariableDeclSyntax) throws -> [PredicateNode.Let] {
        guard declaration.attributes.isEmpty, declaration.modifiers.isEmpty else {
            throw PredicateDiagnostic.declaration.error(at: declaration, in: form)
        }
        try requireLet(declaration.bindingSpecifier)
        var lets: [PredicateNode.Let] = []
        for binding in declaration.bindings {
            let name = try self.name(binding.pattern)
            guard let value = binding.initializer?.value else {
                throw PredicateDiagnostic.uninitialized.error(at: binding, in: form)
            }
            lets += try self.lets(name, value, type: try type(binding.typeAnnotation))
        }
        return lets
    }

    private mutating func lets(_ name: String, _ value: ExprSyntax, type: String?) throws -> [PredicateNode.Let] {
        if !mentionsRow(value) {
            try requirePlain(value)
            if value.is(NilLiteralExprSyntax.self) { return [bind(name, PredicateName.value, type, "nil")] }
            switch try capture(value) {
            case .capture(let code): return [bind(name, PredicateName.value, type, code)]
            case .build("ForcedUnwrap", let arguments):
                guard case .node(.capture(let code))? = arguments.first?.value else { break }
                return [bind(name, PredicateName.optional, type.map { "Optional<\($0)>" }, code)]
            default: break
            }
        }
        let node = typed(try node(value), type)
        // Another name for a row, or for what has one.
        if case .row(let own) = node {
            scope[name] = .node(own)
            return []
        }
        return [bind(name, node)]
    }

    /// The lets and the test that `if let` and `guard let` become.
    mutating func binding(
        _ binding: OptionalBindingConditionSyntax
    ) throws -> (lets: [PredicateNode.Let], test: PredicateNode) {
        try requireLet(binding.bindingSpecifier)
        let name = try self.name(binding.pattern)
        let value = binding.initializer?.value ?? ExprSyntax(DeclReferenceExprSyntax(baseName: .identifier(name)))
        let type = try type(binding.typeAnnotation).map { "Optional<\($0)>" }
        if let code = try capturedOptional(value) {
            let optional = bind(name, PredicateName.optional, type, code)
            return ([optional], .capture("\(raw: optional.name) != nil"))
        }
        let optional = PredicateNode.Let(
            name: names.nextLet(), type: nil, value: .node(typed(try node(value), type)))
        let wrapped = bind(name, .unary("ForcedUnwrap", operand: .row(optional.name)))
        return (
            [optional, wrapped], .binary("NotEqual", left: .row(optional.name), right: .build("NilLiteral", []))
        )
    }

    /// The code of a captured optional; nil for what depends on a row, and for what is asked in parts.
    private mutating func capturedOptional(_ value: ExprSyntax) throws -> ExprSyntax? {
        guard !mentionsRow(value) else { return nil }
        try requirePlain(value)
        switch try capture(value) {
        case .capture(let code): return code
        case .build("ForcedUnwrap", let arguments):
            guard case .node(.capture(let code))? = arguments.first?.value else { return nil }
            return "(\(code)).flatMap { $0 }"
        default: return nil
        }
    }

    /// Gives a name to captured code.
    private mutating func bind(
        _ name: String, _ meaning: (String) -> PredicateName, _ type: String?, _ code: ExprSyntax
    ) -> PredicateNode.Let {
        let own = names.nextLet()
        scope[name] = meaning(own)
        return .init(name: own, type: type, value: .code(code.trimmedDescription))
    }

    /// Gives a name to a node.
    private mutating func bind(_ name: String, _ node: PredicateNode) -> PredicateNode.Let {
        let own = names.nextLet()
        scope[name] = .node(own)
        return .init(name: own, type: nil, value: .node(node))
    }

    /// The node as a value of a type that the source names.
    private func typed(_ node: PredicateNode, _ type: String?) -> PredicateNode {
        guard let type else { return node }
        return .build("Let", [.init(nil, .node(node)), .init("as", .code("(\(type)).self"))])
    }

    private func type(_ annotation: TypeAnnotationSyntax?) throws -> String? {
        guard let type = annotation?.type else { return nil }
        guard !type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { throw unsupported(type) }
        return type.trimmedDescription
    }

    private func name(_ pattern: PatternSyntax) throws -> String {
        guard let name = pattern.as(IdentifierPatternSyntax.self)?.identifier else {
            throw PredicateDiagnostic.pattern.error(at: pattern, in: form)
        }
        return name.text
    }

    private func requireLet(_ specifier: TokenSyntax) throws {
        guard specifier.tokenKind != .keyword(.let) else { return }
        guard specifier.tokenKind == .keyword(.var) else { throw unsupported(specifier) }
        throw PredicateDiagnostic.variable.error(
            at: specifier, in: form, replacing: specifier,
            with: specifier.with(\.tokenKind, .keyword(.let)), fixIt: "Replace 'var' with 'let'")
    }
}
