import LoamUI
import Testing

/// Sections of towns, of a parent that chooses what they are.
private struct Sections: View {
    @SectionedFetchRequest private var sections: SectionedFetchResults<String, Town>

    init(by property: KeyPath<Town, String>, below most: Int) {
        _sections = SectionedFetchRequest(
            sectionIdentifier: property, sortDescriptors: [SortDescriptor(\.people)],
            predicate: NSPredicate(format: "people < %d", most))
    }

    var body: some View {
        ForEach(sections) { Label("\($0.id) \($0.count)") }
        Press(name: "reverse") { $sections.wrappedValue.sortDescriptors = [SortDescriptor(\.people, order: .reverse)] }
    }
}

private struct Parent: View {
    @State private var property: KeyPath<Town, String> = \.land
    @State private var most = 4
    @State private var taps = 0

    var body: some View {
        Label("\(taps) taps")
        Press(name: "tap") { taps += 1 }
        Press(name: "more") { most += 1 }
        Press(name: "names") { property = \.name }
        Sections(by: property, below: most)
    }
}

private struct Identifiers: View {
    static let all = NSFetchRequest<PersistentIdentifier>(entityName: "Town")

    @FetchRequest(fetchRequest: all, transaction: Transaction(animation: .bouncy))
    private var towns: FetchedResults<PersistentIdentifier>

    var body: some View { Label("\(towns.count)") }
}

/// Views that are handed results, which the view around them reads nothing of.
private struct Handing: View {
    @FetchRequest(sortDescriptors: [SortDescriptor(\.people)]) private var towns: FetchedResults<Town>
    @SectionedFetchRequest(sectionIdentifier: \.land, sortDescriptors: [SortDescriptor(\.people)])
    private var sections: SectionedFetchResults<String, Town>

    var body: some View {
        Names(towns: towns)
        Sizes(sections: sections)
        Press(name: "few") { (towns.nsPredicate, sections.nsPredicate) = (Handing.few, Handing.few) }
        Press(name: "names") { sections.sectionIdentifier = \.name }
    }

    private static var few: NSPredicate { NSPredicate(format: "people < 2") }
}

private struct Names: View {
    let towns: FetchedResults<Town>

    var body: some View { ForEach(towns) { Label($0.name) } }
}

private struct Sizes: View {
    let sections: SectionedFetchResults<String, Town>

    var body: some View { ForEach(sections) { Label("\($0.id) \($0.count)") } }
}

@Suite("Fetch requests in a host") @MainActor
struct HostedFetchTests {
    @Test("A view that is handed results shows what is set and saved, once and again", .timeLimit(.minutes(30)))
    func handedResults() async throws {
        let container = try makeTowns(3)
        let context = container.mainContext
        let host = ViewHost { Handing().modelContainer(container) }
        #expect(host.texts == ["00000", "00001", "00002", "A 1", "B 2"])
        host.press("few")
        host.render()
        #expect(host.texts == ["00000", "00001", "A 1", "B 1"])
        for number in 1...3 {
            context.insert(Town("new \(number)", people: -number, land: "A"))
            let names = (1...number).reversed().map { "new \($0)" }
            let expected = names + ["00000", "00001", "A \(number + 1)", "B 1"]
            // Each of the two results is brought up when it is told, one perhaps a turn before the other.
            while host.texts != expected, !Task.isCancelled { await Task.yield() }
            #expect(host.texts == expected)
        }
        host.press("names")
        host.render()
        #expect(host.texts.suffix(2) == ["00000 1", "00001 1"])
        host.unmount()
    }

    @Test("A parent that asks for the same keeps what was set in place; another property or predicate replaces it")
    func parentRenders() throws {
        let container = try makeTowns(10)
        let host = ViewHost { Parent().modelContainer(container) }
        #expect(host.texts == ["0 taps", "A 2", "B 2"])
        host.press("reverse")
        host.render()
        #expect(host.texts == ["0 taps", "A 2", "B 2"])
        host.press("more")
        host.render()
        #expect(host.texts == ["0 taps", "A 2", "B 3"])
        host.press("more")
        host.press("reverse")
        host.render()
        #expect(host.texts == ["0 taps", "A 2", "B 4"])
        host.press("reverse")
        host.render()
        #expect(host.texts == ["0 taps", "B 4", "A 2"])
        host.press("tap")
        host.render()
        #expect(host.texts == ["1 taps", "B 4", "A 2"])
        host.press("names")
        host.render()
        #expect(host.texts == ["1 taps"] + (0..<6).reversed().map { "0000\($0) 1" })
        host.render()
        #expect(!host.isRenderPending && host.warnings.isEmpty)
        host.unmount()
    }

    @Test("A change is rendered with the request's transaction, and told as a difference", .timeLimit(.minutes(30)))
    func changes() async throws {
        let context = try makeTowns(3).mainContext
        let (renders, continuation) = AsyncStream<Transaction?>.makeStream()
        let host = ViewHost {
            Identifiers().modelContext(context)
        } onRender: {
            continuation.yield($0.transaction)
        }
        var iterator = renders.makeAsyncIterator()
        _ = await iterator.next()
        let core = FetchRequestCore(GivenFetch(Identifiers.all))
        core.update(to: GivenFetch(Identifiers.all), in: context)
        var differences = core.value.makeDifferences().makeAsyncIterator()
        context.insert(Town("new", people: 3))
        #expect(await iterator.next()??.animation == .bouncy && host.texts == ["4"])
        let difference = await differences.next()
        #expect(difference?.insertions.count == 1 && difference?.deletions.isEmpty == true)
        host.unmount()
    }

    @Test("Without a container there are no sections and an error")
    func noContainer() throws {
        let given = GivenSectionedFetch(NSFetchRequest<Town>(entityName: "Town"), sectionIdentifier: \.land)
        let core = SectionedFetchRequestCore(given)
        core.stop(because: SwiftDataError.missingModelContext)
        #expect(core.value.isEmpty && (core.fetchError as? SwiftDataError) == .missingModelContext)
        core.update(to: given, in: try makeTowns(4).mainContext)
        #expect(core.value.map(\.id) == ["A", "B"] && core.value.fetchError == nil)
        core.settings.sectionIdentifier = \.name
        #expect(core.value.count == 4 && core.value.sectionIdentifier == \.name)
    }
}
