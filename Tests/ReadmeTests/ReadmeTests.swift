import Foundation
import Loam
import Testing

@Suite("The README's example")
@MainActor
struct ReadmeTests {
    @Test("is Example.swift, letter by letter")
    func isTheSameText() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = try String(contentsOf: folder.appendingPathComponent("Example.swift"), encoding: .utf8)
        let readme = try String(contentsOf: folder.appendingPathComponent("../../README.md"), encoding: .utf8)
        let blocks = readme.components(separatedBy: "```swift\n").dropFirst().map {
            $0.components(separatedBy: "```").first ?? ""
        }
        #expect(blocks == [example])
    }

    @Test("runs, and finds what it says")
    func runs() async throws {
        let container = try ModelContainer(
            for: City.self, configurations: ModelConfiguration("readme", isStoredInMemoryOnly: true))
        try await largeCities(in: container)
        let cities = try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.name)]))
        #expect(cities.map(\.name) == ["Nagoya", "Tokyo", "Ōsaka"])
        #expect(cities.allSatisfy { $0.country?.cities.count == 3 })
    }
}
