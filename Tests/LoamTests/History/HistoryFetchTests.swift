import Foundation
import Loam
import LoamStorage
import Testing

/// A transaction of some other store.
private struct OtherTransaction: HistoryTransaction {
    var id = 0
    var author: String?
    var changes: [HistoryChange] { [] }
    var storeIdentifier = ""
    var timestamp = Date.distantPast
    var token: DefaultHistoryToken
    var transactionIdentifier: Int { id }

    static func == (left: OtherTransaction, right: OtherTransaction) -> Bool { left.id == right.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

@Suite("The history of a store")
struct HistoryFetchTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try folder.open(Travel.Trip.self)
        context = ModelContext(container)
    }

    /// Saves so many trips, in saves of two authors in turn.
    private func save(_ count: Int) throws {
        for number in 0..<count {
            let context = ModelContext(container)
            context.author = number.isMultiple(of: 2) ? "app" : "widget"
            context.insert(Travel.Trip("trip \(number)"))
            try context.save()
        }
    }

    @Test("has every save, in order, with author, time, token and what changed")
    func transactions() throws {
        let began = Date.now
        try save(3)
        context.insert(Travel.Tag(id: 1))
        try context.save()
        let history = try context.history()
        #expect(history.map(\.id) == [1, 2, 3, 4] && history.map(\.transactionIdentifier) == history.map(\.id))
        #expect(history.map(\.author) == ["app", "widget", "app", nil])
        let trips = try context.fetch(FetchDescriptor<Travel.Trip>())
        #expect(
            history.prefix(3).map { $0.insertions(of: Travel.Trip.self).map(\.changedPersistentIdentifier) }
                == trips.map { [$0.persistentModelID] })
        #expect(history[3].insertions(of: Travel.Tag.self).count == 1 && history[3].changes.count == 1)
        #expect(history.allSatisfy { $0.storeIdentifier == trips[0].persistentModelID.storeIdentifier })
        #expect(history.allSatisfy { abs($0.timestamp.timeIntervalSince(began)) < 3_600 })
        #expect(
            history.allSatisfy { $0.token.tokenValue == [$0.storeIdentifier: $0.id] && $0.rewrittenEntityNames.isEmpty }
        )
        #expect(Set(history).count == 4)
    }

    @Test("tells which properties of a model an update has changed, links among them")
    func updates() throws {
        let (trip, tag) = (Travel.Trip("a"), Travel.Tag(id: 1))
        let stay = Travel.Stay("Ritz", nights: 1)
        for model in [trip, tag, stay] as [any PersistentModel] { context.insert(model) }
        try context.save()
        trip.name = "Rome"
        trip.place = Travel.Place(city: "Rome")
        try context.save()
        stay.trip = trip
        try context.save()
        trip.tags = [tag]
        try context.save()
        let history = try context.history()
        let first = try #require(history[1].updates(of: Travel.Trip.self).first)
        #expect(first.updatedAttributes.count == 2 && history[1].changes.count == 1)
        #expect(first.containsAttribute(\.name) && first.containsAttribute(\.place) && !first.containsAttribute(\.code))
        #expect(history[2].updates(of: Travel.Stay.self).first?.containsAttribute(\.trip) == true)
        #expect(history[3].updates(of: Travel.Trip.self).map { $0.updatedAttributes.count } == [1])
        #expect(history[3].updates(of: Travel.Trip.self).first?.containsAttribute(\.tags) == true)
        #expect(history[3].updates(of: Travel.Tag.self).first?.containsAttribute(\.trips) == true)
        #expect(history[3].changes.map(\.changedPersistentIdentifier).count == 2)
    }

    @Test("is fetched after a token that went through a file, by author, in an order, and up to a limit")
    func descriptors() throws {
        try save(6)
        let file = try JSONEncoder().encode(try #require(context.history().dropFirst(1).first).token)
        let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: file)
        #expect(try context.history(after: token).map(\.id) == [3, 4, 5, 6])
        let author: String? = "app"
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.predicate = #Predicate { transaction in
            (transaction.token > token) && (transaction.author == author)
        }
        #expect(try context.fetchHistory(descriptor).map(\.id) == [3, 5])
        descriptor.fetchLimit = 1
        #expect(try context.fetchHistory(descriptor).map(\.id) == [3])
        descriptor.sortBy = [SortDescriptor(\.id, order: .reverse)]
        #expect(try context.fetchHistory(descriptor).map(\.id) == [5])
        descriptor = HistoryDescriptor(predicate: #Predicate { $0.token < token }, sortBy: [])
        #expect(try context.fetchHistory(descriptor).map(\.id) == [1])
        descriptor.predicate = #Predicate { token < $0.token && $0.id != 4 }
        #expect(try context.fetchHistory(descriptor).map(\.id) == [3, 5, 6])
        let last = try #require(context.history().last).token
        #expect(try context.history(after: last).isEmpty && token < last && !(last < token))
    }

    @Test("gives nothing after a token that it cannot go on from but an error")
    func expired() throws {
        try save(2)
        let other = try TemporaryFolder()
        let foreign = ModelContext(try other.open(Travel.Trip.self))
        foreign.insert(Travel.Trip("x"))
        try foreign.save()
        let token = try #require(foreign.history().last).token
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.history(after: token) }
        // The file has no such saves: 99 is that of a file which a copy from before has replaced.
        let store = try #require(try context.history().last).storeIdentifier
        for numbers in ["\"\(store)\":99", "\"\(store)\":-1", ""] {
            let text = Data("{\"tokenValue\":{\(numbers)}}".utf8)
            let token = try JSONDecoder().decode(DefaultHistoryToken.self, from: text)
            #expect(throws: SwiftDataError.historyTokenExpired) { try context.history(after: token) }
        }
        let descriptor = HistoryDescriptor<OtherTransaction>()
        #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try context.fetchHistory(descriptor) }
        let memory = ModelContext(try memoryContainer(Travel.Trip.self))
        let error = #expect(throws: SwiftDataError.invalidTransactionFetchRequest) { try memory.history() }
        #expect(error?.detail.contains("historyRetention") == true)
    }

    @Test("is read on from the token that a save is told with")
    func token() throws {
        nonisolated(unsafe) var told: [[AnyHashable: Any]] = []
        let observer = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { told.append($0.userInfo ?? [:]) }
        defer { NotificationCenter.default.removeObserver(observer) }
        context.insert(Travel.Trip("a"))
        try context.save()
        typealias Key = ModelContext.NotificationKey
        let token = try #require(told.last?[Key.historyTokens] as? DefaultHistoryToken)
        #expect(told.last?[Key.historyTokens.rawValue] as? DefaultHistoryToken == token)
        #expect(try context.history(after: token).isEmpty)
        try save(1)
        #expect(try context.history(after: token).map(\.author) == ["app"])
    }
}
