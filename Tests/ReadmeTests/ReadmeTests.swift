import Foundation
import Loam
import LoamUI
import Testing

@Suite("The README's example")
@MainActor
struct ReadmeTests {
    @Test(
        "is Example.swift, Figures.swift, Lists.swift, Views.swift and Screen.swift, and its macro the plugin's, letter by letter"
    )
    func isTheSameText() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(contentsOf: folder.appendingPathComponent("Example.swift"), encoding: .utf8)
        let readme = try String(contentsOf: folder.appendingPathComponent("../../README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```").first ?? ""
        }
        #expect(blocks.first == example)
        let figures = try String(contentsOf: folder.appendingPathComponent("Figures.swift"), encoding: .utf8)
        #expect(blocks.dropFirst().first == figures)
        let lists = try String(contentsOf: folder.appendingPathComponent("Lists.swift"), encoding: .utf8)
        #expect(blocks.dropLast(2).last == lists)
        let views = try String(contentsOf: folder.appendingPathComponent("Views.swift"), encoding: .utf8)
        #expect(blocks.dropLast().last == views)
        let screen = try String(contentsOf: folder.appendingPathComponent("Screen.swift"), encoding: .utf8)
        #expect(blocks.last == screen)
        // The plugin makes the declaration of the macro.
        let source = folder.appendingPathComponent("../../Sources/LoamPredicate/LoamPredicate.swift")
        let plugin = try String(contentsOf: source, encoding: .utf8)
        let lines = try #require(blocks.dropLast(3).last).split(separator: "\n", omittingEmptySubsequences: false)
        let indented = lines.map { $0.isEmpty ? "" : "        \($0)" }.joined(separator: "\n")
        #expect(blocks.count == 7 && plugin.contains(indented))
    }

    @Test("runs, and finds what it says")
    func runs() async throws {
        let container = try ModelContainer(
            for: City.self, configurations: ModelConfiguration("readme", isStoredInMemoryOnly: true))
        try await largeCities(in: container)
        let cities = try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
        #expect(cities.map(\.name) == ["Nagoya", "Tokyo", "Ōsaka"])
        #expect(cities.allSatisfy { $0.country?.cities.count == 3 })
        try figures(in: container)
        let tokyo = try ModelContext(container).fetch(.maximum(\City.population))
        #expect(tokyo == 9_733_277)
        #expect(try list(ModelContext(container)) == ["delete Nagoya", "now 2"])
    }

    @Test("shows views that follow what is saved", .timeLimit(.minutes(30)))
    func showsViews() async throws {
        let container = try ModelContainer(
            for: City.self, configurations: ModelConfiguration("readme views", isStoredInMemoryOnly: true))
        try await largeCities(in: container)
        var drawn: [[String]] = []
        let host = show(container) { drawn.append($0) }
        let context = container.mainContext
        let country = try #require(try context.fetch(FetchDescriptor<Country>()).first)
        context.insert(City("Yokohama", population: 3_777_491, country: country))
        while drawn.count < 2 { await Task.yield() }
        host.unmount()
        #expect(
            drawn == [
                ["3 large cities", "Nagoya", "Tokyo", "Ōsaka"],
                ["4 large cities", "Nagoya", "Tokyo", "Yokohama", "Ōsaka"],
            ])
    }

    @Test("shows a screen as an outline of its nodes")
    func showsAScreen() async throws {
        let container = try ModelContainer(
            for: City.self, configurations: ModelConfiguration("readme screen", isStoredInMemoryOnly: true))
        try await largeCities(in: container)
        let text = outline(container)
        #expect(text.contains("3 cities"))
        let names = text.matches(of: /Text "(\w+)" font=/).map { String($0.1) }
        #expect(names == ["Nagoya", "Tokyo", "Ōsaka"], "\(text)")
    }
}
