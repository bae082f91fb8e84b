import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

@Suite("Saves that are taken out of the history")
struct HistoryDeletionTests {
    private let folder: TemporaryFolder
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        folder = try TemporaryFolder()
        container = try folder.open(Travel.Trip.self)
        context = ModelContext(container)
        for number in 0..<6 {
            context.author = number.isMultiple(of: 2) ? "app" : "widget"
            let (trip, tag) = (Travel.Trip("trip \(number)"), Travel.Tag(id: number))
            context.insert(trip)
            context.insert(tag)
            trip.tags = [tag]
            try context.save()
        }
    }

    @Test("up to a token are gone, and who stands before them is told so")
    func prefix() throws {
        let tokens = try context.history().map(\.token)
        let bound = tokens[3]
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= bound }))
        #expect(try context.history().map(\.id) == [5, 6])
        #expect(throws: SwiftDataError.historyTokenExpired) { try context.history(after: tokens[2]) }
        #expect(try context.history(after: tokens[3]).map(\.id) == [5, 6])
        #expect(try container.store.check().faults == [])
        #expect(try context.fetchCount(FetchDescriptor<Travel.Trip>()) == 6)
    }

    @Test("all of them, are gone, and the history goes on with the next")
    func all() throws {
        let last = try #require(context.history().last).token
        try context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        #expect(try context.history().isEmpty && context.history(after: last).isEmpty)
        context.insert(Travel.Trip("next"))
        try context.save()
        #expect(try context.history().map(\.id) == [7] && context.history(after: last).map(\.id) == [7])
        #expect(try container.store.check().faults == [])
    }

    @Test("up to a limit are the first ones, or those that an order puts first")
    func limits() throws {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.fetchLimit = 2
        try context.deleteHistory(descriptor)
        #expect(try context.history().map(\.id) == [3, 4, 5, 6])
        descriptor.sortBy = [SortDescriptor(\.id, order: .reverse)]
        try context.deleteHistory(descriptor)
        #expect(try context.history().map(\.id) == [3, 4])
        #expect(try container.store.check().faults == [])
    }

    @Test("by an order alone are all of them; by an order of the changes and a limit, those that it puts first")
    func orders() throws {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.sortBy = [SortDescriptor(\.changes.count, order: .reverse), SortDescriptor(\.timestamp)]
        #expect(!descriptor.ordersWithoutChanges)
        context.insert(Travel.Trip("alone"))
        try context.save()
        descriptor.fetchLimit = 2
        #expect(try context.fetchHistory(descriptor).map(\.id) == [1, 2])
        try context.deleteHistory(descriptor)
        #expect(try context.history().map(\.id) == [3, 4, 5, 6, 7])
        descriptor.sortBy = [SortDescriptor(\.author), SortDescriptor(\.token, order: .reverse)]
        #expect(descriptor.ordersWithoutChanges)
        try context.deleteHistory(descriptor)
        #expect(try context.history().map(\.id) == [4, 6, 7])
        descriptor.fetchLimit = 0
        try context.deleteHistory(descriptor)
        #expect(try context.history().isEmpty)
        #expect(try container.store.check().faults == [])
    }

    @Test("hold no more transactions than twice the limit while they are found", arguments: [1, 7, 40, 500])
    func held(limit: Int) throws {
        let (transactions, order) = (
            try context.history(), [SortDescriptor(\DefaultHistoryTransaction.author), SortDescriptor(\.id)]
        )
        var random = SeededGenerator(seed: UInt64(limit))
        let many = (0..<1_000).map { _ in transactions[Int.random(in: transactions.indices, using: &random)] }
        var first = FirstTransactions(limit, by: order)
        for transaction in many { first.add(transaction) }
        #expect(first.take().map(\.id) == many.sorted(using: order).prefix(limit).map(\.id))
        #expect(first.mostHeld <= max(2 * limit, 64))
        var all = FirstTransactions(nil, by: order)
        for transaction in many { all.add(transaction) }
        #expect(all.take().map(\.id) == many.sorted(using: order).map(\.id))
    }

    @Test("from among others leave the others, and followers read what they changed anew")
    func middle() throws {
        let tokens = try context.history().map(\.token)
        let author: String? = "widget"
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.author == author }))
        #expect(try context.history().map(\.id) == [1, 3, 5])
        #expect(try context.history(after: tokens[0]).map(\.id) == [3, 5])
        #expect(try container.store.check().faults == [])
        let entries = try container.store.read { try HistoryReader.entries(in: $0, of: [1..<6]) }
        let names = try container.store.read { snapshot in
            try #require(entries).map { entry in
                entry.rewritten.compactMap { id in snapshot.schema.entities.first { $0.id == id }?.name }.sorted()
            }
        }
        #expect(names == [["Tag", "Trip"], [], ["Tag", "Trip"], [], ["Tag", "Trip"]])
        #expect(entries?.map(\.rows.count) == [0, 2, 0, 2, 0])
        // The first transactions are removed whole once nothing stands before them.
        let bound = tokens[0]
        try context.deleteHistory(
            HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token <= bound }))
        #expect(try context.history().map(\.id) == [3, 5])
        #expect(try container.store.check().faults == [])
    }

    @Test("stay where the container does not save")
    func readOnly() throws {
        let reader = ModelContext(
            try ModelContainer(
                for: Travel.Trip.self, configurations: ModelConfiguration(url: folder.store, allowsSave: false)))
        #expect(try reader.history().count == 6)
        #expect(throws: SwiftDataError.storage) {
            try reader.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
        }
        #expect(try reader.history().count == 6)
    }
}
