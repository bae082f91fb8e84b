import SwiftSyntax

/// Whether an initializer comes to its end, as far as the syntax tells: one that ends by throwing, by `return nil` or in
/// a function that does not return makes no object there, and need set nothing.
struct InitializerEnd {
    let model: ClassDeclSyntax
    /// Whether it sets none of the class's properties, as one that is there for a protocol only and ends in a call.
    let setsNothing: Bool

    func isReached(_ statements: CodeBlockItemListSyntax) -> Bool {
        guard let last = statements.last, !statements.contains(where: leaves) else { return statements.isEmpty }
        switch last.item {
        case .decl(let declaration): return isReached(declaration)
        case .stmt(let statement): return isReached(statement)
        case .expr(let expression): return isReached(expression)
        }
    }

    /// Whether no statement behind this one is ever reached.
    private func leaves(_ item: CodeBlockItemSyntax) -> Bool {
        if item.item.is(ThrowStmtSyntax.self) { return true }
        guard let call = item.item.as(FunctionCallExprSyntax.self) else { return false }
        let name = call.calledExpression.trimmedDescription
        return ["fatalError", "Swift.fatalError", "preconditionFailure", "Swift.preconditionFailure"].contains(name)
    }

    private func isReached(_ declaration: DeclSyntax) -> Bool {
        guard let conditional = declaration.as(IfConfigDeclSyntax.self) else { return true }
        return conditional.clauses.allSatisfy { clause in
            guard case .statements(let statements) = clause.elements else { return true }
            return isReached(statements)
        }
    }

    private func isReached(_ statement: StmtSyntax) -> Bool {
        if statement.is(ThrowStmtSyntax.self) { return false }
        if let result = statement.as(ReturnStmtSyntax.self) { return result.expression == nil }
        if let labeled = statement.as(LabeledStmtSyntax.self) { return isReached(labeled.statement) }
        // A loop without a condition may have no end.
        if let loop = statement.as(WhileStmtSyntax.self) { return loop.conditions.trimmedDescription != "true" }
        if let loop = statement.as(RepeatStmtSyntax.self) { return loop.condition.trimmedDescription != "true" }
        if let body = statement.as(DoStmtSyntax.self) {
            return isReached(body.body.statements) || body.catchClauses.contains { isReached($0.body.statements) }
        }
        return statement.as(ExpressionStmtSyntax.self).map { isReached($0.expression) } ?? true
    }

    private func isReached(_ expression: ExprSyntax) -> Bool {
        if let choice = expression.as(IfExprSyntax.self) {
            if isReached(choice.body.statements) { return true }
            switch choice.elseBody {
            case .ifExpr(let other): return isReached(ExprSyntax(other))
            case .codeBlock(let block): return isReached(block.statements)
            case nil: return true
            }
        }
        if let choice = expression.as(SwitchExprSyntax.self) {
            return choice.cases.contains { element in
                guard case .switchCase(let one) = element else { return true }
                return isReached(one.statements)
            }
        }
        if let attempt = expression.as(TryExprSyntax.self) { return isReached(attempt.expression) }
        if let waiting = expression.as(AwaitExprSyntax.self) { return isReached(waiting.expression) }
        return expression.as(FunctionCallExprSyntax.self).map(returns) ?? true
    }

    /// Whether a call returns, as far as its name tells. A function of the class's own does, unless it says otherwise; a
    /// free one that is not known may not, nor a static one.
    private func returns(_ call: FunctionCallExprSyntax) -> Bool {
        let member = call.calledExpression.as(MemberAccessExprSyntax.self)
        if let base = member?.base, !base.isSelf {
            return !setsNothing && base.trimmedDescription.first?.isUppercase == false
        }
        let function = member.map { ExprSyntax($0.declName) } ?? call.calledExpression
        guard let name = function.as(DeclReferenceExprSyntax.self)?.baseName.text else { return !setsNothing }
        let own = model.memberBlock.members.compactMap { $0.decl.as(FunctionDeclSyntax.self) }
            .filter { $0.name.text == name }
        if own.isEmpty { return Self.returning.contains(name) || name.first?.isUppercase == true }
        return own.allSatisfy { $0.signature.returnClause?.type.trimmedDescription != "Never" }
    }

    private static let returning: Set<String> = ["assert", "debugPrint", "precondition", "print"]
}

extension ExprSyntax {
    /// Whether it is `self`.
    var isSelf: Bool { self.as(DeclReferenceExprSyntax.self)?.baseName.tokenKind == .keyword(.self) }
}
