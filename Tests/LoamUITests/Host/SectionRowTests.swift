import LoamUI
import Observation
import Testing

private struct TownLine: View {
    let town: Town

    var body: some View { Label("\(town.people) \(town.name)") }
}

@Observable @MainActor private final class Closed {
    var lands: Set<String> = []
}

private struct Lands: View {
    @Query(sort: \Town.people, sectionBy: \Town.land) private var lands: SectionedResults<Town, String>
    let closed: Closed

    var body: some View {
        Scroller {
            ForEach(lands) { land in
                Part(land.title) {
                    if !closed.lands.contains(land.title) { ForEach(land) { TownLine(town: $0) } }
                }
            }
        }
    }
}

private struct Initials: View {
    @SectionedFetchRequest<String, Town>(
        sectionIdentifier: \.initial, sortDescriptors: [SortDescriptor(\.people)])
    private var sections: SectionedFetchResults<String, Town>

    var body: some View {
        Scroller { ForEach(sections) { section in Part(section.id) { ForEach(section) { TownLine(town: $0) } } } }
    }
}

private struct LargeAndAll: View {
    @Query(.large) private var large: [Town]
    @Query(sort: \Town.people, order: .reverse) private var all: FetchResultsCollection<Town>

    var body: some View {
        Scroller {
            Part("large") { ForEach(large) { TownLine(town: $0) } }
            Part("all") { ForEach(all) { TownLine(town: $0) } }
        }
    }
}

@Suite("Sections of a result that a container shows") @MainActor
struct SectionRowTests {
    /// Three lands with 1,000 towns each, from 0 people on.
    private func makeLands() throws -> ModelContainer {
        let container = try makeTowns(0)
        let context = container.mainContext
        for number in 0..<3_000 {
            context.insert(Town("t\(number)", people: number, land: ["a", "b", "c"][number / 1_000]))
        }
        try context.save()
        return container
    }

    private func titles(_ list: ViewNode) -> [String] {
        list.children.compactMap { $0.description.attributes["title"] as? String }
    }

    @Test(
        "are mounted with the rows of theirs that are shown; rows stay where others come, go and change sections",
        .timeLimit(.minutes(30)))
    func sections() async throws {
        let container = try makeLands()
        let context = container.mainContext
        let host = ViewHost { Lands(closed: Closed()).modelContainer(container) }
        let list = try #require(host.root.children.first)
        #expect(list.rowCount == 3_000 && titles(list) == ["a"] && host.texts.count == 50)
        list.show(rows: 1_990..<2_010)
        host.render()
        #expect(titles(list) == ["b", "c"] && host.texts.first == "1990 t1990" && host.texts.last == "2009 t2009")
        #expect(list.children.map { $0.children.map(\.rowPosition) } == [Array(1_990..<2_000), Array(2_000..<2_010)])
        let nodes = list.children.flatMap(\.children).map(\.id)
        let evaluations = host.evaluations(of: TownLine.self)
        // One more in a section that is not shown, two in the one that is.
        context.insert(Town("new", people: 500, land: "a"))
        context.insert(Town("new", people: 1_500, land: "b"))
        context.insert(Town("new", people: 1_600, land: "b"))
        try context.save()
        while list.rowCount != 3_003 { await Task.yield() }
        #expect(list.rowCount == 3_003 && list.shownRows == 1_993..<2_013)
        #expect(list.children.flatMap(\.children).map(\.id) == nodes)
        #expect(host.evaluations(of: TownLine.self) == evaluations)
        // From the section that is shown first into the other.
        let town = try #require(
            try context.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.people == 1_995 })).first)
        town.land = "c"
        try context.save()
        while list.children.map(\.children.count) != [9, 11] { await Task.yield() }
        #expect(titles(list) == ["b", "c"] && list.children.map(\.children.count) == [9, 11])
        #expect(host.texts[9] == "1995 t1995" && host.evaluations(of: TownLine.self) == evaluations + 1)
        // A section before goes.
        for town in try context.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.land == "a" })) {
            context.delete(town)
        }
        try context.save()
        while list.rowCount != 2_002 { await Task.yield() }
        #expect(list.rowCount == 2_002 && list.shownRows == 992..<1_012 && host.texts[0] == "1990 t1990")
        #expect(list.children.flatMap(\.children).first?.id == nodes.first)
    }

    @Test("count as one row where they show none")
    func closedSections() throws {
        let container = try makeLands()
        let closed = Closed()
        closed.lands = ["a", "b"]
        let host = ViewHost { Lands(closed: closed).modelContainer(container) }
        let list = try #require(host.root.children.first)
        #expect(titles(list) == ["a", "b", "c"] && list.rowCount == 1_002 && host.texts.count == 48)
        list.show(rows: 500..<550)
        host.render()
        #expect(titles(list) == ["c"] && host.texts.first == "2498 t2498")
        closed.lands = []
        host.render()
        // Those that are not mounted are as they were when they were seen last.
        #expect(list.rowCount == 1_002 && list.shownRows == 500..<550)
        list.show(rows: 0..<50)
        host.render()
        #expect(list.rowCount == 2_001 || list.rowCount == 3_000)
        #expect(titles(list) == ["a"] && host.texts.count == 50 && host.warnings.isEmpty)
    }

    @Test("by a computed property find their rows again, too", .timeLimit(.minutes(30)))
    func computed() async throws {
        let container = try makeTowns(2_000)
        let context = container.mainContext
        let host = ViewHost { Initials().modelContainer(container) }
        let list = try #require(host.root.children.first)
        list.show(rows: 1_000..<1_010)
        host.render()
        let nodes = list.children.flatMap(\.children).map(\.id)
        #expect(list.rowCount == 2_000 && host.texts.first == "1000 01000")
        context.insert(Town("0", people: -1))
        try context.save()
        while list.rowCount != 2_001 { await Task.yield() }
        #expect(list.shownRows == 1_001..<1_011 && list.children.flatMap(\.children).map(\.id) == nodes)
    }

    @Test("may show one model in several rows: a change renders each of them, once", .timeLimit(.minutes(30)))
    func several() async throws {
        let container = try makeTowns(520)
        let host = ViewHost { LargeAndAll().modelContainer(container) }
        let list = try #require(host.root.children.first)
        #expect(list.rowCount == 540 && host.texts.count == 50)
        let evaluations = host.evaluations(of: TownLine.self)
        let town = try #require(
            try container.mainContext.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.people == 510 })).first)
        town.name = "changed"
        while host.isRenderPending { await Task.yield() }
        #expect(host.texts.filter { $0 == "510 changed" }.count == 2)
        #expect(host.evaluations(of: TownLine.self) == evaluations + 2)
        #expect(list.children[0].children.first?.rowPosition == 0)
        #expect(list.children[1].children.first?.rowPosition == 20)
    }
}
