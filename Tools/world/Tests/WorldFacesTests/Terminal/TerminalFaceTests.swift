import Testing
import WorldFaces

@Suite struct TerminalFaceTests {
    private func node(
        _ id: Int, _ kind: String, _ value: FaceValue? = nil, _ actions: [String] = [], isElsewhere: Bool = false,
        selected: [Int] = [], _ children: [FaceNode] = []
    ) -> FaceNode {
        var content = FaceNode.Content(kind: kind, value: value, actions: actions)
        (content.isElsewhere, content.selected) = (isElsewhere, selected)
        return FaceNode(id: id, content: content, children: children)
    }

    private func text(_ id: Int, _ text: String) -> FaceNode { node(id, "Text", .text(text)) }

    /// A page with rows of numbers from 100 on.
    private func tree(rows: [Int], search: String = "") -> FaceNode {
        let rows = rows.map { number in
            node(
                number * 10, "HStack", nil, [],
                [
                    node(number * 10 + 1, "Toggle", .flag(number % 2 == 0), ["set", "toggle"]),
                    node(number * 10 + 2, "NavigationLink", nil, ["press"], [text(number * 10 + 3, "row \(number)")]),
                ])
        }
        let list = node(
            4, "List", nil, [], [node(5, "Section", nil, [], [node(6, "Header", nil, [], [text(7, "Head")])] + rows)])
        let scopes = node(
            20, "SearchScopes", nil, ["select"], isElsewhere: true, selected: [21], [text(21, "All"), text(22, "Some")])
        let field = node(30, "SearchField", .text(search), ["dismiss", "set", "submit"], isElsewhere: true)
        let title = node(40, "NavigationTitle", .text("Title"), isElsewhere: true)
        return node(
            1, "Root", nil, [],
            [node(2, "NavigationStack", nil, [], [node(3, "Page", nil, [], [list, field, scopes, title])])])
    }

    @Test("The first row has the focus, arrows move it, and it is always seen")
    func focus() {
        var face = TerminalFace(tree: tree(rows: Array(100..<200)), rows: 10, columns: 40)
        #expect(face.screen.text(row: 0) == " Title")
        #expect(face.screen.text(row: 3) == "  Head")
        #expect(face.screen.text(row: 4).hasPrefix("▸ [x]"))
        for _ in 0..<50 { #expect(face.press(.down) == nil) }
        #expect(
            (0..<10).contains {
                face.screen.text(row: $0).contains("row 150") && face.screen.text(row: $0).hasPrefix("▸")
            })
        _ = face.press(.end)
        #expect((0..<10).contains { face.screen.text(row: $0).contains("row 199") })
        _ = face.press(.home)
        _ = face.press(.down)
        #expect(face.screen.text(row: 3) == "  Head")
        #expect(face.press(.enter) == .perform(PageRequest(node: 1002, action: "press")))
        #expect(face.press(.tab) == .perform(PageRequest(node: 1001, action: "toggle")))
    }

    @Test("The focus stays on its row where rows before it go, else at its place")
    func movedRows() {
        var face = TerminalFace(tree: tree(rows: [100, 101, 102, 103]), rows: 12, columns: 40)
        _ = face.press(.down)
        _ = face.press(.down)
        face.show(tree(rows: [102, 103]))
        #expect(face.press(.enter) == .perform(PageRequest(node: 1022, action: "press")))
        face.show(tree(rows: [103]))
        #expect(face.press(.enter) == .perform(PageRequest(node: 1032, action: "press")))
        face.show(tree(rows: []))
        #expect(face.press(.enter) == nil)
    }

    @Test("What is typed goes to the search, left and right to its scopes")
    func search() {
        var face = TerminalFace(tree: tree(rows: [100], search: "la"), rows: 12, columns: 40)
        #expect(face.screen.text(row: 1) == "> la")
        #expect(face.press(.character("o")) == .perform(PageRequest(node: 30, action: "set", value: .text("lao"))))
        #expect(face.press(.backspace) == .perform(PageRequest(node: 30, action: "set", value: .text("l"))))
        #expect(face.press(.right) == .perform(PageRequest(node: 20, action: "select", value: .integer(22))))
        #expect(face.press(.left) == nil)
        #expect(face.press(.escape) == .perform(PageRequest(node: 30, action: "dismiss")))
        face.show(tree(rows: [100]))
        #expect(face.press(.escape) == nil)
        #expect(face.press(.control("c")) == .quit)
        #expect(face.press(.control("z")) == .suspend)
    }

    @Test("A terminal of any size is drawn on", arguments: [(1, 1), (2, 3), (3, 80), (4, 10), (100, 300)])
    func sizes(rows: Int, columns: Int) {
        var face = TerminalFace(tree: tree(rows: Array(100..<120)), rows: 24, columns: 80)
        face.resize(rows: rows, columns: columns)
        for key in [Key.down, .pageDown, .end, .up, .pageUp, .home] { _ = face.press(key) }
        #expect(face.screen.rows == rows)
        #expect((0..<rows).allSatisfy { face.screen.text(row: $0).displayWidth <= columns })
    }
}
