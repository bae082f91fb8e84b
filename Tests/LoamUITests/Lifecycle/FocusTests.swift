import LoamUI
import Observation
import Testing

private enum Field: Hashable {
    case name, code
}

@Observable @MainActor private final class Shown {
    var isCodeShown = true
}

private struct Input: View {
    let text: String

    var body: some View { Label(text) }
}

private struct Editor: View {
    let shown: Shown
    @FocusState private var field: Field?
    @FocusState private var isNoteFocused: Bool

    var body: some View {
        Input(text: "name").focused($field, equals: .name)
        if shown.isCodeShown { Input(text: "code").focused($field, equals: .code) }
        Input(text: "note").focused($isNoteFocused)
        Press(name: "to code") { field = .code }
        Press(name: "none") { (field, isNoteFocused) = (nil, false) }
    }
}

private struct FocusLabel: View {
    @FocusState.Binding var field: Field?

    var body: some View { Label(field.map { "\($0)" } ?? "none") }
}

private struct Described: View {
    @FocusState private var field: Field?

    var body: some View {
        FocusLabel(field: $field)
        Input(text: "code").focused($field, equals: .code)
    }
}

private struct Scoped: View {
    @Namespace private var namespace

    var body: some View {
        Stack {
            Label("a").prefersDefaultFocus(false, in: namespace)
            Label("b").prefersDefaultFocus(in: namespace)
        }
        .focusScope(namespace)
    }
}

@MainActor @Suite("The focus of views") struct FocusTests {
    private func node(_ text: String, in host: ViewHost) throws -> ViewNode {
        try #require(host.root.children.first { $0.description.value as? String == text })
    }

    private func focused(in host: ViewHost) -> [String] {
        host.root.children.filter { $0.description.attributes["isFocused"] as? Bool == true }
            .compactMap { $0.description.value as? String }
    }

    @Test("is set by a state and by who draws, and shown by nodes; what has it is not evaluated")
    func setting() throws {
        let host = ViewHost { Editor(shown: Shown()) }
        let inputs = host.evaluations(of: Input.self)
        #expect(focused(in: host).isEmpty)
        host.press("to code")
        host.render()
        #expect(focused(in: host) == ["code"])
        try node("name", in: host).description.actions["focus"]?(nil)
        try node("note", in: host).description.actions["focus"]?(true)
        host.render()
        #expect(focused(in: host) == ["name", "note"])
        // What loses the focus after another has it takes it from nobody.
        try node("code", in: host).description.actions["focus"]?(false)
        host.render()
        #expect(focused(in: host) == ["name", "note"])
        try node("note", in: host).description.actions["focus"]?(false)
        host.render()
        #expect(focused(in: host) == ["name"])
        host.press("none")
        host.render()
        #expect(focused(in: host).isEmpty && host.evaluations(of: Input.self) == inputs)
    }

    @Test("goes with the view that has it; a change tells the nodes that get and lose it alone")
    func removal() throws {
        let shown = Shown()
        var changed: [[String?]] = []
        let host = ViewHost {
            Editor(shown: shown)
        } onRender: {
            changed.append($0.changed.map { $0.description.value as? String })
        }
        changed = []
        host.press("to code")
        host.render()
        #expect(changed.first == ["code"])
        shown.isCodeShown = false
        host.render()
        host.render()
        shown.isCodeShown = true
        host.render()
        #expect(focused(in: host).isEmpty && !host.isRenderPending)
    }

    @Test("is read through a binding of it")
    func binding() throws {
        let host = ViewHost { Described() }
        #expect(host.texts == ["none", "code"])
        try node("code", in: host).description.actions["focus"]?(true)
        host.render()
        #expect(host.texts == ["code", "code"])
    }

    @Test("is preferred in a namespace by one view, within a scope of it")
    func preference() throws {
        let host = ViewHost { Scoped() }
        let scope = try #require(host.root.children.first)
        let scopes = scope.description.registrations
        #expect(scopes.map(\.role) == ["focusScope"])
        let preferences = scope.children.flatMap(\.description.registrations)
        #expect(preferences.map(\.role) == ["defaultFocus", "defaultFocus"])
        #expect(preferences.map(\.isSource) == [false, true])
        #expect(Set((scopes + preferences).map(\.namespace)).count == 1 && host.warnings.isEmpty)
    }
}
