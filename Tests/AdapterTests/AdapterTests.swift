import Loam
import Testing

import class Foundation.NSPredicate
import struct Foundation.URL
import class LoamUI.NSFetchRequest

@Model final class Ship {
    var name: String
    var port: String
    var length: Int

    init(_ name: String, port: String, length: Int) { (self.name, self.port, self.length) = (name, port, length) }
}

/// Views of another toolkit, as people write them.
@MainActor private struct Fleet {
    @Query(FetchDescriptor(sortBy: [SortDescriptor(\Ship.length)])) var ships: [Ship]
    @Query(FetchDescriptor(sortBy: [SortDescriptor(\Ship.length)]), sectionBy: \.port)
    var ports: SectionedResults<Ship, String>

    init() {}

    func renderShips<Body>(in place: Place, _ body: (Query<[Ship]>) -> Body) -> Body {
        place.render(_ships, body: body)
    }

    func titles(in place: Place) -> [String] { place.render(_ports) { $0.wrappedValue.map(\.title) } }
}

@Suite("An adapter to another toolkit") @MainActor
struct AdapterTests {
    private let context: ModelContext

    init() throws {
        let container = try ModelContainer(
            for: Ship.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        for (number, port) in ["Kiel", "Oslo", "Kiel"].enumerated() {
            context.insert(Ship("s\(number)", port: port, length: number))
        }
        try context.save()
    }

    @Test("is what the page of the documentation shows, in at most fifty lines")
    func isTheSameText() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let adapter = try String(contentsOf: folder.appendingPathComponent("Adapter.swift"), encoding: .utf8)
        let path = folder.appendingPathComponent("../../Sources/LoamUI/LoamUI.docc/Adapters.md")
        let page = try String(contentsOf: path, encoding: .utf8)
        let blocks = page.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```").first ?? ""
        }
        #expect(blocks == [adapter] && adapter.split(separator: "\n").count <= 50)
    }

    @Test(
        "shows what queries find, follows changes, and keeps the result where a view is made anew",
        .timeLimit(.minutes(30)))
    func query() async throws {
        let place = Place(context)
        func names() -> [String] { Fleet().renderShips(in: place) { $0.wrappedValue.map(\.name) } }
        #expect(names() == ["s0", "s1", "s2"] && !place.isStale)
        context.insert(Ship("new", port: "Kiel", length: -1))
        while !place.isStale { await Task.yield() }
        #expect(names() == ["new", "s0", "s1", "s2"])
        Fleet().renderShips(in: place) { $0.projectedValue.wrappedValue.fetchLimit = 2 }
        #expect(names() == ["new", "s0"] && names() == ["new", "s0"])
        try context.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.length)])).first?.name = "renamed"
        #expect(place.isStale && names() == ["renamed", "s0"])
        #expect(Fleet().titles(in: place) == ["Kiel", "Oslo"])
    }

    @Test("shows what fetch requests find, in sections and without, and why they do not")
    func fetchRequests() throws {
        let place = Place(context)
        let asked = NSFetchRequest<Ship>(entityName: "Ship")
        asked.predicate = NSPredicate(format: "length > 0")
        let request = FetchRequest(fetchRequest: asked)
        #expect(place.render(request) { $0.wrappedValue.map(\.name) } == ["s1", "s2"])
        place.render(request) { $0.projectedValue.wrappedValue.nsPredicate = NSPredicate(format: "length <") }
        place.render(request) { #expect($0.wrappedValue.count == 2 && $0.fetchError is SwiftDataError) }
        let ports = SectionedFetchRequest(fetchRequest: asked, sectionIdentifier: \Ship.port)
        #expect(place.render(ports) { $0.wrappedValue.map(\.id) } == ["Oslo", "Kiel"])
        asked.predicate = nil
        let all = SectionedFetchRequest(fetchRequest: asked, sectionIdentifier: \Ship.name)
        #expect(place.render(all) { $0.wrappedValue.map(\.id) } == ["s0", "s1", "s2"])
    }
}
