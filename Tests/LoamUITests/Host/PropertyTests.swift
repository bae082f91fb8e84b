import Foundation
import LoamUI
import Testing

/// A property with state of its own, which makes what it shows before each body.
private struct Counter: DynamicProperty {
    @State private var count = 0
    private(set) var shown = ""

    mutating func update() { shown = "<\(count)>" }

    func increment() { count += 1 }
}

/// A property within a property.
private struct Pair: DynamicProperty {
    var first = Counter()
    var second = Counter()
}

private struct CounterView: View {
    private let pair = Pair()

    var body: some View {
        Label("\(pair.first.shown)\(pair.second.shown)")
        Press(name: "first") { pair.first.increment() }
        Press(name: "second") { pair.second.increment() }
    }
}

/// A request that is no wrapped property.
private struct PlainRequestView: View {
    var request: FetchRequest<Town>

    init(least: Int) {
        request = FetchRequest(
            sortDescriptors: [SortDescriptor(\.name)], predicate: NSPredicate(format: "people >= %d", least))
    }

    var body: some View {
        ForEach(request.wrappedValue) { Label("\($0.people)") }
        Label(request.fetchError == nil ? "fine" : "failed")
    }
}

/// Sets what is fetched when it appears, in a task, and when a value changes.
private struct SettingView: View {
    @FetchRequest(sortDescriptors: [SortDescriptor(\Town.name)]) private var towns
    @State private var least = 0

    var body: some View {
        Label("\(towns.count)")
        Press(name: "change") { least = 9 }
            .onAppear { towns.nsPredicate = NSPredicate(format: "people >= 5") }
            .task {
                $towns.wrappedValue.nsSortDescriptors = [NSSortDescriptor(keyPath: \Town.people, ascending: false)]
            }
            .onChange(of: least) { _, least in towns.nsPredicate = NSPredicate(format: "people >= %d", least) }
        if let first = towns.first { Label("first \(first.people)") }
    }
}

private struct ErrorView: View {
    @Environment(\.modelContextError) private var error
    @Query private var towns: [Town]

    var body: some View { Label("\(towns.count), \(error == nil ? "no error" : "an error")") }
}

private enum Other {
    /// Another model by a name that is taken.
    @Model final class Town {
        var code: Int

        init(code: Int) { self.code = code }
    }
}

@Suite("Properties of views") @MainActor
struct PropertyTests {
    @Test("Properties within properties keep state of their own, and are updated before each body") func nested() {
        let host = ViewHost { CounterView() }
        #expect(host.texts == ["<0><0>"])
        host.press("second")
        host.render()
        #expect(host.texts == ["<0><1>"])
        host.press("first")
        host.press("second")
        host.render()
        #expect(host.texts == ["<1><2>"])
        host.unmount()
    }

    @Test("A request that is a plain member is found") func plainMember() throws {
        let container = try makeTowns(10)
        let host = ViewHost { PlainRequestView(least: 8).modelContainer(container) }
        #expect(host.texts == ["8", "9", "fine"])
        host.unmount()
    }

    @Test(
        "What is fetched can be set when a view appears, in its task, and when a value changes",
        .timeLimit(.minutes(30)))
    func setting() async throws {
        let context = try makeTowns(10).mainContext
        let host = ViewHost { SettingView().modelContext(context) }
        while host.texts != ["5", "first 9"] { await Task.yield() }
        #expect(host.texts == ["5", "first 9"])
        host.press("change")
        while host.texts != ["1", "first 9"] { await Task.yield() }
        #expect(host.texts == ["1", "first 9"])
        host.unmount()
    }

    @Test("A container that cannot be made leaves no rows, and an error") func noContainer() throws {
        var result: Result<ModelContainer, any Error>?
        let host = ViewHost {
            ErrorView().modelContainer(for: [Town.self, Other.Town.self], inMemory: true) { result = $0 }
        }
        #expect(host.texts == ["0, an error"])
        #expect(throws: SwiftDataError.self) { try result?.get() }
        host.unmount()
    }
}
