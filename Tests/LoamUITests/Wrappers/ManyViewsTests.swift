import LoamStorage
import Testing

@testable import Loam
@testable import LoamUI

@Suite("Many views with queries") @MainActor
struct ManyViewsTests {
    private struct SmallRange: View {
        @Query private var towns: [Town]

        init(_ number: Int) {
            let (least, most) = (number * 2, number * 2 + 1)
            _towns = Query(filter: #Predicate { $0.people >= least && $0.people <= most }, sort: \Town.people)
        }

        var body: some View { Label(towns.map(\.name).joined(separator: " ")) }
    }

    private struct All: View {
        let count: Int

        var body: some View { ForEach(0..<count, id: \.self) { SmallRange($0) } }
    }

    @Test(
        "A change renders those views alone that show the model, out of 1,000, which have no thread and no reader of their own",
        .timeLimit(.minutes(30)))
    func oneOfMany() async throws {
        let container = try makeTowns(2_000)
        let context = container.mainContext
        let store = try context.store(of: Town.self).store
        let (threads, readers) = (try ProcessThreads.count(), try store.info().readers.count)
        var changed: [Int] = []
        let host = ViewHost {
            All(count: 1_000).modelContainer(container)
        } onRender: {
            changed.append($0.changed.count)
        }
        #expect(host.texts.count == 1_000 && host.texts[7] == "00014 00015")
        let evaluations = host.evaluations(of: SmallRange.self)
        let town = try #require(
            try context.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.people == 15 })).first)
        #expect(try ProcessThreads.count() < threads + 100 && store.info().readers.count <= readers + 8)
        changed = []
        // The value in place: the view that shows it.
        town.name = "Ulm"
        while host.texts[7] != "00014 Ulm", !Task.isCancelled { await Task.yield() }
        #expect(host.texts[7] == "00014 Ulm" && host.evaluations(of: SmallRange.self) == evaluations + 1)
        // From one view's range into another's.
        town.people = 800
        while host.texts[400] != "Ulm 00800 00801" || host.texts[7] != "00014", !Task.isCancelled { await Task.yield() }
        #expect(host.texts[7] == "00014" && host.texts[400] == "Ulm 00800 00801")
        #expect(host.evaluations(of: SmallRange.self) == evaluations + 3)
        try context.save()
        // Nothing that is shown changes with the save.
        for _ in 0..<1_000 { await Task.yield() }
        #expect(host.evaluations(of: SmallRange.self) == evaluations + 3)
        // Another context's save.
        let other = ModelContext(container)
        let tenth = try #require(
            try other.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.people == 20 })).first)
        other.delete(tenth)
        try other.save()
        while host.texts[10] != "00021", !Task.isCancelled { await Task.yield() }
        #expect(host.texts[10] == "00021" && host.evaluations(of: SmallRange.self) == evaluations + 4)
        #expect(changed.allSatisfy { $0 <= 2 })
        host.unmount()
    }
}
