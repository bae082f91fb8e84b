import Foundation
import Testing
import WorldFaces

@Suite struct TreePatchTests {
    @Test(
        "The difference of two trees, sent as JSON, makes the one of the other",
        arguments: 1...300 as ClosedRange<UInt64>)
    func differences(seed: UInt64) throws {
        var random = RandomTree(seed: seed)
        var tree = random.node(depth: 3)
        for _ in 0..<5 {
            let next = random.changed(tree, depth: 3)
            let patch = TreePatch(from: tree, to: next)
            let sent = try JSONDecoder().decode(TreePatch.self, from: JSONEncoder().encode(patch))
            #expect(sent == patch)
            #expect(sent.applied(to: tree) == next)
            #expect(patch.isEmpty == (tree == next))
            tree = next
        }
    }

    @Test("A changed text is one change, and a new row comes with all inside")
    func sizes() {
        func text(_ id: Int, _ text: String) -> FaceNode {
            FaceNode(id: id, content: .init(kind: "Text", value: .text(text)))
        }
        let rows = (0..<100).map {
            FaceNode(id: $0 * 2 + 10, content: .init(kind: "HStack"), children: [text($0 * 2 + 11, "a")])
        }
        let list = FaceNode(id: 1, content: .init(kind: "List"), children: rows)
        var changed = rows
        changed[3] = FaceNode(id: 16, content: .init(kind: "HStack"), children: [text(17, "b")])
        let one = TreePatch(from: list, to: FaceNode(id: 1, content: list.content, children: changed))
        #expect(one.changes.map(\.id) == [17])
        let row = FaceNode(id: 1000, content: .init(kind: "HStack"), children: [text(1001, "c")])
        let more = TreePatch(from: list, to: FaceNode(id: 1, content: list.content, children: rows + [row]))
        #expect(more.changes.count == 1)
        #expect(more.changes.first?.children?.last == .new(row))
    }

    @Test("Parts that two trees share are not looked into")
    func sharing() {
        var random = RandomTree(seed: 1)
        let part = random.node(depth: 3)
        let old = FaceNode(id: -1, content: .init(kind: "Root"), children: [part])
        let new = FaceNode(id: -1, content: .init(kind: "Root", value: .flag(true)), children: [part])
        #expect(TreePatch(from: old, to: new).changes.map(\.id) == [-1])
    }

    @Test("The page on top takes input: the last page, and a dialog above it")
    func front() {
        func node(_ id: Int, _ kind: String, _ children: [FaceNode] = []) -> FaceNode {
            FaceNode(id: id, content: .init(kind: kind), children: children)
        }
        let pages = [node(3, "Page", [node(4, "List")]), node(5, "Page")]
        #expect(node(1, "Root", [node(2, "NavigationStack", pages)]).front.id == 5)
        let dialogs = [node(6, "Alert"), node(7, "Sheet", [node(8, "Alert")])]
        #expect(node(1, "Root", [node(2, "NavigationStack", pages + dialogs)]).front.id == 8)
        #expect(node(1, "Root").front.id == 1)
    }
}
