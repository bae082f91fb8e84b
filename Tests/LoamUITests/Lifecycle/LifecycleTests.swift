import LoamUI
import Observation
import Testing

@Observable @MainActor private final class Model {
    var number = 0
    var isShown = true
}

@Model private final class Keepsake {
    var name: String

    init(name: String) { self.name = name }
}

@MainActor private final class Log {
    var lines: [String] = []
}

private struct Changes: View {
    let model: Model
    let log: Log

    var body: some View {
        Label("\(model.number)")
            .onChange(of: model.number) { log.lines.append("changed") }
            .onChange(of: model.number, initial: true) { old, new in log.lines.append("\(old) to \(new)") }
    }
}

private struct Working: View {
    let model: Model
    let started: AsyncStream<Int>.Continuation
    let cancelled: AsyncStream<Int>.Continuation

    var body: some View {
        if model.isShown {
            let number = model.number
            Label("working").task(id: number) {
                started.yield(number)
                let (endless, continuation) = AsyncStream.makeStream(of: Int.self)
                for await _ in endless {}
                continuation.finish()
                cancelled.yield(number)
            }
        }
    }
}

private struct Framed: ViewModifier {
    @State private var count = 0

    func body(content: Content) -> some View {
        Label("count \(count)")
        Press(name: "count") { count += 1 }
        content
    }
}

private struct Matched: View {
    @Namespace private var namespace

    var body: some View {
        Label("a").matchedGeometryEffect(id: "1", in: namespace)
        Label("b").matchedGeometryEffect(id: "1", in: namespace, isSource: false)
        Label("c").accessibilityRotorEntry(id: 1, in: namespace).matchedGeometryEffect(id: "1", in: namespace)
    }
}

private struct ContextView: View {
    @Environment(\.modelContext) private var context
    @Environment(\.modelContextError) private var error

    var body: some View { Label("\(context.container.configurations.count) \(error == nil)") }
}

@MainActor @Suite struct LifecycleTests {
    @Test("Changes of a value are told after the render that shows them, and at mounting where that is asked for")
    func changes() {
        let (model, log) = (Model(), Log())
        let host = ViewHost { Changes(model: model, log: log) }
        #expect(log.lines == ["0 to 0"])
        model.number = 3
        host.render()
        #expect(log.lines == ["0 to 0", "changed", "0 to 3"])
    }

    @Test("A task is cancelled by another identifier, and by the removal of its view")
    func tasks() async {
        let model = Model()
        let (starts, started) = AsyncStream.makeStream(of: Int.self)
        let (ends, cancelled) = AsyncStream.makeStream(of: Int.self)
        var (start, end) = (starts.makeAsyncIterator(), ends.makeAsyncIterator())
        let host = ViewHost { Working(model: model, started: started, cancelled: cancelled) }
        #expect(await start.next() == 0)
        model.number = 1
        host.render()
        #expect(await end.next() == 0)
        #expect(await start.next() == 1)
        model.isShown = false
        host.render()
        #expect(await end.next() == 1)
    }

    @Test("A modifier has state of its own, and shows the view that it was applied to")
    func modifiers() {
        let host = ViewHost { Label("inside").modifier(Framed()) }
        host.press("count")
        host.render()
        #expect(host.texts == ["count 1", "inside"])
    }

    @Test("Nodes register what they stand for, and two sources of one pair are warned of")
    func namespaces() {
        let host = ViewHost { Matched() }
        let roles = host.root.children.map { $0.description.registrations.map(\.role) }
        #expect(roles == [["matchedGeometry"], ["matchedGeometry"], ["rotorEntry", "matchedGeometry"]])
        #expect(host.warnings.count == 1)
        guard case .severalSources(_, id: "1") = host.warnings.first else {
            Issue.record("no warning of the sources")
            return
        }
    }

    @Test("Without a container the environment has an empty context, and an error that says so")
    func noContainer() throws {
        #expect(ViewHost { ContextView() }.texts == ["0 false"])
        #expect(throws: SwiftDataError.unknownSchema) {
            try EnvironmentValues().modelContext.fetch(FetchDescriptor<Keepsake>())
        }
    }

    @Test("A container is made once for its view, and told")
    func container() {
        var made: [ModelContainer] = []
        let host = ViewHost {
            ContextView().modelContainer(for: Keepsake.self, inMemory: true, isAutosaveEnabled: false) {
                if case .success(let container) = $0 { made.append(container) }
            }
        }
        #expect(host.texts == ["1 true"])
        #expect(made.count == 1)
        #expect(made.first?.mainContext.autosaveEnabled == false)
    }
}
