import LoamViews
import Testing

private enum Scope: Hashable { case all, large }

private struct Searching: View {
    @State private var text = ""
    @State private var scope = Scope.all
    @State private var submitted = ""
    @State private var refreshed = 0
    @State private var tapped = 0

    private var cities: [String] { ["Bern", "Berlin", "Oslo"].filter { text.isEmpty || $0.hasPrefix(text) } }

    var body: some View {
        NavigationStack {
            List(cities, id: \.self) { city in
                Text(city).onTapGesture { tapped += 1 }
                    .contextMenu { Button("Copy") { submitted = city } }
            }
            .navigationTitle("Cities")
            .navigationBarTitleDisplayMode(.inline)
            .searchable(text: $text, placement: .toolbar, prompt: "Which?")
            .searchScopes($scope) {
                Text("All").tag(Scope.all)
                Text("Large").tag(Scope.large)
            }
            .onSubmit(of: .search) { submitted = text }
            .refreshable { refreshed += 1 }
            .toolbar {
                ToolbarItem(placement: .topBarTrailing) { Button("Clear") { text = "" } }
                ToolbarItemGroup(placement: .bottomBar) {
                    Text("\(submitted) \(refreshed) \(tapped)")
                    if scope == .large { Text("large") }
                }
            }
        }
    }
}

private struct Renaming: View {
    @State private var name = "Bern"

    var body: some View {
        NavigationStack { Text(name).navigationTitle($name).navigationBarTitleDisplayMode(.inline) }
    }
}

private struct OwnToolbar: ToolbarContent {
    @State private var count = 0

    var body: some ToolbarContent {
        ToolbarItem { Button("Add") { count += 1 } }
        if count > 0 { ToolbarItem(placement: .status) { Text("count \(count)") } }
    }
}

@Suite("Pages have") @MainActor
struct SearchTests {
    @Test("a search field, whose text filters rows, and scopes") func search() throws {
        let host = ViewHost { Searching() }
        let page = try #require(host.node("Page"))
        #expect(
            page.searchField?.outline == #"SearchField "" placement="toolbar" prompt="Which?" [dismiss set submit]"#)
        #expect(page.searchField?.perform(.set, .text("Ber")) == true)
        host.settle()
        #expect(host.node("List")?.rows.map(\.texts) == [["Bern"], ["Berlin"]])
        #expect(page.searchField?.perform(.submit) == true)
        let scopes = try #require(page.searchScopes)
        #expect(scopes.options.map(scopes.isSelected) == [true, false])
        #expect(scopes.perform(.select, .integer(scopes.options[1].id)))
        host.settle()
        #expect(scopes.options.map(scopes.isSelected) == [false, true])
        #expect(page.toolbars.first?.texts == ["Clear", "Ber 0 0", "large"])
        #expect(page.searchField?.perform(.dismiss) == true)
        host.settle()
        #expect(host.node("List")?.rows.count == 3 && page.searchField?.nodeValue == .text(""))
    }

    @Test("a title with its mode, a toolbar with its places, menus, taps and a refresh", .timeLimit(.minutes(30)))
    func actions() async throws {
        let host = ViewHost { Searching() }
        let page = try #require(host.node("Page"))
        #expect(page.pageTitle == "Cities")
        #expect(host.node("NavigationTitle")?.attribute(.displayMode) == .text("inline"))
        let places = page.toolbars.first?.children.map { $0.attribute(.placement) }
        #expect(places == [.text("topBarTrailing"), .text("bottomBar")])
        let list = try #require(host.node("List"))
        #expect(list.items.first?.attachments.map(\.kind) == ["ContextMenu"] && list.rows.count == 3)
        #expect(list.rows[0].perform(.tap) && host.press("Copy"))
        #expect(list.perform(.refresh))
        await host.wait { page.toolbars.first?.texts == ["Clear", "Bern 1 1"] }
        host.unmount()
    }

    @Test("a title that is edited, and one by an older name") func titles() throws {
        let host = ViewHost { Renaming() }
        let title = try #require(host.node("NavigationTitle"))
        #expect(title.outline == #"NavigationTitle "Bern" displayMode="inline" [set]"#)
        #expect(title.perform(.set, .text("Oslo")) && !title.perform(.set, .integer(3)))
        host.settle()
        #expect(host.node("Page")?.pageTitle == "Oslo" && host.node("Text")?.nodeValue == .text("Oslo"))
        let older = ViewHost { Text("page").navigationBarTitle("Cities" + "!", displayMode: .large) }
        #expect(older.node("NavigationTitle")?.outline == #"NavigationTitle "Cities!" displayMode="large""#)
    }

    @Test("a search field that is always seen") func drawer() {
        let host = ViewHost {
            Text("page").searchable(text: .constant(""), placement: .navigationBarDrawer(displayMode: .always))
        }
        #expect(host.node("SearchField")?.attribute(.placement) == .text("navigationBarDrawer always"))
    }

    @Test("toolbars of one's own, with state") func ownToolbar() {
        let host = ViewHost { Text("page").toolbar { OwnToolbar() } }
        host.press("Add")
        host.press("Add")
        #expect(host.node("Toolbar")?.texts == ["Add", "count 2"])
    }
}
