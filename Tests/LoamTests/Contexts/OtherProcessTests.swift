import Foundation
import Testing

@testable import Loam
@testable import LoamStorage

@Model private final class Ticket {
    @Attribute(.unique) var id: Int
    var name: String
    var details: String

    init(id: Int, name: String, details: String = "") {
        (self.id, self.name, self.details) = (id, name, details)
    }
}

/// A store on the container's file whose saves nobody in this process hears of, as if they were another process's.
private struct OtherProcess {
    let store: Store
    let entity: LoamStorage.Entity

    init(_ container: ModelContainer) throws {
        let own = container.store
        store = Store(
            path: own.path, options: own.options, environment: own.environment, cache: own.cache,
            changes: ChangeHub(own.environment))
        entity = try own.read { try $0.entity(named: "Ticket") }
    }

    func rename(_ ticket: PersistentIdentifier, to name: String) throws {
        var batch = WriteBatch()
        let position = try #require(entity.position(of: "name"))
        batch.update(
            ticket.rowID, of: entity.id, base: nil, changes: [entity.properties[position].id: .string(name)])
        try store.save(batch)
    }

    func delete(_ ticket: PersistentIdentifier) throws {
        var batch = WriteBatch()
        batch.delete(ticket.rowID, of: entity.id)
        try store.save(batch)
    }
}

@Suite("What another process saves")
final class OtherProcessTests {
    private let folder: URL
    private let container: ModelContainer

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "loam-other-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        container = try ModelContainer(
            for: Ticket.self, configurations: ModelConfiguration(url: folder.appending(path: "tickets.store")))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func tickets(_ context: ModelContext, _ count: Int) throws -> [Ticket] {
        let tickets = (0..<count).map { Ticket(id: $0, name: "n\($0)") }
        for ticket in tickets { context.insert(ticket) }
        try context.save()
        for ticket in tickets { _ = ticket.name }
        return tickets
    }

    @Test("in turn with this one costs a context one look at each row that it changed")
    func inTurn() throws {
        let context = ModelContext(container)
        let tickets = try tickets(context, 500)
        let other = try OtherProcess(container)
        for round in 0..<20 {
            try other.rename(tickets[round].persistentModelID, to: "theirs \(round)")
            tickets[499 - round].name = "ours \(round)"
            try context.save()
            context.processPendingChanges()
            #expect(tickets[round].name == "theirs \(round)" && tickets[499 - round].name == "ours \(round)")
        }
        #expect(context.inbox?.rereadCount == 20)
    }

    @Test("is seen by a context that does not save itself, with what it deletes")
    func seenByOthers() throws {
        let (context, saving) = (ModelContext(container), ModelContext(container))
        let tickets = try tickets(context, 50)
        let other = try OtherProcess(container)
        try other.rename(tickets[0].persistentModelID, to: "theirs")
        try other.delete(tickets[1].persistentModelID)
        tickets[2].details = "unsaved"
        try other.rename(tickets[2].persistentModelID, to: "merged")
        saving.insert(Ticket(id: 1_000, name: "new"))
        try saving.save()
        context.processPendingChanges()
        #expect(tickets[0].name == "theirs" && tickets[1].modelContext == nil)
        #expect(tickets[2].name == "merged" && tickets[2].details == "unsaved")
        #expect(context.inbox?.rereadCount == 3 && saving.inbox?.rereadCount == 0)
    }

    @Test(
        "reaches the models of a result in which nothing moves, without a save of this process",
        .timeLimit(.minutes(30)))
    @MainActor func reachesShownModels() async throws {
        let context = ModelContext(container)
        let tickets = try tickets(context, 50)
        let observer = try ResultsObserver(
            fetchDescriptor: FetchDescriptor<Ticket>(sortBy: [SortDescriptor(\.id)]), modelContext: context)
        #expect(observer.results.count == 50)
        let other = try OtherProcess(container)
        for round in 0..<3 {
            try other.rename(tickets[round].persistentModelID, to: "theirs")
            while tickets[round].name != "theirs" { await Task.yield() }
        }
        #expect(context.inbox?.rereadCount == 3)
    }

    @Test("makes a context read everything again only where the history does not tell")
    func withoutHistory() throws {
        let memory = try memoryContainer(Ticket.self)
        let context = ModelContext(memory)
        let tickets = try tickets(context, 30)
        let other = try OtherProcess(memory)
        try other.rename(tickets[4].persistentModelID, to: "theirs")
        tickets[5].name = "ours"
        try context.save()
        context.processPendingChanges()
        #expect(tickets[4].name == "theirs" && tickets[5].name == "ours")
        #expect(context.inbox?.rereadCount == 30)
    }
}

@Suite("What waits for contexts that are idle")
struct IdleContextTests {
    @Test("is bounded in bytes, and they find what they have lost")
    func bounded() throws {
        let container = try memoryContainer(Ticket.self)
        let contexts = (0..<50).map { _ in ModelContext(container) }
        let writer = ModelContext(container)
        let ticket = Ticket(id: 1, name: "a")
        writer.insert(ticket)
        try writer.save()
        let shown = try contexts.map { try #require(try $0.fetch(FetchDescriptor<Ticket>()).first) }
        for ticket in shown { _ = ticket.name }
        for step in 0..<60 {
            for number in 0..<40 {
                writer.insert(
                    Ticket(id: 100 + number, name: "\(step)", details: String(repeating: "x", count: 10_000)))
            }
            ticket.name = "\(step)"
            try writer.save()
            #expect(container.store.changes.unread.bytes <= UnreadChanges.mostBytes)
        }
        for (context, ticket) in zip(contexts, shown) {
            context.processPendingChanges()
            #expect(ticket.name == "59")
        }
        #expect(container.store.changes.unread.bytes == 0)
    }
}
