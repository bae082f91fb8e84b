import SwiftSyntax
import SwiftSyntaxBuilder

/// Captured code with parts that may have no value, at which Swift would stop.
///
/// Captures are run when the predicate is made, also where the predicate is never asked for them, as in `limit == nil
/// || $0.count < limit!`. So such a part is captured as an optional, with the code around it in `map`, and the forced
/// unwrap becomes a node of the predicate.
extension PredicateReader {
    mutating func capture(_ expression: ExprSyntax) throws -> PredicateNode {
        if expression.is(NilLiteralExprSyntax.self) { return .build("NilLiteral", []) }
        switch expression.as(ExprSyntaxEnum.self) {
        case .tupleExpr(let tuple):
            guard let element = tuple.elements.first, tuple.elements.count == 1, element.label == nil else { break }
            let inner = try capture(element.expression)
            if case .capture = inner { return captured(expression) }
            return inner
        case .ifExpr, .switchExpr: return captured("{ \(raw: expression.trimmedDescription) }()")
        case .infixOperatorExpr(let infix) where infix.isRange && !infix.isLiteralRange:
            // Bounds that are not in order make no range.
            return try self.infix(infix)
        case _ where !CapturedPart.occurs(in: expression): return captured(expression)
        case .infixOperatorExpr(let infix) where infix.isLazy: return try self.infix(infix)
        case .ternaryExpr(let ternary):
            return try conditional(ternary.condition, first: ternary.thenExpression, second: ternary.elseExpression)
        default: break
        }
        guard let optional = optional(expression) else { return captured(expression) }
        return captured("\(raw: optional)", isOptional: true)
    }

    /// Code that is captured as it stands, with the values that its names have in the expansion.
    ///
    /// Swift looks names up in the code, which may use the same ones again: so they become a closure's parameters.
    ///
    /// - Parameter isOptional: whether the code gives an optional in the place of the value.
    private func captured(_ code: ExprSyntax, isOptional: Bool = false) -> PredicateNode {
        var text = code.trimmedDescription
        var isOptional = isOptional
        let used = scope.sorted { $0.key < $1.key }.filter {
            RowMentions.found(in: code, rows: [$0.key], unwrapped: [])
        }
        let values = used.compactMap { name in if case .value(let own) = name.value { (name.key, own) } else { nil } }
        if let (name, own) = values.first, name == text {
            text = own
        } else if !values.isEmpty {
            let (parameters, arguments) = (values.map(\.0), values.map(\.1))
            text = "{ \(parameters.joined(separator: ", ")) in \(text) }(\(arguments.joined(separator: ", ")))"
        }
        for (name, meaning) in used {
            guard case .optional(let own) = meaning else { continue }
            text = name == text ? own : "\(own).\(isOptional ? "flatMap" : "map") { \(name) in \(text) }"
            isOptional = true
        }
        let node = PredicateNode.capture("\(raw: text)")
        return isOptional ? .unary("ForcedUnwrap", operand: node) : node
    }

    /// The code of an optional that is nil where a part of the expression has no value; nil where there is no such
    /// part.
    private mutating func optional(_ expression: ExprSyntax) -> String? {
        guard let part = CapturedPart(first: Syntax(expression)) else { return nil }
        guard part.expression.id != expression.id else { return part.optional }
        let name = names.next()
        let replacement = DeclReferenceExprSyntax(baseName: .identifier(name))
            .with(\.leadingTrivia, part.expression.leadingTrivia)
            .with(\.trailingTrivia, part.expression.trailingTrivia)
        let rest = PartReplacement(part.expression, by: ExprSyntax(replacement)).rewrite(expression)
        guard let rest = rest.as(ExprSyntax.self) else { return nil }
        if let inner = optional(rest) { return "\(part.optional).flatMap { \(name) in \(inner) }" }
        return "\(part.optional).map { \(name) in \(rest.trimmedDescription) }"
    }
}

/// A part of captured code that may have no value: `limit!`, `value as! Int`, `names[3]`, `total / count`.
struct CapturedPart {
    let expression: ExprSyntax
    /// The code of an optional in its place.
    let optional: String

    /// Whether there is one anywhere, closures aside.
    static func occurs(in expression: ExprSyntax) -> Bool {
        first(in: Syntax(expression), isLazyToo: true) != nil
    }

    /// The first part that is run whenever the code is, an inner one before the one around it.
    init?(first code: Syntax) {
        guard let found = Self.first(in: code, isLazyToo: false) else { return nil }
        self = found
    }

    private init(_ expression: ExprSyntax, optional: String) {
        self.expression = expression
        self.optional = optional
    }

