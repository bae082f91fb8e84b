/// What is done for a key.
public enum TerminalCommand: Equatable, Sendable {
    /// An action of a node, with its value.
    case perform(PageRequest)
    /// The program ends.
    case quit
    /// The program stops until it is continued.
    case suspend
}

/// The terminal's face: which line has the focus, which lines are seen, and what keys do. It draws nothing by itself: a
/// tree and keys come in, a screen and commands go out.
///
/// | key | what it does |
/// |---|---|
/// | characters, backspace | change the text of the page's search field |
/// | up, down, page up, page down, home, end | move the focus |
/// | left, right | choose another option of the focused picker, else of the search's scopes |
/// | enter | the first action on the focused line that is no switch |
/// | tab | the first switch on the focused line |
/// | escape | empties the search, else goes back or closes |
/// | control with C or Q | ends |
/// | control with Z | stops until continued |
public struct TerminalFace: Sendable {
    private var tree: FaceNode
    private var rows: Int
    private var columns: Int
    private var focus: Int?
    private var place = 0
    private var top = 0

    /// The face of a tree on a terminal of a size.
    public init(tree: FaceNode, rows: Int, columns: Int) {
        (self.tree, self.rows, self.columns) = (tree, max(1, rows), max(1, columns))
        settle()
    }

    /// Takes another tree. The focus stays on its node, else at its place.
    public mutating func show(_ tree: FaceNode) {
        let isSamePage = tree.front.id == self.tree.front.id
        self.tree = tree
        if !isSamePage { (focus, place, top) = (nil, 0, 0) }
        settle()
    }

    /// Takes another size.
    public mutating func resize(rows: Int, columns: Int) {
        (self.rows, self.columns) = (max(1, rows), max(1, columns))
        settle()
    }

    private var front: FaceNode { tree.front }
    private var headLines: [TerminalLine] {
        let pickers = front.belonging("Toolbar")?.terminalLines(columns: columns) ?? []
        return pickers + [front.belonging("SearchScopes")?.headLine(columns)].compactMap { $0 }
    }
    private var bodyLines: [TerminalLine] { front.terminalLines(columns: columns) }
    /// Title, search field, head and the line at the bottom.
    private func bodyRows(_ head: [TerminalLine]) -> Int { max(0, rows - head.count - 3) }

    /// Puts the focus on a line that is there, and has that line seen.
    private mutating func settle() {
        let (head, body) = (headLines, bodyLines)
        let lines = head + body
        let places = lines.indices.filter { lines[$0].focusID != nil }
        if let focus, let same = places.first(where: { lines[$0].focusID == focus }) {
            place = same
        } else {
            // The first line of the page, unless the page has none of its own.
            let wanted = focus == nil ? head.count : place
            place = places.first { $0 >= wanted } ?? places.last ?? 0
        }
        focus = lines.indices.contains(place) ? lines[place].focusID : nil
        let (seen, row) = (bodyRows(head), place - head.count)
        if row >= 0, row < top { top = row > 0 && body[row - 1].focusID == nil ? row - 1 : row }
        if row >= top + seen { top = row - seen + 1 }
        top = max(0, min(top, body.count - seen))
    }

    /// What a key does.
    public mutating func press(_ key: Key) -> TerminalCommand? {
        switch key {
        case .control("c"), .control("q"): return .quit
        case .control("z"): return .suspend
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .pageUp: move(by: -bodyRows(headLines))
        case .pageDown: move(by: bodyRows(headLines))
        case .home: move(by: -bodyLines.count - headLines.count)
        case .end: move(by: bodyLines.count + headLines.count)
        case .left: return choose(by: -1)
        case .right: return choose(by: 1)
        case .enter: return act(isSwitch: false)
        case .tab: return act(isSwitch: true)
        case .escape: return leave()
        case .backspace: return search { String($0.dropLast()) }
        case .character(let character): return search { $0 + String(character) }
        case .backTab, .delete, .control: break
        }
        return nil
    }

