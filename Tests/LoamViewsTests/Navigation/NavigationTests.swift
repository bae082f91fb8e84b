import LoamViews
import Testing

@Observable @MainActor private final class Route {
    var path: [Int] = []
    var mixed = NavigationPath()
    var isShown = false
    var item: String?
    var title = "first"
}

private struct Leaving: View {
    @Environment(\.dismiss) private var dismiss

    var body: some View { Button("Leave") { dismiss() } }
}

private struct Numbers: View {
    @Bindable var route: Route

    var body: some View {
        NavigationStack(path: $route.path) {
            List(1..<3) { NavigationLink("to \($0)", value: $0) }
                .navigationTitle("Numbers")
                .navigationDestination(for: Int.self) { number in
                    Text("number \(number)")
                    NavigationLink("deeper", value: number + 10)
                    NavigationLink("wrong", value: "text")
                    Leaving()
                        .navigationTitle("Number \(number)")
                }
        }
    }
}

private struct Views: View {
    @Bindable var route: Route

    var body: some View {
        NavigationStack {
            NavigationLink {
                Text("inside \(route.title)")
                NavigationLink("further", destination: Text("second"))
                Leaving()
            } label: {
                Text("open")
            }
            Button("flag") { route.isShown = true }
                .navigationDestination(isPresented: $route.isShown) { Text("shown") }
            Button("item") { route.item = "x" }
                .navigationDestination(item: $route.item) { Text("item \($0)") }
        }
    }
}

private struct Mixed: View {
    @Bindable var route: Route

    var body: some View {
        NavigationStack(path: $route.mixed) {
            NavigationLink("number", value: 1)
            NavigationLink("text", value: "a")
            NavigationLink("nothing", value: nil as Int?)
            EmptyView()
                .navigationDestination(for: Int.self) { Text("Int \($0)") }
                .navigationDestination(for: String.self) { Text("String \($0)") }
        }
    }
}

private struct Split: View {
    @State private var chosen: String?

    var body: some View {
        NavigationSplitView {
            List(["a", "b"], id: \.self, selection: $chosen) { NavigationLink($0, value: $0) }
            NavigationLink("page") { Text("a page") }
        } detail: {
            Text("detail \(chosen ?? "none")")
        }
    }
}

private struct Columns: View {
    @State private var visibility = NavigationSplitViewVisibility.all

    var body: some View {
        NavigationSplitView(columnVisibility: $visibility) {
            Text("side")
        } detail: {
            if visibility == .detailOnly { Text("detail") }
            Button("All") { visibility = .all }
        }
    }
}

@Suite("Navigation") @MainActor
struct NavigationTests {
    private let route = Route()

    private func pages(_ host: ViewHost) -> [[String]] {
        host.root.children.first?.children.map(\.texts) ?? []
    }

    @Test("pushes values of a path, and goes back by pages, by the path and by dismissing") func path() throws {
        let host = ViewHost { Numbers(route: route) }
        #expect(pages(host).count == 1 && host.root.children.first?.children.first?.pageTitle == "Numbers")
        #expect(host.press("to 2") && route.path == [2])
        #expect(host.press("deeper") && route.path == [2, 12])
        #expect(pages(host).map(\.first) == ["to 1", "number 2", "number 12"])
        let stack = try #require(host.root.children.first)
        #expect(stack.children.last?.pageTitle == "Number 12" && stack.children[0].actionNames.isEmpty)
        // A value of another type than the path's does not fit.
        #expect(stack.children.last?.descendant { $0.texts == ["wrong"] }?.perform(.press) == false)
        #expect(stack.children.last?.perform(.dismiss) == true)
        host.settle()
        #expect(route.path == [2] && pages(host).count == 2)
        #expect(host.press("Leave") && route.path.isEmpty && pages(host).count == 1)
        route.path = [1, 2, 3]
        host.settle()
        #expect(pages(host).map(\.first) == ["to 1", "number 1", "number 2", "number 3"])
        #expect(stack.children[1].perform(.dismiss) && route.path.isEmpty)
    }

    @Test("pushes views of links, which go on being made by what is around the link") func views() throws {
        let host = ViewHost { Views(route: route) }
        #expect(host.press("open"))
        #expect(pages(host).last?.first == "inside first")
        route.title = "other"
        host.settle()
        #expect(pages(host).last?.first == "inside other")
        #expect(host.press("further") && pages(host).last == ["second"] && pages(host).count == 3)
        #expect(host.press("Leave") && pages(host).count == 1)
    }

    @Test("pushes a page as long as a flag is set or there is an item, and clears both at going back") func presented()
    {
        let host = ViewHost { Views(route: route) }
        #expect(host.press("flag") && pages(host).last == ["shown"])
        #expect(host.perform(.dismiss, on: "Page", "shown") && !route.isShown && pages(host).count == 1)
        #expect(host.press("item") && pages(host).last == ["item x"])
        route.item = "y"
        host.settle()
        #expect(pages(host).last == ["item y"] && pages(host).count == 2)
        route.item = nil
        host.settle()
        #expect(pages(host).count == 1)
    }

    @Test("pushes values of several types; a link to nothing is disabled") func mixed() {
        let host = ViewHost { Mixed(route: route) }
        #expect(host.press("text") && host.press("number") && route.mixed.count == 2)
        #expect(pages(host).dropFirst() == [["String a"], ["Int 1"]])
        #expect(!host.press("nothing"))
        route.mixed.removeLast(5)
        host.settle()
        #expect(pages(host).count == 1 && route.mixed.isEmpty)
    }

    @Test("beside others chooses a row, or shows a page in the last column") func split() throws {
        let host = ViewHost { Split() }
        #expect(host.node("NavigationSplitView")?.children.map(\.nodeValue) == [.text("sidebar"), .text("detail")])
        #expect(host.press("b"))
        let detail = try #require(host.node("NavigationSplitView")?.children.last)
        #expect(detail.texts == ["detail b"])
        #expect(host.press("page") && host.press("page"))
        #expect(detail.children.map(\.texts) == [["detail b"], ["a page"]])
    }

    @Test("outside of a stack, a link does nothing") func outside() {
        let host = ViewHost { NavigationLink("lost", value: 1) }
        #expect(!host.press("lost") && host.node("NavigationLink")?.attribute(.isEnabled) == .flag(false))
    }

    @Test("beside others shows the columns that are asked for, by the program and by the face") func visibility() throws
    {
        let host = ViewHost { Columns() }
        let split = try #require(host.node("NavigationSplitView"))
        #expect(split.nodeValue == .text("all") && !split.perform(.set, .text("none")))
        #expect(split.perform(.set, .text("detailOnly")))
        host.settle()
        #expect(split.nodeValue == .text("detailOnly") && host.texts == ["side", "detail", "All"])
        host.press("All")
        #expect(split.nodeValue == .text("all"))
    }
}
