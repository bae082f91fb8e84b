import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

/// A model whose every kind of attribute is updated, under a unique constraint.
private enum Ledger {
    @Model final class Account {
        enum Kind: String, Codable { case open, closed }
        struct Holder: Codable, Hashable { var name: String }

        #Index<Account>([\.kind, \.balance], [\.visits])
        @Attribute(.unique) var number: Int
        var kind: Kind
        var balance: Decimal
        var visits: Int8
        var score: Double
        var rank: UInt16?
        var note: String?
        var holder: Holder?
        var bank: Bank?

        init(_ number: Int, kind: Kind = .open) {
            self.number = number
            self.kind = kind
            (balance, visits, score, rank) = (Decimal(number), 0, 0.5, nil)
        }
    }

    @Model final class Bank {
        var name: String
        @Relationship(inverse: \Account.bank) var accounts: [Account] = []
        init(_ name: String) { self.name = name }
    }
}

@Suite("Updates in the store")
struct BatchUpdateTests {
    private typealias Account = Ledger.Account
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try memoryContainer(Ledger.Account.self, Ledger.Bank.self)
        context = ModelContext(container)
        let bank = Ledger.Bank("B")
        context.insert(bank)
        for number in 0..<100 {
            let account = Ledger.Account(number, kind: number % 3 == 0 ? .closed : .open)
            context.insert(account)
            if number % 2 == 0 { account.bank = bank }
            if number % 5 == 0 { account.rank = UInt16(number) }
        }
        try context.save()
    }

    @Test("change what matches, in one save, and nothing else")
    func change() throws {
        let before = try container.store.read { try $0.lastSave() }
        let count = try context.update(
            Account.self, where: #Predicate { $0.number < 10 && $0.bank != nil },
            set: .set(\.kind, to: .closed), .set(\.holder, to: Ledger.Account.Holder(name: "H")), .set(\.note, to: "n"),
            .add(3, to: \.visits), .add(7, to: \.rank), .add(0.25, to: \.score), .add(-1, to: \.balance))
        #expect(count == 5)
        #expect(try container.store.read { try $0.lastSave() } == before + 1)
        for account in try ModelContext(container).fetch(FetchDescriptor<Account>()) {
            let isChanged = account.number < 10 && account.number % 2 == 0
            #expect(account.kind == (isChanged || account.number % 3 == 0 ? .closed : .open))
            #expect(account.holder?.name == (isChanged ? "H" : nil) && account.note == (isChanged ? "n" : nil))
            #expect(account.visits == (isChanged ? 3 : 0) && account.score == (isChanged ? 0.75 : 0.5))
            #expect(account.balance == Decimal(account.number) - (isChanged ? 1 : 0))
            let rank = account.number % 5 == 0 ? UInt16(account.number) : nil
            #expect(account.rank == (isChanged ? rank.map { $0 + 7 } : rank))
            #expect((account.bank == nil) == (account.number % 2 == 1))
        }
        #expect(try container.store.check().faults == [])
        let closed = try context.fetchCount(FetchDescriptor<Account>(predicate: #Predicate { $0.visits == 3 }))
        #expect(closed == 5)
        #expect(
            try context.update(Account.self, where: #Predicate { $0.number > 1_000 }, set: .add(1, to: \.visits)) == 0)
        #expect(try context.update(Account.self, set: .set(\.note, to: nil)) == 100)
        #expect(try context.fetch(.count(of: \Account.note)) == 0)
    }

    @Test("reach the objects of contexts, but for what is set and not saved there")
    func reachObjects() throws {
        let other = ModelContext(container)
        var descriptor = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.number)])
        descriptor.fetchLimit = 2
        let (mine, theirs) = (try context.fetch(descriptor), try other.fetch(descriptor))
        mine[0].visits = 50
        theirs[1].note = "mine"
        #expect(mine[1].visits == 0 && theirs[0].visits == 0)
        try context.update(Account.self, set: .add(1, to: \.visits), .set(\.note, to: "all"))
        #expect(mine[0].visits == 50 && mine[0].note == "all" && mine[1].visits == 1)
        #expect(context.hasChanges)
        other.processPendingChanges()
        #expect(theirs[0].visits == 1 && theirs[1].visits == 1 && theirs[1].note == "mine")
        try context.save()
        try other.save()
        let stored = try ModelContext(container).fetch(descriptor)
        #expect(stored.map(\.visits) == [50, 1] && stored.map(\.note) == ["all", "mine"])
    }

    @Test("keep unique constraints, ranges and required values: else nothing is changed")
    func keepRules() throws {
        func refused(_ error: SwiftDataError, _ assignment: Assignment<Account>) throws {
            #expect(throws: error) { try context.update(Account.self, set: assignment) }
        }
        try refused(.modelValidationFailure, .set(\.number, to: 5))
        try context.update(Account.self, set: .add(1_000, to: \.number))
        #expect(try context.fetch(.minimum(\Account.number)) == 1_000)
        try refused(.modelValidationFailure, .add(.max, to: \.number))
        try context.update(Account.self, where: #Predicate { $0.number == 1_050 }, set: .set(\.visits, to: 100))
        try refused(.modelValidationFailure, .add(28, to: \.visits))
        try refused(.unsupportedKeyPath, .set(\.bank, to: nil))
        let (sum, most) = try context.fetch(.sum(\Account.visits), .maximum(\.visits))
        #expect(sum == 100 && most == 100)
        #expect(try container.store.check().faults == [])
    }

    @Test("of several contexts at once lose nothing: every addition counts")
    func loseNothing() async throws {
        let (container, rounds) = (container, 25)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    let context = ModelContext(container)
                    for _ in 0..<rounds {
                        try context.update(
                            Ledger.Account.self, where: #Predicate { $0.number < 20 }, set: .add(1, to: \.visits))
                    }
                }
            }
            try await group.waitForAll()
        }
        let (least, most) = try context.fetch(
            .minimum(\Account.visits), .maximum(\.visits), where: #Predicate { $0.number < 20 })
        #expect(least == 75 && most == 75)
    }

    @Test("stand in the history like any save, under the context's author")
    func standInTheHistory() throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(
            for: Ledger.Account.self, configurations: ModelConfiguration(url: folder.store))
        let context = ModelContext(container)
        context.author = "batch"
        for number in 0..<5 { context.insert(Ledger.Account(number)) }
        try context.save()
        try context.update(Account.self, where: #Predicate { $0.number > 2 }, set: .set(\.note, to: "x"))
        let last = try #require(try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
        #expect(last.author == "batch" && last.changes.count == 2)
    }

    @Test("move the rows of live results")
    @MainActor
    func moveLiveResults() async throws {
        let observer = try ResultsObserver<Ledger.Account, Never>(
            filterBy: #Predicate { $0.kind == .closed }, sortBy: [SortDescriptor(\.number)], modelContainer: container)
        var differences = observer.makeDifferences().makeAsyncIterator()
        #expect(observer.results.count == 34)
        try context.update(Account.self, where: #Predicate { $0.number < 6 }, set: .set(\.kind, to: .closed))
        let difference = try #require(await differences.next())
        #expect(difference.insertions.count == 4 && difference.deletions.isEmpty)
        #expect(observer.results.prefix(6).map(\.number) == [0, 1, 2, 3, 4, 5])
    }
}
