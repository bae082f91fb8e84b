import LoamUI
import Observation
import Testing

@Observable @MainActor private final class Model {
    var items = ["a", "b", "c"]
    var isShown = true
    var endless = 0
}

@MainActor private final class Storage {}

private struct ItemRow: View {
    let name: String
    @State private var clicks = 0

    var body: some View {
        Label("\(name)\(clicks)")
        Press(name: name) { clicks += 1 }
    }
}

private struct Items: View {
    let model: Model

    var body: some View { ForEach(model.items, id: \.self) { ItemRow(name: $0) } }
}

private struct Keeper: View {
    @State private var storage: Storage
    let log: (String) -> Void

    init(_ storage: @autoclosure @escaping () -> Storage, log: @escaping (String) -> Void) {
        _storage = State(wrappedValue: storage())
        self.log = log
    }

    var body: some View {
        Label("kept").onAppear { log("appear") }.onDisappear { log("disappear") }
    }
}

private struct Shower: View {
    let model: Model
    let log: (String) -> Void
    let make: () -> Storage

    var body: some View {
        if model.isShown { Keeper(make(), log: log) }
    }
}

private struct EndlessChild: View {
    let model: Model

    var body: some View {
        let _ = model.endless += 1
        Label("child")
    }
}

private struct Endless: View {
    let model: Model

    var body: some View {
        Label("\(model.endless)")
        AnyView(EndlessChild(model: model).id(model.endless))
    }
}

private struct UnitKey: EnvironmentKey {
    static let defaultValue = "km"
}

extension EnvironmentValues {
    fileprivate var unit: String {
        get { self[UnitKey.self] }
        set { self[UnitKey.self] = newValue }
    }
}

private struct UnitView: View {
    @Environment(\.unit) private var unit
    @Environment(Model.self) private var model: Model?

    var body: some View { Label("\(unit) \(model?.items.count ?? 0)") }
}

private struct PlainView: View {
    var body: some View { Label("plain") }
}

private struct UnitParent: View {
    @State private var isMetric = true

    var body: some View {
        Press(name: "toggle") { isMetric.toggle() }
        Group {
            UnitView()
            PlainView()
        }
        .environment(\.unit, isMetric ? "m" : "ft")
    }
}

@MainActor @Suite struct MountingTests {
    @Test("Rows keep their state and their nodes where they move, and lose them where they go")
    func rows() {
        let model = Model()
        let host = ViewHost { Items(model: model) }
        host.press("b")
        host.render()
        let node = host.root.children[2].id
        model.items = ["b", "c", "a"]
        host.render()
        #expect(host.texts == ["b1", "c0", "a0"])
        #expect(host.root.children[0].id == node)
        #expect(host.root.children[0].explicitID == AnyHashable("b"))
        model.items = ["c"]
        host.render()
        model.items = ["b", "c"]
        host.render()
        #expect(host.texts == ["b0", "c0"])
    }

    @Test("A removed view lets go of its storage, and its coming and going are told")
    func removal() {
        let model = Model()
        weak var storage: Storage?
        var (log, made) = ([] as [String], 0)
        let make = {
            made += 1
            let new = Storage()
            storage = new
            return new
        }
        let host = ViewHost { Shower(model: model, log: { log.append($0) }, make: make) }
        #expect(storage != nil)
        #expect(made == 1)
        #expect(log == ["appear"])
        model.isShown = false
        host.render()
        #expect(storage == nil)
        #expect(log == ["appear", "disappear"])
        #expect(host.texts.isEmpty)
    }

    @Test("An unmounted host and a released one let go of everything")
    func unmounting() {
        let model = Model()
        weak var storage: Storage?
        var log: [String] = []
        let make = {
            let new = Storage()
            storage = new
            return new
        }
        var host: ViewHost? = ViewHost { Shower(model: model, log: { log.append($0) }, make: make) }
        host?.unmount()
        #expect(storage == nil)
        #expect(log == ["appear", "disappear"])
        host = ViewHost { Shower(model: model, log: { _ in }, make: make) }
        weak let released = host
        #expect(storage != nil)
        host = nil
        #expect(released == nil)
        #expect(storage == nil)
    }

    @Test("A view that changes in each render what is read leaves the program running, and is warned of")
    func endless() {
        let model = Model()
        let host = ViewHost { Endless(model: model) }
        var renders = 0
        while host.isRenderPending, renders < 10 * ViewHost.endlessRenders {
            host.render()
            renders += 1
        }
        #expect(renders < 10 * ViewHost.endlessRenders)
        #expect(host.warnings.count == 1)
    }

    @Test("Another value of the environment renders the views that read it")
    func environment() {
        let model = Model()
        let host = ViewHost { UnitParent().environment(model) }
        #expect(host.texts == ["m 3", "plain"])
        host.press("toggle")
        host.render()
        #expect(host.texts == ["ft 3", "plain"])
        #expect(host.evaluations(of: PlainView.self) == 1)
        #expect(host.evaluations(of: UnitView.self) == 2)
    }

    @Test("A host within a view renders by itself")
    func nested() {
        let model = Model()
        let outer = ViewHost { NestingView(model: model) }
        let inner = outer.root.children.compactMap { $0.description.value as? ViewHost }.first
        let evaluations = outer.evaluations
        model.items = ["x"]
        inner?.render()
        outer.render()
        #expect(inner?.texts == ["x0"])
        #expect(outer.evaluations == evaluations)
    }
}

private struct HostLabel: PrimitiveView {
    let host: ViewHost

    var kind: NodeKind { "Host" }

    func describe(_ node: inout NodeDescription) { node.value = host }
}

private struct NestingView: View {
    @State private var host: ViewHost

    init(model: Model) { _host = State(wrappedValue: ViewHost { Items(model: model) }) }

    var body: some View { HostLabel(host: host) }
}
