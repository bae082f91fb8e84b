import SwiftSyntax

/// Writes nodes as statements, one for each, so that the type checker meets them one by one.
struct PredicateWriter {
    private static let namespace = "Loam._PredicateExpressions"

    private var lines: [String] = []
    private let indentation: Int
    private let prefix: String

    /// The statements of a closure's body.
    ///
    /// - Parameter prefix: what the names that they declare begin with.
    static func lines(returning node: PredicateNode, indentation: Int, prefix: String) -> [String] {
        var writer = PredicateWriter(indentation: indentation, prefix: prefix)
        let result = writer.code(of: node)
        writer.add("return \(result)")
        return writer.lines
    }

    private init(indentation: Int, prefix: String) {
        self.indentation = indentation
        self.prefix = prefix
    }

    private mutating func add(_ line: String) {
        lines.append(String(repeating: "    ", count: indentation) + line)
    }

    private mutating func add(_ lets: [PredicateNode.Let]) {
        for binding in lets {
            let code = if case .node(let node) = binding.value { code(of: node) } else { code(of: binding.value) }
            add("let \(binding.name)\(binding.type.map { ": " + $0 } ?? "") = \(code)")
        }
    }

    /// The name of the statement that makes `node`, or its code where it has no type of its own.
    private mutating func operand(_ node: PredicateNode) -> String {
        if case .row(let name) = node { return name }
        if case .bound(let lets, let node) = node {
            add(lets)
            return operand(node)
        }
        let code = code(of: node)
        if node.takesTypeFromContext { return code }
        let name = prefix + String(lines.count + 1)
        add("let \(name) = \(code)")
        return name
    }

    private mutating func code(of node: PredicateNode) -> String {
        switch node {
        case .row(let name): return name
        case .bound(let lets, let node):
            add(lets)
            return code(of: node)
        case .capture(let expression):
            return "\(Self.namespace).build_Arg(\(expression.trimmedDescription))"
        case .keyPath(let root, let property):
            return "\(Self.namespace).build_KeyPath(root: \(operand(root)), keyPath: \\.\(property))"
        case .build(let name, let arguments):
            var written: [String] = []
            for argument in arguments {
                written.append((argument.label.map { $0 + ": " } ?? "") + code(of: argument.value))
            }
            return "\(Self.namespace).build_\(name)(\(written.joined(separator: ", ")))"
        }
    }

    private mutating func code(of value: PredicateNode.Value) -> String {
        switch value {
        case .node(let node): return operand(node)
        case .code(let code): return code
        case .closure(let row, let body):
            let name = prefix + String(lines.count + 1) + "_"
            let inner = Self.lines(returning: body, indentation: indentation + 1, prefix: name)
            return "{ \(row) in\n\(inner.joined(separator: "\n"))\n"
                + String(repeating: "    ", count: indentation) + "}"
        }
    }
}
