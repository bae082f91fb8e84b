import SwiftSyntax

/// Looks for the rows of a predicate in code, with the scopes of nested closures.
final class RowMentions: SyntaxVisitor {
    private let rows: Set<String>
    private let unwrapped: Set<SyntaxIdentifier>
    private var found = false

    static func found(in code: some SyntaxProtocol, rows: Set<String>, unwrapped: Set<SyntaxIdentifier>) -> Bool {
        let mentions = RowMentions(rows: rows, unwrapped: unwrapped)
        mentions.walk(code)
        return mentions.found
    }

    private init(rows: Set<String>, unwrapped: Set<SyntaxIdentifier>) {
        self.rows = rows
        self.unwrapped = unwrapped
        super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if rows.contains(node.baseName.text) { found = true }
        return .skipChildren
    }

    override func visit(_ node: OptionalChainingExprSyntax) -> SyntaxVisitorContinueKind {
        if unwrapped.contains(node.id) { found = true }
        return .visitChildren
    }

    /// A member's name is no variable.
    override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
        if let base = node.base { walk(base) }
        return .skipChildren
    }

    override func visit(_ node: KeyPathExprSyntax) -> SyntaxVisitorContinueKind {
        .skipChildren
    }

    /// `if let row {` reads the variable of that name.
    override func visit(_ node: OptionalBindingConditionSyntax) -> SyntaxVisitorContinueKind {
        if node.initializer == nil, rows.contains(node.pattern.trimmedDescription) { found = true }
        return .visitChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind {
        let own = Set(node.parameterNames)
        // A closure without names has parameters that go by number.
        let inner = own.isEmpty ? rows.filter { !$0.hasPrefix("$") } : rows.subtracting(own)
        if Self.found(in: node.statements, rows: inner, unwrapped: unwrapped) { found = true }
        return .skipChildren
    }
}

/// Counts the parameters of a closure that go by number.
final class ShorthandParameters: SyntaxVisitor {
    private var count = 0

    /// One more than the highest number; closures inside have parameters of their own.
    static func count(in closure: ClosureExprSyntax) -> Int {
        let parameters = ShorthandParameters(viewMode: .sourceAccurate)
        parameters.walk(closure.statements)
        return parameters.count
    }

    override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
        if case .dollarIdentifier(let name) = node.baseName.tokenKind, let number = Int(name.dropFirst()) {
            count = max(count, min(number, Self.limit) + 1)
        }
        return .skipChildren
    }

    override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

    /// No closure has more; a larger number is none of a parameter.
    private static let limit = 100
}

extension ClosureExprSyntax {
    /// The names of the explicit parameters.
    var parameterNames: [String] {
        switch signature?.parameterClause {
        case .simpleInput(let list): list.map(\.name.text)
        case .parameterClause(let clause):
            clause.parameters.map { ($0.secondName ?? $0.firstName).text }
        case nil: []
        }
    }
}
