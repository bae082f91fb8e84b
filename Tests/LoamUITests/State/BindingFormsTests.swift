import LoamUI
import Testing

private struct Entry: Identifiable, Hashable {
    let id: Int
    var name: String
    var note: String?
}

private struct EntryEditor: View {
    @Binding var item: Entry

    var body: some View {
        Label(item.name)
        Press(name: "rename \(item.id)") { item.name += "!" }
    }
}

private struct NoteEditor: View {
    @Binding var note: String

    var body: some View {
        Label("note \(note)")
        Press(name: "write") { note += "." }
    }
}

private struct EntryList: View {
    @State private var items = [
        Entry(id: 1, name: "a"), Entry(id: 2, name: "b", note: "n"), Entry(id: 3, name: "c"),
    ]
    @State private var selection: Int?

    var body: some View {
        ForEach($items) { $item in
            EntryEditor(item: $item)
            if let note = Binding($item.note) { NoteEditor(note: note) }
        }
        Label("\(items.map(\.name)) \(selection ?? 0)")
        Press(name: "reverse") { items.reverse() }
        Press(name: "remove") { items.removeFirst() }
        Press(name: "forget") { items[items.count / 2].note = nil }
        Press(name: "select") { Binding(projectedValue: $selection).wrappedValue = 2 }
    }
}

@MainActor @Suite("Forms of bindings") struct BindingFormsTests {
    @Test("A binding to a collection has one for each element, which follows it where rows move and go")
    func collections() {
        let host = ViewHost { EntryList() }
        #expect(host.texts == ["a", "b", "note n", "c", "[\"a\", \"b\", \"c\"] 0"])
        host.press("rename 2")
        host.render()
        #expect(host.texts.last == "[\"a\", \"b!\", \"c\"] 0")
        host.press("reverse")
        host.render()
        host.press("rename 1")
        host.render()
        #expect(host.texts.last == "[\"c\", \"b!\", \"a!\"] 0")
        host.press("remove")
        host.render()
        #expect(host.texts == ["b!", "note n", "a!", "[\"b!\", \"a!\"] 0"])
        host.press("select")
        host.render()
        #expect(host.texts.last == "[\"b!\", \"a!\"] 2")
    }

    @Test("A binding to the value of an optional is there while there is one") func optionals() {
        let host = ViewHost { EntryList() }
        host.press("write")
        host.render()
        #expect(host.texts.contains("note n."))
        host.press("forget")
        host.render()
        #expect(host.texts == ["a", "b", "c", "[\"a\", \"b\", \"c\"] 0"])
        host.press("write")
        #expect(!host.isRenderPending)
    }

    @Test("Bindings to optionals, erased values and elements that are gone read and set as they say") func forms() {
        var (number, name) = (1, "a" as String?)
        let binding = Binding {
            number
        } set: {
            number = $0
        }
        let optional = Binding<Int?>(binding)
        optional.wrappedValue = 5
        optional.wrappedValue = nil
        #expect(number == 5 && optional.wrappedValue == 5)
        let erased = Binding<AnyHashable>(binding)
        erased.wrappedValue = 7
        erased.wrappedValue = "no number"
        #expect(number == 7 && erased.wrappedValue == AnyHashable(7))
        let nameBinding = Binding {
            name
        } set: {
            name = $0
        }
        let unwrapped = Binding(nameBinding)
        unwrapped?.wrappedValue = "b"
        #expect(name == "b")
        name = nil
        unwrapped?.wrappedValue = "c"
        #expect(name == nil && unwrapped?.wrappedValue == "b" && Binding(nameBinding)?.wrappedValue == nil)
        var items = [1, 2, 3]
        let elements = Binding {
            items
        } set: {
            items = $0
        }
        let last = elements[2]
        #expect(elements.count == 3 && elements.map(\.wrappedValue) == [1, 2, 3])
        last.wrappedValue = 9
        items.removeLast(2)
        last.wrappedValue = 8
        #expect(items == [1] && last.wrappedValue == 9)
        #expect(Binding.constant(3).wrappedValue == 3)
    }
}
