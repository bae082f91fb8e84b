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
