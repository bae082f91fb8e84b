import LoamViews
import Testing

private struct Scrolling: View {
    var body: some View {
        ScrollViewReader { proxy in
            ScrollView(.horizontal) {
                LazyVStack(alignment: .leading, spacing: 4) { ForEach(0..<3) { Text("\($0)").id($0 + 10) } }
            }
            Button("Last") { proxy.scrollTo(12, anchor: .top) }
        }
    }
}

/// Which rows of each container are mounted.
@MainActor private final class Mounted {
    var numbers: [String: Set<Int>] = [:]
}

private struct CountedRow: View {
    let number: Int
    let of: String
    let mounted: Mounted
    var body: some View {
        Text("\(number)")
            .onAppear { mounted.numbers[of, default: []].insert(number) }
            .onDisappear { mounted.numbers[of]?.remove(number) }
    }
}

private struct Place: Identifiable {
    let name: String
    var inside: [Place]?

    var id: String { name }
}

private struct Folding: View {
    @State private var isExpanded = true
    @State private var isLastExpanded = true

    var body: some View {
        List {
            Section(isExpanded: $isExpanded) {
                ForEach(1..<3) { Text("\($0)") }
            } header: {
                HStack {
                    Text("Numbers")
                }
            }
            Section("end", isExpanded: $isLastExpanded) { Text("last") }
        }
        Text("\(isExpanded)")
    }
}

