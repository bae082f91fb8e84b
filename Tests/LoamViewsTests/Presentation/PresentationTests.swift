import LoamViews
import Testing

@Observable @MainActor private final class Shown {
    var isSheet = false
    var item: Item?
    var isAlert = false
    var isDialog = false
    var log: [String] = []

    struct Item: Identifiable, Equatable {
        let id: Int
        var name: String
    }
}

private struct SheetContent: View {
    @State private var count = 0
    @Environment(\.dismiss) private var dismiss
    let name: String

    var body: some View {
        Text("\(name) \(count)")
        Button("Count") { count += 1 }
        Button("Close") { dismiss() }
    }
}

private enum Failure: LocalizedError {
    case full

    var errorDescription: String? { "The disk is full." }
}

private struct Failing: View {
    @State private var error: Failure?
    @State private var isShown = false

    var body: some View {
        Button("Fail") { (error, isShown) = (.full, true) }
            .alert(isPresented: $isShown, error: error) { _ in
                Button("OK") {}
            } message: {
                Text("Nothing is lost: \($0 == .full)")
            }
    }
}

private struct Presenting: View {
    @Bindable var shown: Shown

    var body: some View {
        Button("Sheet") { shown.isSheet = true }
            .sheet(isPresented: $shown.isSheet, onDismiss: { shown.log.append("gone") }) { SheetContent(name: "sheet") }
            .bold()
        Text("item")
            .sheet(item: $shown.item) { SheetContent(name: $0.name) }
        Text("alert")
            .alert("Delete?", isPresented: $shown.isAlert) {
                Button("Delete", role: .destructive) { shown.log.append("deleted") }
                Button("Keep", role: .cancel) {}
            } message: {
                Text("For good.")
            }
        Text("dialog")
            .confirmationDialog("Sure?", isPresented: $shown.isDialog, titleVisibility: .visible) {
                Button("Yes") { shown.log.append("yes") }
            }
    }
}

@Suite("Presentations") @MainActor
struct PresentationTests {
    private let shown = Shown()

    @Test("are sheets, with a life of their own, closed from within and without") func sheets() throws {
        let host = ViewHost { Presenting(shown: shown) }
        #expect(host.root.presentations.isEmpty)
        host.press("Sheet")
        let sheet = try #require(host.root.presentations.first)
        #expect(sheet.kind == "Sheet" && sheet.isElsewhere && sheet.texts.first == "sheet 0")
        // What is around the sheet's view is not about the sheet.
        #expect(sheet.attribute(.bold) == nil && host.node("Button", "Sheet")?.attribute(.bold) == .flag(true))
        #expect(host.root.items.first?.attachments.map(\.kind) == ["Sheet"])
        host.press("Count")
        #expect(sheet.texts.first == "sheet 1" && shown.log.isEmpty)
        host.press("Close")
        #expect(host.root.presentations.isEmpty && !shown.isSheet && shown.log == ["gone"])
        host.press("Sheet")
        #expect(host.root.presentations.first?.texts.first == "sheet 0")
        #expect(host.perform(.dismiss, on: "Sheet") && !shown.isSheet && shown.log == ["gone", "gone"])
    }

    @Test("are sheets for an item: one for each identifier") func items() {
        let host = ViewHost { Presenting(shown: shown) }
        shown.item = Shown.Item(id: 1, name: "a")
        host.settle()
        host.press("Count")
        shown.item = Shown.Item(id: 1, name: "b")
        host.settle()
        #expect(host.root.presentations.map(\.texts.first) == ["b 1"])
        shown.item = Shown.Item(id: 2, name: "c")
        host.settle()
        #expect(host.root.presentations.map(\.texts.first) == ["c 0"])
        host.press("Close")
        #expect(shown.item == nil && host.root.presentations.isEmpty)
    }

    @Test("are alerts about errors, with a message") func errors() {
        let host = ViewHost { Failing() }
        #expect(host.root.presentations.isEmpty)
        host.press("Fail")
        #expect(
            host.root.presentations.first?.outline == """
                Alert "The disk is full." [dismiss]
                  Message
                    Text "Nothing is lost: true"
                  Button [press]
                    Text "OK"
                """)
        host.press("OK")
        #expect(host.root.presentations.isEmpty)
    }

    @Test("are alerts, which each of their buttons closes") func alerts() {
        let host = ViewHost { Presenting(shown: shown) }
        shown.isAlert = true
        host.settle()
        #expect(
            host.root.presentations.first?.outline == """
                Alert "Delete?" [dismiss]
                  Message
                    Text "For good."
                  Button role="destructive" [press]
                    Text "Delete"
                  Button role="cancel" [press]
                    Text "Keep"
                """)
        host.press("Delete")
        #expect(shown.log == ["deleted"] && !shown.isAlert && host.root.presentations.isEmpty)
        shown.isAlert = true
        host.settle()
        host.press("Keep")
        #expect(!shown.isAlert && host.root.presentations.isEmpty)
    }

    @Test("are dialogs, which can be dismissed") func dialogs() {
        let host = ViewHost { Presenting(shown: shown) }
        shown.isDialog = true
        host.settle()
        #expect(host.node("ConfirmationDialog")?.attribute(.titleVisibility) == .text("visible"))
        #expect(host.perform(.dismiss, on: "ConfirmationDialog") && !shown.isDialog && shown.log.isEmpty)
        shown.isDialog = true
        host.settle()
        #expect(host.press("Yes") && shown.log == ["yes"] && !shown.isDialog)
    }

    @Test("leave nothing behind when they are closed or their host is unmounted") func leaks() {
        weak var released: Shown?
        do {
            let shown = Shown()
            released = shown
            let host = ViewHost { NavigationStack { Presenting(shown: shown) } }
            host.press("Sheet")
            host.press("Close")
            host.press("Sheet")
            host.unmount()
        }
        #expect(released == nil)
    }

    @Test("render the presenting view's body once, and nothing around it") func counts() {
        var changed: [[NodeKind]] = []
        let host = ViewHost {
            Presenting(shown: shown)
        } onRender: {
            changed.append($0.changed.map(\.kind))
        }
        let before = host.evaluations(of: Presenting.self)
        changed = []
        host.press("Sheet")
        #expect(host.evaluations(of: Presenting.self) == before)
        #expect(changed.count == 1 && changed[0].filter { $0 == "Root" || $0 == "Sheet" } == ["Root", "Sheet"])
    }
}