    private mutating func move(by distance: Int) {
        let lines = headLines + bodyLines
        let places = lines.indices.filter { lines[$0].focusID != nil }
        guard let now = places.firstIndex(of: place) else { return }
        let next = places[max(0, min(places.count - 1, now + distance))]
        (place, focus) = (next, lines[next].focusID)
        settle()
    }

    private var focusedTargets: [FaceNode] {
        let lines = headLines + bodyLines
        return lines.indices.contains(place) ? lines[place].targets : []
    }

    private func search(_ change: (String) -> String) -> TerminalCommand? {
        guard let field = front.belonging("SearchField"), field.content.actions.contains("set") else { return nil }
        let (old, new) = (field.content.value?.text ?? "", change(field.content.value?.text ?? ""))
        guard old != new, new.utf8.count <= PageRequest.longestText else { return nil }
        return .perform(PageRequest(node: field.id, action: "set", value: .text(new)))
    }

    private func choose(by distance: Int) -> TerminalCommand? {
        let focused = focusedTargets.first { $0.content.actions.contains("select") }
        guard let picker = focused ?? front.belonging("SearchScopes"), picker.content.actions.contains("select") else {
            return nil
        }
        let options = picker.children.filter { $0.kind != "Title" && !$0.content.isElsewhere }.map(\.id)
        guard let now = options.firstIndex(where: picker.content.selected.contains) else { return nil }
        let next = max(0, min(options.count - 1, now + distance))
        return next == now
            ? nil : .perform(PageRequest(node: picker.id, action: "select", value: .integer(options[next])))
    }

    private func act(isSwitch: Bool) -> TerminalCommand? {
        let actions = isSwitch ? ["toggle"] : ["press", "tap"]
        let targets = focusedTargets
        for target in targets {
            if let action = actions.first(where: target.content.actions.contains) {
                return .perform(PageRequest(node: target.id, action: action))
            }
        }
        return nil
    }

    private func leave() -> TerminalCommand? {
        if let field = front.belonging("SearchField"), field.content.value?.text?.isEmpty == false,
            field.content.actions.contains("dismiss")
        {
            return .perform(PageRequest(node: field.id, action: "dismiss"))
        }
        guard front.content.actions.contains("dismiss") else { return nil }
        return .perform(PageRequest(node: front.id, action: "dismiss"))
    }
}

extension TerminalFace {
    /// What is seen now.
    public var screen: Screen {
        var screen = Screen(rows: rows, columns: columns)
        let head = headLines
        let title = front.belonging("NavigationTitle")?.content.value?.text ?? front.content.value?.text ?? ""
        screen.write(" \(title) ", row: 0, column: 0, style: [.bold, .reverse])
        drawSearch(on: &screen)
        for (index, line) in head.enumerated() { draw(line, row: index + 2, place: index, on: &screen) }
        for (index, line) in bodyLines.dropFirst(top).prefix(bodyRows(head)).enumerated() {
            draw(line, row: head.count + 2 + index, place: head.count + top + index, on: &screen)
        }
        let help = "↑↓ move  ←→ choose  enter open  tab mark  esc back  ctrl-c end"
        if rows > 1 { screen.write(help.fitted(to: columns), row: rows - 1, column: 0, style: .dim) }
        return screen
    }

    private func drawSearch(on screen: inout Screen) {
        guard rows > 2, let field = front.belonging("SearchField") else { return }
        let text = field.content.value?.text ?? ""
        let column = screen.write("> ", row: 1, column: 0)
        if text.isEmpty {
            screen.write(field.content.attributes["prompt"]?.text ?? "", row: 1, column: column, style: .dim)
        } else {
            let end = screen.write(text, row: 1, column: column)
            screen.write(" ", row: 1, column: end, style: .reverse)
        }
    }

    private func draw(_ line: TerminalLine, row: Int, place: Int, on screen: inout Screen) {
        guard row < rows - 1 else { return }
        let isFocused = line.focusID != nil && place == self.place
        var column = screen.write(isFocused ? "▸ " : "  ", row: row, column: 0)
        for span in line.spans {
            let style = isFocused ? span.style.union(.bold) : span.style
            column = screen.write(span.text, row: row, column: column, style: style)
        }
    }
}
