/// A line of a page, as wide as its text, with the nodes on it that can be acted on.
public struct TerminalLine: Equatable, Sendable {
    /// A part of a line that looks the same throughout.
    public struct Span: Equatable, Sendable {
        var text: String
        var style: Screen.Style = []
    }

    /// The parts, from the left.
    public var spans: [Span]
    /// Nodes with actions, from the left.
    public var targets: [FaceNode] = []

    init(_ text: String, style: Screen.Style = []) { spans = [Span(text: text, style: style)] }

    init(spans: [Span], targets: [FaceNode]) { (self.spans, self.targets) = (spans, targets) }

    /// What the focus is on; nil where the line has no actions.
    public var focusID: Int? { targets.first?.id }

    /// The text of all parts.
    public var text: String { spans.map(\.text).joined() }
}

extension FaceNode {
    private static let lines: Set<String> = [
        "HStack", "LazyHStack", "Button", "EditButton", "Link", "NavigationLink", "TextField", "SecureField", "Toggle",
        "Picker", "Stepper", "LabeledContent", "Label", "Text", "Image", "ProgressView", "Menu", "ToolbarItem",
    ]

    /// The lines of what is in the flow inside, in columns of fixed widths.
    public func terminalLines(columns: Int) -> [TerminalLine] {
        children.filter { !$0.content.isElsewhere }.flatMap { $0.flowLines(columns) }
    }

    private func flowLines(_ columns: Int) -> [TerminalLine] {
        switch kind {
        case "Header": [TerminalLine(texts.joined(separator: " "), style: [.bold, .underline])]
        case "Footer", "Description", "Message": [TerminalLine(texts.joined(separator: " "), style: .dim)]
        case "Divider": [TerminalLine(String(repeating: "─", count: columns), style: .dim)]
        case _ where Self.lines.contains(kind): [rowLine(columns)]
        default: terminalLines(columns: columns)
        }
    }

    private func rowLine(_ columns: Int) -> TerminalLine {
        var cells: [TerminalLine.Span] = []
        collect(&cells)
        var targets: [FaceNode] = []
        collect(&targets)
        let isRow = kind == "HStack" || kind == "LabeledContent"
        let width = max(8, columns / 3)
        let last = cells.indices.last
        for index in cells.indices where isRow && index != last && !cells[index].text.hasPrefix("[") {
            cells[index].text = cells[index].text.fitted(to: width - 1)
        }
        let gaps = cells.enumerated().flatMap { index, cell in
            index == 0 ? [cell] : [TerminalLine.Span(text: " "), cell]
        }
        return TerminalLine(spans: gaps, targets: targets)
    }

    private func collect(_ cells: inout [TerminalLine.Span]) {
        switch kind {
        case "Toggle":
            cells.append(.init(text: content.value?.flag == true ? "[x]" : "[ ]"))
            if content.attributes["labelsHidden"] != .flag(true) { for child in children { child.collect(&cells) } }
        case "Text":
            let style: Screen.Style = content.attributes["foregroundStyle"] == .text("secondary") ? .dim : []
            cells.append(.init(text: content.value?.text?.inert ?? "", style: style))
        case "Picker": collectOptions(&cells)
        case "TextField": cells.append(.init(text: content.value?.text?.inert ?? "", style: .underline))
        case "Button", "EditButton": cells.append(.init(text: "<\(texts.joined(separator: " ").inert)>"))
        case "Image", "Spacer": break
        default: for child in children where !child.content.isElsewhere { child.collect(&cells) }
        }
    }

    /// A picker on one line: its title, and the options with the chosen one reversed.
    private func collectOptions(_ cells: inout [TerminalLine.Span]) {
        for child in children {
            let text = child.texts.joined(separator: " ").inert
            if child.kind == "Title" {
                cells.append(.init(text: text + ":", style: .dim))
            } else {
                cells.append(.init(text: " \(text) ", style: content.selected.contains(child.id) ? .reverse : []))
            }
        }
    }

    private func collect(_ targets: inout [FaceNode]) {
        if !content.actions.isEmpty { targets.append(self) }
        for child in children where !child.content.isElsewhere { child.collect(&targets) }
    }

    /// The line of a picker or of search scopes that stands in the head of a page.
    func headLine(_ columns: Int) -> TerminalLine {
        var cells: [TerminalLine.Span] = []
        collectOptions(&cells)
        let spans = cells.flatMap { [$0, TerminalLine.Span(text: " ")] }
        return TerminalLine(spans: spans, targets: [self])
    }
}
