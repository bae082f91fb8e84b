extension ViewNode {
    /// The node and all inside as text, a line for each: kind, value, attributes, actions in brackets.
    ///
    /// ```
    /// List
    ///   Button [press]
    ///     Text "Laos" font="title"
    /// ```
    public var outline: String { lines(indent: "").joined(separator: "\n") }

    private func lines(indent: String) -> [String] {
        [indent + line] + children.flatMap { $0.lines(indent: indent + "  ") }
    }

    private var line: String {
        var words = ["\(kind)"]
        if let nodeValue { words.append("\(nodeValue)") }
        words += attributeNames.compactMap { name in attribute(name).map { "\(name)=\($0)" } }
        if !actionNames.isEmpty { words.append("[\(actionNames.map(\.description).joined(separator: " "))]") }
        return words.joined(separator: " ")
    }
}
