import LoamViews
import Testing
import WorldFaces

@testable import world

@Suite(.timeLimit(.minutes(30))) @MainActor struct MountedTreeTests {
    @Test("The tree after each render is that of the nodes, and shares what has not changed")
    func sharing() async throws {
        let world = try SmallWorld(more: 20)
        let container = try world.open().container
        let mounted = MountedTree { ContentView().modelContainer(container) }
        let before = mounted.tree
        let toggle = try #require(before.first { $0.kind == "Toggle" })
        #expect(mounted.perform(PageRequest(node: toggle.id, action: "toggle")))
        mounted.render()
        while mounted.tree.first(where: { $0.id == toggle.id })?.content.value != .flag(true) { await Task.yield() }
        #expect(TreePatch(from: before, to: mounted.tree).changes.map(\.id) == [toggle.id])
        let title = try #require(before.first { $0.kind == "NavigationTitle" })
        #expect(mounted.tree.first { $0.id == title.id } === title)
        mounted.unmount()
    }

    @Test("Only actions that a node has, with values that fit, do something")
    func actions() throws {
        let world = try SmallWorld()
        let container = try world.open().container
        let mounted = MountedTree { ContentView().modelContainer(container) }
        let field = try #require(mounted.tree.front.belonging("SearchField"))
        #expect(!mounted.perform(PageRequest(node: field.id, action: "press")))
        #expect(!mounted.perform(PageRequest(node: field.id, action: "set", value: .integer(1))))
        #expect(!mounted.perform(PageRequest(node: -1, action: "set", value: .text("a"))))
        #expect(mounted.perform(PageRequest(node: field.id, action: "set", value: .text("lao"))))
        mounted.render()
        #expect(mounted.tree.texts.contains("Laos"))
        #expect(!mounted.tree.texts.contains("Chad"))
        mounted.unmount()
    }

    @Test("A list shows its first rows, as many as there may be", .timeLimit(.minutes(30)))
    func rows() async throws {
        let world = try SmallWorld(more: MountedTree.mostRows + 100)
        let container = try world.open().container
        let mounted = MountedTree { ContentView().modelContainer(container) }
        func rows() -> Int { mounted.tree.texts.count { $0.hasPrefix("Number ") } }
        while rows() < MountedTree.mostRows - 3 { await Task.yield() }
        mounted.render()
        #expect(rows() <= MountedTree.mostRows)
        mounted.unmount()
    }

    @Test("Scope, order and sections are as chosen")
    func choices() throws {
        let world = try SmallWorld()
        let container = try world.open().container
        let mounted = MountedTree { ContentView().modelContainer(container) }
        func names() -> [String] { mounted.tree.texts.filter(["Laos", "日本", "Chad", "Asia", "Africa"].contains) }
        #expect(names() == ["Africa", "Chad", "Asia", "Laos", "日本"])
        let picker = try #require(mounted.tree.first { $0.kind == "Picker" })
        let people = try #require(picker.children.first { $0.texts == ["People"] })
        #expect(mounted.perform(PageRequest(node: picker.id, action: "select", value: .integer(people.id))))
        mounted.render()
        #expect(names() == ["Africa", "Chad", "Asia", "日本", "Laos"])
        let scopes = try #require(mounted.tree.front.belonging("SearchScopes"))
        let visited = try #require(scopes.children.first { $0.texts == ["Visited"] })
        #expect(mounted.perform(PageRequest(node: scopes.id, action: "select", value: .integer(visited.id))))
        mounted.render()
        #expect(names().isEmpty)
        mounted.unmount()
    }
}
