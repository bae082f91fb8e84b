import SwiftSyntax

/// How the statements of a closure are read: together they are one value.
///
/// A `let` is a name for a node, `if` and `guard` choose between what their block returns and what comes after it.
extension PredicateReader {
    /// What a block ends with.
    enum BlockEnd {
        /// Its value, with `return` or without.
        case value
        /// `return`, as the `else` of a `guard` does.
        case exit
        /// `return`, or else what comes after the block, which is this.
        case then(PredicateNode)
    }

    /// The value of a block, whose names end with it.
    mutating func value(
        of statements: CodeBlockItemListSyntax, in body: some SyntaxProtocol, end: BlockEnd = .value
    ) throws -> PredicateNode {
        try value(of: ArraySlice(statements), in: Syntax(body), end: end)
    }

    private mutating func value(
        of statements: ArraySlice<CodeBlockItemSyntax>, in body: Syntax, end: BlockEnd
    ) throws -> PredicateNode {
        let outer = scope
        defer { scope = outer }
        guard let first = statements.first else {
            if case .then(let rest) = end { return rest }
            throw PredicateDiagnostic.empty.error(at: body, in: form)
        }
        let others = statements.dropFirst()
        let statement = Syntax(first.item)
        if let declaration = statement.as(VariableDeclSyntax.self) {
            let lets = try self.lets(declaration)
            return try value(of: others, in: body, end: end).behind(lets)
        }
        if let condition = statement.as(GuardStmtSyntax.self) {
            let second = try value(of: condition.body.statements, in: condition.body, end: .exit)
            return try choice(condition.conditions, otherwise: second) {
                try $0.value(of: others, in: body, end: end)
            }
        }
        if let condition = statement.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self)
            ?? statement.as(IfExprSyntax.self)
        {
            guard !others.isEmpty else { return try self.condition(condition, end: end) }
            let rest = try value(of: others, in: body, end: end)
            return try shared(rest) { try $0.condition(condition, end: .then($1)) }
        }
        if let expression = statement.as(ReturnStmtSyntax.self)?.expression {
            if let next = others.first { throw PredicateDiagnostic.valueExpected.error(at: next, in: form) }
            return try node(expression)
        }
        guard let expression = statement.as(ExpressionStmtSyntax.self)?.expression ?? statement.as(ExprSyntax.self)
        else { throw diagnostic(for: statement).error(at: statement, in: form) }
        if case .value = end, others.isEmpty { return try node(expression) }
        throw diagnostic(for: Syntax(expression)).error(at: expression, in: form)
    }

    /// What is said of a statement that is none of a predicate's, or of an expression that gives no value.
    private func diagnostic(for statement: Syntax) -> PredicateDiagnostic {
        switch statement.as(SyntaxEnum.self) {
        case .returnStmt: .empty
        case .throwStmt: .effect
        case .forStmt, .whileStmt, .repeatStmt: .loop
        case .switchExpr: .switchExpression
        case .infixOperatorExpr(let infix) where infix.operator.is(AssignmentExprSyntax.self): .assignment
        case _ where statement.is(DeclSyntax.self): .declaration
        case _ where statement.is(ExprSyntax.self): .valueExpected
        default: .statement
        }
    }

    /// `if a { b } else { c }` chooses between two values; without `else` the other one comes after it.
    mutating func condition(_ condition: IfExprSyntax, end: BlockEnd = .value) throws -> PredicateNode {
        let second: PredicateNode
        switch (condition.elseBody, end) {
        case (.ifExpr(let next), _): second = try self.condition(next, end: end)
        case (.codeBlock(let block), _): second = try value(of: block.statements, in: block, end: end)
        case (nil, .then(let rest)): second = rest
        case (nil, _): throw PredicateDiagnostic.missingElse.error(at: condition, in: form)
        }
        return try choice(condition.conditions, otherwise: second) {
            try $0.value(of: condition.body.statements, in: condition.body, end: end)
        }
    }

    /// A choice whose first value sees the names that the conditions give.
    private mutating func choice(
        _ conditions: ConditionElementListSyntax, otherwise second: PredicateNode,
        _ first: (inout PredicateReader) throws -> PredicateNode
    ) throws -> PredicateNode {
        let outer = scope
        defer { scope = outer }
        var lets: [PredicateNode.Let] = []
        var test: PredicateNode?
        for element in conditions {
            let next = try self.test(element.condition, &lets)
            test = test.map { .binary("Conjunction", left: $0, right: next) } ?? next
        }
        guard let test else { throw unsupported(conditions) }
        let values = [test, try first(&self), second]
        return .build("Conditional", values.map { .init(nil, .node($0)) }).behind(lets)
    }

    private mutating func test(
        _ condition: ConditionElementSyntax.Condition, _ lets: inout [PredicateNode.Let]
    ) throws -> PredicateNode {
        switch condition {
        case .expression(let expression): return try node(expression)
        case .optionalBinding(let binding):
            let (more, test) = try self.binding(binding)
            lets += more
            return test
        default: throw PredicateDiagnostic.condition.error(at: condition, in: form)
        }
    }

    /// What `body` makes of a node that it may use several times: the node is made once.
    private mutating func shared(
        _ node: PredicateNode, _ body: (inout PredicateReader, PredicateNode) throws -> PredicateNode
    ) rethrows -> PredicateNode {
        if case .bound(let lets, let inner) = node { return try shared(inner, body).behind(lets) }
        // What has no type of its own is written where it is used.
        guard !node.takesTypeFromContext else { return try body(&self, node) }
        let name = names.nextLet()
        return try body(&self, .row(name)).behind([.init(name: name, type: nil, value: .node(node))])
    }
}
