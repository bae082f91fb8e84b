import SwiftSyntax
import SwiftSyntaxMacros

/// What a name of a predicate's closure stands for, by a name in the expansion.
enum PredicateName {
    /// A row, or a node that depends on one.
    case node(String)
    /// A captured value.
    case value(String)
    /// The value in a captured optional; where that is nil, nothing asks for it.
    case optional(String)
}

/// Reads the closure of `#Predicate` or `#Expression`; operators are folded already.
struct PredicateReader {
    let form: PredicateForm
    var names: PredicateNames
    /// What names of the closure stand for, as far as the place at hand sees them.
    var scope: [String: PredicateName] = [:]
    /// Optional chains that are read: the part before the question mark, and the name of its value.
    var unwrapped: [SyntaxIdentifier: String] = [:]

    init(_ form: PredicateForm, names: PredicateNames) {
        self.form = form
        self.names = names
    }

    /// The rows' names in the expansion, and the value of the closure that the macro is given.
    mutating func outermost(_ closure: ClosureExprSyntax) throws -> (rows: [String], body: PredicateNode) {
        switch form {
        case .predicate:
            let (row, body) = try self.closure(closure)
            return ([row], body)
        case .expression: return try self.closure(closure, parameters: parameters(of: closure))
        }
    }

    /// The row's name in the expansion, and the closure's value.
    mutating func closure(_ closure: ClosureExprSyntax) throws -> (row: String, body: PredicateNode) {
        let (rows, body) = try self.closure(closure, parameters: [parameter(of: closure)])
        return (rows[0], body)
    }

    private mutating func closure(
        _ closure: ClosureExprSyntax, parameters: [String?]
    ) throws -> (rows: [String], body: PredicateNode) {
        let outer = scope
        defer { scope = outer }
        var own: [String] = []
        for parameter in parameters {
            let row = names.next()
            own.append(row)
            if let parameter { scope[parameter] = .node(row) }
        }
        return (own, try value(of: closure.statements, in: closure))
    }

    mutating func node(_ expression: ExprSyntax) throws -> PredicateNode {
        if expression.is(NilLiteralExprSyntax.self) { return .build("NilLiteral", []) }
        guard mentionsRow(expression) else {
            try requirePlain(expression)
            return try capture(expression)
        }
        if let chain = optionalChain(in: expression) {
            let wrapped = try node(chain.expression)
            let row = names.next()
            unwrapped[chain.id] = row
            let body = try node(expression)
            return .build("flatMap", [.init(nil, .node(wrapped)), .init(nil, .closure(row: row, body))])
        }
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference):
            guard case .node(let name)? = scope[reference.baseName.text] else { throw unsupported(expression) }
            return .row(name)
        case .optionalChainingExpr(let chain):
            guard let row = unwrapped[chain.id] else { throw unsupported(expression) }
            return .row(row)
        case .tupleExpr(let tuple):
            guard let element = tuple.elements.first, tuple.elements.count == 1, element.label == nil else {
                throw unsupported(expression)
            }
            return try node(element.expression)
        case .memberAccessExpr(let member): return try self.member(member)
        case .forceUnwrapExpr(let forced): return .unary("ForcedUnwrap", operand: try node(forced.expression))
        case .infixOperatorExpr(let infix): return try self.infix(infix)
        case .prefixOperatorExpr(let prefix): return try self.prefix(prefix)
        case .ternaryExpr(let ternary):
            return try conditional(ternary.condition, first: ternary.thenExpression, second: ternary.elseExpression)
        case .ifExpr(let condition): return try self.condition(condition)
        case .functionCallExpr(let call): return try self.call(call)
        case .subscriptCallExpr(let call): return try self.subscript(call)
        case .isExpr, .asExpr: throw PredicateDiagnostic.cast.error(at: expression, in: form)
        case .tryExpr, .awaitExpr: throw PredicateDiagnostic.effect.error(at: expression, in: form)
        case .switchExpr: throw PredicateDiagnostic.switchExpression.error(at: expression, in: form)
        case .assignmentExpr: throw PredicateDiagnostic.assignment.error(at: expression, in: form)
        default: throw unsupported(expression)
        }
    }

    func unsupported(_ expression: some SyntaxProtocol) -> any Error {
        PredicateDiagnostic.expression.error(at: expression, in: form)
    }

    private mutating func member(_ member: MemberAccessExprSyntax) throws -> PredicateNode {
        guard let base = member.base, member.declName.argumentNames == nil else { throw unsupported(member) }
        let name = member.declName.baseName.text
        switch name {
        case "self": return try node(base)
        case "rawValue": return .property(name, of: try node(base), by: "rawValue")
        case "id", "persistentModelID": return .property(name, of: try node(base), by: "Identifier")
        default: return .keyPath(root: try node(base), property: name)
        }
    }

    private mutating func `subscript`(_ call: SubscriptCallExprSyntax) throws -> PredicateNode {
        let labels = call.arguments.map { $0.label?.text }
        guard call.trailingClosure == nil, labels == [nil] || labels == [nil, "default"] else {
            throw unsupported(call)
        }
        var arguments = [PredicateNode.Argument(nil, .node(try node(call.calledExpression)))]
        for argument in call.arguments {
            arguments.append(.init(argument.label?.text, .node(try node(argument.expression))))
        }
        return .build("subscript", arguments)
    }

    /// The outermost question mark in a chain of members and calls, unless its value has a name already.
    private func optionalChain(in expression: ExprSyntax) -> OptionalChainingExprSyntax? {
        switch expression.as(ExprSyntaxEnum.self) {
        case .optionalChainingExpr(let chain): unwrapped[chain.id] == nil ? chain : nil
        case .memberAccessExpr(let member): member.base.flatMap(optionalChain)
        case .functionCallExpr(let call): optionalChain(in: call.calledExpression)
        case .subscriptCallExpr(let call): optionalChain(in: call.calledExpression)
        case .forceUnwrapExpr(let forced): optionalChain(in: forced.expression)
        default: nil
        }
    }

    /// Whether it depends on a row, be it by a name that was given to a node.
    func mentionsRow(_ expression: ExprSyntax) -> Bool {
        let rows = scope.filter { if case .node = $0.value { true } else { false } }
        return RowMentions.found(in: expression, rows: Set(rows.keys), unwrapped: Set(unwrapped.keys))
    }

    /// Captured code runs when the predicate is made, where nothing can be thrown or awaited.
    func requirePlain(_ expression: ExprSyntax) throws {
        for token in expression.tokens(viewMode: .sourceAccurate) {
            let waits = token.tokenKind == .keyword(.await)
            let throwing = token.tokenKind == .keyword(.try) && token.nextToken(viewMode: .sourceAccurate)?.text != "?"
            if waits || throwing { throw PredicateDiagnostic.effect.error(at: expression, in: form) }
        }
    }
}