    private static func first(in code: Syntax, isLazyToo: Bool) -> CapturedPart? {
        switch code.as(SyntaxEnum.self) {
        case .closureExpr, .keyPathExpr, .macroExpansionExpr, .ifExpr, .switchExpr: return nil
        case .infixOperatorExpr(let infix) where infix.isLazy && !isLazyToo:
            return first(in: Syntax(infix.leftOperand), isLazyToo: false)
        case .ternaryExpr(let ternary) where !isLazyToo:
            return first(in: Syntax(ternary.condition), isLazyToo: false)
        default: break
        }
        if let chain = code.as(ExprSyntax.self).flatMap(\.questionMark) {
            // What follows a question mark belongs to the chain.
            return first(in: Syntax(chain.expression), isLazyToo: isLazyToo)
        }
        for child in code.children(viewMode: .sourceAccurate) {
            if let part = first(in: child, isLazyToo: isLazyToo) { return part }
        }
        return code.as(ExprSyntax.self).flatMap { CapturedPart($0) }
    }

    /// The part that the expression itself is.
    private init?(_ expression: ExprSyntax) {
        switch expression.as(ExprSyntaxEnum.self) {
        case .forceUnwrapExpr(let forced): self.init(expression, optional: "(\(forced.expression.trimmed))")
        case .asExpr(let cast) where cast.questionOrExclamationMark?.tokenKind == .exclamationMark:
            self.init(expression, optional: "(\(cast.expression.trimmed) as? \(cast.type.trimmed))")
        case .subscriptCallExpr(let call): self.init(reading: call)
        case .infixOperatorExpr(let infix): self.init(dividing: infix)
        default: return nil
        }
    }

    private init?(reading call: SubscriptCallExprSyntax) {
        guard let index = call.arguments.first, call.arguments.count == 1, index.label == nil,
            call.trailingClosure == nil, !index.expression.is(StringLiteralExprSyntax.self),
            !call.calledExpression.namesType
        else { return nil }
        let operands = "\(call.calledExpression.trimmed), \(index.expression.trimmed)"
        self.init(ExprSyntax(call), optional: "\(Self.prefix)subscript(\(operands), { $0[$1] })")
    }

    private init?(dividing infix: InfixOperatorExprSyntax) {
        guard let symbol = infix.symbol, ["/", "%"].contains(symbol), !infix.rightOperand.isNonzeroLiteral else {
            return nil
        }
        let operands = "\(infix.leftOperand.trimmed), \(infix.rightOperand.trimmed)"
        self.init(ExprSyntax(infix), optional: "\(Self.prefix)quotient(\(operands), { $0 \(symbol) $1 })")
    }

    private static let prefix = "Loam._PredicateExpressions.capture_"
}

/// Puts another expression in the place of a part.
private final class PartReplacement: SyntaxRewriter {
    private let id: SyntaxIdentifier
    private let replacement: ExprSyntax

    init(_ part: ExprSyntax, by replacement: ExprSyntax) {
        id = part.id
        self.replacement = replacement
        super.init(viewMode: .sourceAccurate)
    }

    override func visitAny(_ node: Syntax) -> Syntax? { node.id == id ? Syntax(replacement) : nil }
}

extension InfixOperatorExprSyntax {
    fileprivate var symbol: String? { self.operator.as(BinaryOperatorExprSyntax.self)?.operator.text }

    /// Whether its right operand may stay untouched.
    fileprivate var isLazy: Bool { symbol.map { ["&&", "||", "??"].contains($0) } ?? false }

    fileprivate var isRange: Bool { symbol.map { ["...", "..<"].contains($0) } ?? false }

    fileprivate var isLiteralRange: Bool { leftOperand.isNumber && rightOperand.isNumber }
}

extension ExprSyntax {
    /// The last question mark in a chain of members and calls.
    fileprivate var questionMark: OptionalChainingExprSyntax? {
        switch self.as(ExprSyntaxEnum.self) {
        case .optionalChainingExpr(let chain): chain
        case .memberAccessExpr(let member): member.base?.questionMark
        case .functionCallExpr(let call): call.calledExpression.questionMark
        case .subscriptCallExpr(let call): call.calledExpression.questionMark
        case .forceUnwrapExpr(let forced): forced.expression.questionMark
        default: nil
        }
    }

    /// Whether it is a number, with a sign or without.
    fileprivate var isNumber: Bool {
        if let prefix = self.as(PrefixOperatorExprSyntax.self) { return prefix.expression.isNumber }
        return self.is(IntegerLiteralExprSyntax.self) || self.is(FloatLiteralExprSyntax.self)
    }

    fileprivate var isNonzeroLiteral: Bool {
        isNumber && trimmedDescription.contains { ("1"..."9").contains($0) }
    }

    /// Whether it reads as a type's name, whose subscripts are static.
    fileprivate var namesType: Bool {
        let name = self.as(MemberAccessExprSyntax.self)?.declName ?? self.as(DeclReferenceExprSyntax.self)
        return name?.baseName.text.first?.isUppercase ?? false
    }
}
