import SwiftSyntax

/// How operators in a predicate are read.
extension PredicateReader {
    private static let comparisons = [
        "<": "lessThan", "<=": "lessThanOrEqual", ">": "greaterThan", ">=": "greaterThanOrEqual",
    ]
    private static let arithmetic = ["+": "add", "-": "subtract", "*": "multiply"]
    private static let others = [
        "&&": "Conjunction", "||": "Disjunction", "==": "Equal", "!=": "NotEqual", "??": "NilCoalesce",
        "/": "Division", "%": "Remainder",
    ]
    private static let ranges = ["...": "ClosedRange", "..<": "Range"]

    mutating func infix(_ infix: InfixOperatorExprSyntax) throws -> PredicateNode {
        if infix.operator.is(AssignmentExprSyntax.self) {
            throw PredicateDiagnostic.assignment.error(
                at: infix, in: form, replacing: infix.operator,
                with: ExprSyntax(BinaryOperatorExprSyntax(text: "== ")), fixIt: "Compare with '=='")
        }
        guard let symbol = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            throw unsupported(infix)
        }
        func operands(_ parser: inout PredicateReader) throws -> (PredicateNode, PredicateNode) {
            (try parser.node(infix.leftOperand), try parser.node(infix.rightOperand))
        }
        if let name = Self.others[symbol] {
            let (left, right) = try operands(&self)
            return .binary(name, left: left, right: right)
        }
        if let operation = Self.comparisons[symbol] {
            let (left, right) = try operands(&self)
            return .binary("Comparison", left: left, right: right, operation: operation)
        }
        if let operation = Self.arithmetic[symbol] {
            let (left, right) = try operands(&self)
            return .binary("Arithmetic", left: left, right: right, operation: operation)
        }
        if let name = Self.ranges[symbol] {
            let (lower, upper) = try operands(&self)
            return .build(name, [.init("lower", .node(lower)), .init("upper", .node(upper))])
        }
        if symbol == "===" || symbol == "!==" {
            let replacement = symbol == "===" ? "==" : "!="
            throw PredicateDiagnostic.operator(symbol).error(
                at: infix.operator, in: form, replacing: infix.operator,
                with: ExprSyntax(BinaryOperatorExprSyntax(text: replacement + " ")),
                fixIt: "Compare with '\(replacement)'")
        }
        throw PredicateDiagnostic.operator(symbol).error(at: infix.operator, in: form)
    }

    mutating func prefix(_ prefix: PrefixOperatorExprSyntax) throws -> PredicateNode {
        switch prefix.operator.text {
        case "!": return .unary("Negation", operand: try node(prefix.expression))
        case "-": return .unary("UnaryMinus", operand: try node(prefix.expression))
        case "+": return try node(prefix.expression)
        default: throw PredicateDiagnostic.operator(prefix.operator.text).error(at: prefix, in: form)
        }
    }

    mutating func conditional(
        _ test: ExprSyntax, first: ExprSyntax, second: ExprSyntax
    ) throws -> PredicateNode {
        .build(
            "Conditional",
            [
                .init(nil, .node(try node(test))), .init(nil, .node(try node(first))),
                .init(nil, .node(try node(second))),
            ])
    }
}

extension BinaryOperatorExprSyntax {
    fileprivate init(text: String) {
        self.init(operator: .binaryOperator(text))
    }
}