@Suite("Containers") @MainActor
struct ContainerTests {
    @Test("are nodes with what is in them") func nodes() {
        let host = ViewHost {
            HStack(spacing: 8) {
                Text("a")
                Spacer()
                Divider()
            }
            ZStack { Color.red }
            LabeledContent("Name", value: "Laos")
            Section {
                Text("row")
            } header: {
                Text("above")
            } footer: {
                Text("below")
            }
            Section(header: Text("old")) { EmptyView() }
            ContentUnavailableView.search(text: "x")
        }
        #expect(
            host.outline == """
                HStack spacing=8.0
                  Text "a"
                  Spacer
                  Divider
                ZStack
                  Color "red"
                LabeledContent
                  Title
                    Text "Name"
                  Text "Laos"
                Section
                  Header
                    Text "above"
                  Text "row"
                  Footer
                    Text "below"
                Section
                  Header
                    Text "old"
                ContentUnavailableView
                  Title
                    Label
                      Image "magnifyingglass" isSystemImage=true
                      Text "No Results for “x”"
                  Description
                    Text "Check the spelling or try a new search."
                """)
    }

    @Test("say what of them is pinned, scrolled and seen") func looks() throws {
        let host = ViewHost {
            ScrollView(.horizontal, showsIndicators: false) {
                LazyVStack(pinnedViews: [.sectionHeaders, .sectionFooters]) { Text("a") }
                LazyHStack(pinnedViews: .sectionHeaders) { Text("b") }
            }
        }
        #expect(
            host.outline == """
                ScrollView axes="horizontal" showsIndicators=false
                  LazyVStack pinnedViews="headers footers"
                    Text "a"
                  LazyHStack pinnedViews="headers"
                    Text "b"
                """)
    }

    @Test("are lists of elements with children, whose rows are there when they are expanded") func outlines() throws {
        let leaves = [Place(name: "Bern"), Place(name: "Thun")]
        let places = [Place(name: "Switzerland", inside: [Place(name: "BE", inside: leaves)]), Place(name: "Sea")]
        let host = ViewHost { List(places, children: \.inside) { Text($0.name) } }
        let list = try #require(host.node("List"))
        #expect(list.rows.map { $0.attribute(.isExpanded) } == [.flag(false), nil])
        #expect(list.rows[0].perform(.toggle) && !list.rows[1].perform(.toggle))
        host.settle()
        #expect(host.texts == ["Switzerland", "BE", "Sea"])
        #expect(list.rows[1].perform(.toggle))
        host.settle()
        #expect(list.rows.map(\.texts) == [["Switzerland"], ["BE"], ["Bern"], ["Thun"], ["Sea"]])
        #expect(list.rows[0].perform(.toggle))
        host.settle()
        #expect(host.texts == ["Switzerland", "Sea"])
    }

    @Test("are sections whose rows are there as long as they are expanded") func expansion() throws {
        let host = ViewHost { Folding() }
        let section = try #require(host.node("Section", "Numbers"))
        let list = try #require(host.node("List"))
        #expect(section.attribute(.isExpanded) == .flag(true) && list.rows.map(\.texts) == [["1"], ["2"], ["last"]])
        #expect(section.perform(.toggle) && !section.perform(.set, .text("no")))
        host.settle()
        #expect(host.texts == ["Numbers", "end", "last", "false"] && list.rows.map(\.texts) == [["last"]])
        #expect(host.perform(.set, .flag(true), on: "Section", "Numbers"))
        #expect(host.texts == ["Numbers", "1", "2", "end", "last", "true"] && section.perform(.set, .flag(true)))
    }

    @Test("that are disabled fold, rename and hide nothing") func disabled() throws {
        @State var text = "title"
        @State var isExpanded = true
        @State var columns = NavigationSplitViewVisibility.all
        let places = [Place(name: "Switzerland", inside: [Place(name: "BE")])]
        let host = ViewHost {
            Group {
                List { Section("Numbers", isExpanded: $isExpanded) { Text("1") } }
                List(places, children: \.inside) { Text($0.name) }.navigationTitle($text)
                NavigationSplitView(columnVisibility: $columns) {
                    Text("side")
                } detail: {
                    Text("detail")
                }
            }
            .disabled(true)
        }
        for kind in ["Section", "NavigationTitle", "NavigationSplitView"] as [NodeKind] {
            let node = try #require(host.node(kind))
            #expect(node.actionNames.isEmpty && node.attribute(.isEnabled) == .flag(false))
        }
        let row = try #require(host.node("Text", "Switzerland"))
        #expect(row.attribute(.isExpanded) == .flag(false) && !row.perform(.toggle))
    }

    @Test("say where they were asked to scroll to, and how often") func scrolling() throws {
        let host = ViewHost { Scrolling() }
        let reader = try #require(host.node("ScrollViewReader"))
        #expect(reader.nodeValue == nil && reader.scrollTarget == nil)
        #expect(host.node("LazyVStack")?.attribute(.alignment) == .text("leading"))
        host.press("Last")
        #expect(reader.nodeValue == .integer(1) && reader.scrollTarget?.texts == ["2"])
        host.press("Last")
        #expect(reader.nodeValue == .integer(2))
    }

    @Test("lazy stacks and lists mount the rows that are shown, and no others") func lazyRows() throws {
        let mounted = Mounted()
        let host = ViewHost {
            VStack { ForEach(0..<200) { CountedRow(number: $0, of: "VStack", mounted: mounted) } }
            LazyVStack {
                Text("before")
                ForEach(0..<1_000_000) { CountedRow(number: $0, of: "LazyVStack", mounted: mounted) }
            }
            LazyHStack { ForEach(0..<1_000_000) { CountedRow(number: $0, of: "LazyHStack", mounted: mounted) } }
            List(0..<1_000_000) { CountedRow(number: $0, of: "List", mounted: mounted) }
        }
        #expect(mounted.numbers["VStack"]?.count == 200)
        let first = Set(0..<ViewNode.initialRows)
        for kind in ["LazyVStack", "LazyHStack", "List"] as [NodeKind] {
            let node = try #require(host.node(kind))
            #expect(node.rowCount == 1_000_000 && node.shownRows == 0..<first.count)
            #expect(mounted.numbers[kind.description] == first)
            node.show(rows: 500_000..<500_003)
            host.render()
            #expect(mounted.numbers[kind.description] == [500_000, 500_001, 500_002])
            #expect(node.texts.suffix(3) == ["500000", "500001", "500002"])
        }
        #expect(host.node("LazyVStack")?.texts.first == "before")
    }

    @Test("move and remove elements at offsets as SwiftUI does, whatever the offsets are") func offsets() {
        var letters = ["a", "b", "c", "d"]
        letters.move(fromOffsets: [0, 2], toOffset: 4)
        #expect(letters == ["b", "d", "a", "c"])
        letters.move(fromOffsets: [3], toOffset: 0)
        #expect(letters == ["c", "b", "d", "a"])
        letters.move(fromOffsets: [1, 9], toOffset: 77)
        #expect(letters == ["c", "d", "a", "b"])
        letters.remove(atOffsets: [0, 3, 12])
        #expect(letters == ["d", "a"])
    }
}
