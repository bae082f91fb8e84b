import Foundation
import Observation
import Testing

@testable import Loam
@testable import LoamStorage

@Suite("An observer of the history")
struct HistoryObserverTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer

    init() throws {
        folder = try TemporaryFolder()
        container = try folder.open(Travel.Trip.self)
    }

    private func save(_ models: any PersistentModel..., by author: String? = nil) throws {
        let context = ModelContext(container)
        context.author = author
        for model in models { context.insert(model) }
        try context.save()
    }

    private func observer(
        after tokens: [String: any HistoryToken]? = nil, of models: [any PersistentModel.Type] = [],
        by authors: Set<String> = []
    ) throws -> HistoryObserver {
        try HistoryObserver(historyTokens: tokens, observedModels: models, authors: authors, modelContainer: container)
    }

    @Test("counts the saves of all contexts from its beginning on, on its isolation")
    @MainActor func counts() async throws {
        try save(Travel.Trip("before"))
        let observer = try HistoryObserver(modelContainer: container)
        #expect(observer.eventCounter == 0 && observer.authors.isEmpty && observer.modelContainer === container)
        for number in 1...3 {
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            withObservationTracking {
                _ = observer.eventCounter
            } onChange: {
                MainActor.preconditionIsolated()
                continuation.yield()
            }
            try save(Travel.Trip("trip \(number)"))
            for await _ in changes { break }
            #expect(observer.eventCounter == number)
        }
        observer.refresh()
        #expect(observer.eventCounter == 3)
    }

    @Test("counts those of the models and authors that it is told")
    func filters() throws {
        let all = try observer()
        let trips = try observer(of: [Travel.Trip.self])
        let tags = try observer(of: [Travel.Tag.self])
        let widget = try observer(by: ["widget", "app"])
        let both = try observer(of: [Travel.Tag.self], by: ["widget"])
        try save(Travel.Trip("a"))
        try save(Travel.Trip("b"), by: "widget")
        try save(Travel.Tag(id: 1), by: "widget")
        try save(Travel.Tag(id: 2), by: "other")
        let context = ModelContext(container)
        let trip = try #require(try context.fetch(FetchDescriptor<Travel.Trip>()).first)
        // A link concerns the models on both sides.
        trip.tags = try context.fetch(FetchDescriptor<Travel.Tag>())
        try context.save()
        let observers = [all, trips, tags, widget, both]
        for observer in observers { observer.refresh() }
        #expect(observers.map(\.eventCounter) == [5, 3, 3, 2, 1])
    }

    @Test("goes on from tokens, and is refused where it would miss saves")
    func tokens() throws {
        for number in 0..<6 { try save(Travel.Trip("\(number)"), by: number % 2 == 0 ? "app" : nil) }
        let context = ModelContext(container)
        let (tokens, store) = (try context.history().map(\.token), container.stores[0].id)
        let observer = try observer(after: [store: tokens[1]], by: ["app"])
        #expect(observer.eventCounter == 2)
        try save(Travel.Trip("new"), by: "app")
        observer.refresh()
        #expect(observer.eventCounter == 3)
        #expect(try self.observer(after: [store: tokens[5]]).eventCounter == 1)
        let bound = tokens[3]
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= bound }))
        #expect(try self.observer(after: [store: tokens[3]]).eventCounter == 3)
        #expect(throws: SwiftDataError.historyTokenExpired) { try self.observer(after: [store: tokens[2]]) }
        #expect(throws: SwiftDataError.historyTokenExpired) { try self.observer(after: ["other": tokens[5]]) }
        let numbers = Data("{\"tokenValue\":{\"\(store)\":99}}".utf8)
        let beyond = try JSONDecoder().decode(DefaultHistoryToken.self, from: numbers)
        #expect(throws: SwiftDataError.historyTokenExpired) { try self.observer(after: [store: beyond]) }
    }

    @Test("counts other processes' saves when it looks, and with the next save of this one")
    func otherProcess() throws {
        let observer = try observer()
        let own = container.store
        let other = Store(
            path: own.path, options: own.options, environment: own.environment, cache: own.cache,
            changes: ChangeHub(own.environment))
        try save(Travel.Trip("a"))
        let row = try own.read { snapshot in
            var rows: [RowID] = []
            try snapshot.scanRows(of: snapshot.entity(named: "Trip")) { row in
                rows.append(row.rowID)
                return true
            }
            return try #require(rows.first)
        }
        let entity = try own.read { try $0.entity(named: "Trip") }
        for _ in 0..<2 {
            var batch = WriteBatch()
            let name = try #require(entity.position(of: "name"))
            batch.update(
                row, of: entity.id, base: nil, changes: [entity.properties[name].id: .string(UUID().uuidString)])
            try other.save(batch)
        }
        observer.refresh()
        #expect(observer.eventCounter == 3)
    }

    @Test("is refused where nothing keeps a history, and for models that the container lacks")
    func refused() throws {
        let memory = try memoryContainer(Travel.Trip.self)
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try HistoryObserver(modelContainer: memory) }
        #expect(throws: SwiftDataError.unknownSchema) { try observer(of: [Voyage.self]) }
    }

    @Test("of a container with several stores counts the saves of each that keeps a history")
    func severalStores() throws {
        let files = try TwoFiles()
        let both = try files.open()
        let observer = try HistoryObserver(modelContainer: both)
        let voyages = try HistoryObserver(observedModels: [Voyage.self], modelContainer: both)
        let context = ModelContext(both)
        context.insert(Voyage("North"))
        context.insert(Remark("Cold"))
        try context.save()
        context.insert(Remark("Hot"))
        try context.save()
        observer.refresh()
        voyages.refresh()
        #expect(observer.eventCounter == 3 && voyages.eventCounter == 1)
    }

    @Test("holds nothing of what was saved once it has looked at it")
    func holdsNothing() throws {
        let observers = [try observer(), try observer(of: [Travel.Tag.self])]
        for number in 0..<20 { try save(Travel.Trip("\(number)")) }
        for observer in observers { observer.refresh() }
        #expect(observers.map(\.eventCounter) == [20, 0])
        #expect(container.store.changes.unread.rows == 0 && container.store.changes.unread.bytes == 0)
    }
}
