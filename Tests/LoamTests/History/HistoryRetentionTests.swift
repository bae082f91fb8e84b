import Foundation
import Loam
import Testing

@Model private final class Ride {
    var id: Int
    var name: String
    var description: String

    init(id: Int, name: String = "", description: String = "") {
        (self.id, self.name, self.description) = (id, name, description)
    }
}

@Suite("How much history a store keeps")
struct HistoryRetentionTests {
    private typealias Retention = ModelConfiguration.HistoryRetention

    private func container(
        _ retention: Retention?, _ configuration: ModelConfiguration = ModelConfiguration(isStoredInMemoryOnly: true)
    ) throws -> ModelContainer {
        var configuration = configuration
        configuration.historyRetention = retention
        return try ModelContainer(for: Ride.self, configurations: configuration)
    }

    private func save(_ ids: Range<Int>, in container: ModelContainer) throws {
        for id in ids {
            let context = ModelContext(container)
            context.author = "rider"
            context.insert(Ride(id: id, name: "ride \(id)"))
            try context.save()
        }
    }

    @Test("is 7 days and 64 MiB of a file, and nothing of a store in memory, unless told otherwise")
    func byItself() throws {
        #expect(ModelConfiguration(isStoredInMemoryOnly: true).historyRetention == nil)
        #expect(ModelConfiguration().historyRetention == Retention(age: 604_800, byteCount: 67_108_864))
    }

    @Test("in memory is what the configuration says, with tokens, tombstones, deletion and an observer's count")
    func inMemory() throws {
        let container = try container(Retention())
        let observer = try HistoryObserver(modelContainer: container)
        try save(0..<3, in: container)
        observer.refresh()
        #expect(observer.eventCounter == 3)
        let context = ModelContext(container)
        let history = try context.history()
        #expect(history.map(\.author) == ["rider", "rider", "rider"] && history.allSatisfy { $0.changes.count == 1 })
        let second = try #require(history.dropFirst().first).token
        for ride in try context.fetch(FetchDescriptor<Ride>()) where ride.id == 0 { context.delete(ride) }
        try context.save()
        let news = try context.history(after: second)
        #expect(news.count == 2 && news.last?.deletions(of: Ride.self).count == 1)
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try context.history().isEmpty)
    }

    @Test("in memory is that of the first container of a name")
    func shared() throws {
        let name = UUID().uuidString
        let first = try container(Retention(), ModelConfiguration(name, isStoredInMemoryOnly: true))
        let second = try container(nil, ModelConfiguration(name, isStoredInMemoryOnly: true))
        try save(0..<1, in: second)
        #expect(try ModelContext(first).history().count == 1)
        #expect(try ModelContext(second).history().count == 1)
    }

    @Test("is bounded by bytes and by age")
    func isBounded() throws {
        let small = try container(Retention(byteCount: 1 << 14))
        try save(0..<512, in: small)
        let kept = try ModelContext(small).history().map(\.id)
        #expect(kept.last == 512 && !kept.isEmpty && kept.count < 512)
        let short = try container(Retention(age: -1))
        try save(0..<200, in: short)
        #expect(try ModelContext(short).history().map(\.id) == Array(193...200))
        let all = try container(Retention(age: .infinity))
        try save(0..<200, in: all)
        #expect(try ModelContext(all).history().count == 200)
    }

    @Test("may be none, of a file too")
    func none() throws {
        let folder = try TemporaryFolder()
        let container = try container(nil, ModelConfiguration(url: folder.store))
        try save(0..<2, in: container)
        let error = #expect(throws: SwiftDataError.invalidTransactionFetchRequest) {
            try ModelContext(container).history()
        }
        #expect(error?.detail.contains("historyRetention") == true)
        // Saves are kept from the first on that a container saves which is told to.
        let keeper = try self.container(Retention(), ModelConfiguration(url: folder.store))
        try save(2..<3, in: keeper)
        #expect(try ModelContext(keeper).history().map(\.id) == [3])
        #expect(try ModelContext(keeper).fetchCount(FetchDescriptor<Ride>()) == 3)
    }

    @Test("leaves no hole: a token from before saves that are not kept is expired")
    func noHoles() throws {
        let folder = try TemporaryFolder()
        let keeper = try container(Retention(), ModelConfiguration(url: folder.store))
        try save(0..<3, in: keeper)
        let token = try #require(try ModelContext(keeper).history().last).token
        let observer = try HistoryObserver(modelContainer: keeper)
        try save(3..<5, in: try container(nil, ModelConfiguration(url: folder.store)))
        #expect(throws: SwiftDataError.historyTokenExpired) { try ModelContext(keeper).history(after: token) }
        try save(5..<6, in: keeper)
        #expect(throws: SwiftDataError.historyTokenExpired) { try ModelContext(keeper).history(after: token) }
        #expect(try ModelContext(keeper).history().map(\.id) == [6])
        observer.refresh()
        #expect(observer.eventCounter > 0)
    }
}
