import Testing

@testable import Loam
@testable import LoamUI

/// Results whose conditions are set when the view appears, or in its task.
private struct Appearing: View {
    @FetchRequest(sortDescriptors: [SortDescriptor(\.people)]) private var towns: FetchedResults<Town>
    @SectionedFetchRequest(sectionIdentifier: \.land, sortDescriptors: [SortDescriptor(\.people)])
    private var sections: SectionedFetchResults<String, Town>
    @Query(sort: \Town.people) private var queried: [Town]
    let isTask: Bool

    var body: some View {
        ForEach(towns) { Label($0.name) }
        ForEach(sections) { Label("\($0.id) \($0.count)") }
        ForEach(queried) { Label("\($0.people)") }
            .onAppear { if !isTask { setAll() } }
            .task { if isTask { setAll() } }
    }

    private func setAll() {
        towns.nsPredicate = NSPredicate(format: "people < 2")
        towns.sortDescriptors = [SortDescriptor(\.people, order: .reverse)]
        $sections.wrappedValue.nsPredicate = NSPredicate(format: "people > 0")
        sections.sectionIdentifier = \.name
        $queried.predicate.wrappedValue = #Predicate { $0.people == 2 }
    }
}

/// What a query holds, to be seen until it ends.
@MainActor private final class Held {
    weak var request: QueryRequest<[Town]>?
    weak var observer: ResultsObserver<Town, Never>?
    weak var result: AnyObject?
    var isEnded: Bool { request == nil && observer == nil && result == nil }
}

private struct Holding: View {
    @Query(sort: \Town.people) private var towns: [Town]
    let held: Held

    var body: some View {
        Label("\(towns.count)").onAppear {
            (held.request, held.observer) = (_towns.request, _towns.request.observer)
            held.result = _towns.request.observer?.live
        }
    }
}

private struct Showing: View {
    @State private var isShown = true
    let held: Held

    var body: some View {
        Press(name: "remove") { isShown = false }
        if isShown { Holding(held: held) }
    }
}

@Suite("Requests of a view that appears and goes") @MainActor
struct AppearingTests {
    @Test("are set when it appears and in its task, and stay so", .timeLimit(.minutes(30)), arguments: [false, true])
    func setting(isTask: Bool) async throws {
        let container = try makeTowns(3)
        let host = ViewHost { Appearing(isTask: isTask).modelContainer(container) }
        let expected = ["00001", "00000", "00001 1", "00002 1", "2"]
        while host.texts != expected, !Task.isCancelled { await Task.yield() }
        #expect(host.texts == expected)
        container.mainContext.insert(Town("new", people: 1, land: "A"))
        let later = Set(expected + ["new", "new 1"])
        while Set(host.texts) != later, !Task.isCancelled { await Task.yield() }
        #expect(Set(host.texts) == later && host.texts.count == 7 && host.warnings.isEmpty)
        host.unmount()
    }

    @Test(
        "follow nothing once it is gone, or its host is unmounted", .timeLimit(.minutes(30)), arguments: [false, true])
    func ending(isUnmounted: Bool) async throws {
        let container = try makeTowns(3)
        let held = Held()
        let host = ViewHost { Showing(held: held).modelContainer(container) }
        #expect(host.texts == ["3"] && held.request != nil && held.observer != nil && held.result != nil)
        if isUnmounted { host.unmount() } else { host.press("remove") }
        host.render()
        while !held.isEnded, !Task.isCancelled { await Task.yield() }
        #expect(held.isEnded && host.texts.isEmpty)
    }
}
