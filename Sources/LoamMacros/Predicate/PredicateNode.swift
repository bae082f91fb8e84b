import SwiftSyntax

/// A predicate between its source and its expansion: the nodes of Foundation's `PredicateExpressions`.
indirect enum PredicateNode {
    /// Code that does not mention a row: its value is captured when the predicate is made.
    case capture(ExprSyntax)
    /// The row of the predicate or of a closure in it, or a node that was made before, by its name in the expansion.
    case row(String)
    case keyPath(root: PredicateNode, property: String)
    /// A call of `PredicateExpressions.build_<name>`.
    case build(String, [Argument])
    /// A node behind what it uses by name.
    case bound([Let], PredicateNode)

    /// A `let` of the expansion.
    struct Let {
        var name: String
        /// The type that is written behind the name.
        var type: String?
        var value: Value
    }

    struct Argument {
        var label: String?
        var value: Value

        init(_ label: String? = nil, _ value: Value) {
            self.label = label
            self.value = value
        }
    }

    enum Value {
        case node(PredicateNode)
        /// A closure over a row of its own.
        case closure(row: String, PredicateNode)
        /// What is written as it stands: an operator, a key path.
        case code(String)
    }
}

extension PredicateNode {
    /// The node behind `lets`.
    func behind(_ lets: [Let]) -> PredicateNode {
        switch self {
        case _ where lets.isEmpty: self
        case .bound(let others, let node): .bound(lets + others, node)
        default: .bound(lets, self)
        }
    }

    static func unary(_ name: String, operand: PredicateNode) -> PredicateNode {
        .build(name, [Argument(nil, .node(operand))])
    }

    static func binary(
        _ name: String, left: PredicateNode, right: PredicateNode, operation: String? = nil
    ) -> PredicateNode {
        var arguments = [Argument("lhs", .node(left)), Argument("rhs", .node(right))]
        if let operation { arguments.append(Argument("op", .code("." + operation))) }
        return .build(name, arguments)
    }

    /// A property whose name the library has functions for.
    static func property(_ name: String, of root: PredicateNode, by function: String) -> PredicateNode {
        .build(function, [Argument("root", .node(root)), Argument("keyPath", .code("\\.\(name)"))])
    }

    /// Whether its type comes from what stands beside it, as a literal's does: it is written where it is used.
    var takesTypeFromContext: Bool {
        switch self {
        case .capture: true
        case .row, .keyPath: false
        case .bound(_, let node): node.takesTypeFromContext
        // In generic code a model's `id` is its identifier or one of the model's own, as it is compared.
        case .build("NilLiteral", _), .build("Identifier", _): true
        case .build("Conditional", let arguments): arguments.dropFirst().allSatisfy(\.takesTypeFromContext)
        case .build("ForcedUnwrap", let arguments), .build("ClosedRange", let arguments),
            .build("Range", let arguments):
            arguments.allSatisfy(\.takesTypeFromContext)
        case .build: false
        }
    }
}

extension PredicateNode.Argument {
    fileprivate var takesTypeFromContext: Bool {
        if case .node(let node) = value { node.takesTypeFromContext } else { false }
    }
}

/// Names for what the expansion declares.
struct PredicateNames {
    /// What the names begin with.
    private let prefix: String
    private var rows = 0
    private var lets = 0

    /// - Parameter source: code whose own names must stay visible.
    init(avoiding source: some SyntaxProtocol) {
        let words = Set(source.tokens(viewMode: .sourceAccurate).map(\.text))
        var prefix = "_"
        while words.contains(where: { word in ["row", "node", "let"].contains { word.hasPrefix(prefix + $0) } }) {
            prefix += "_"
        }
        self.prefix = prefix
    }

    /// The name of another row.
    mutating func next() -> String {
        rows += 1
        return "\(prefix)row\(rows)"
    }

    /// The name of another `let`.
    mutating func nextLet() -> String {
        lets += 1
        return "\(prefix)let\(lets)"
    }

    /// What the names of nodes begin with.
    var node: String { prefix + "node" }
}
