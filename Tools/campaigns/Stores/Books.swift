import Foundation
import Loam
import SeededRandom

/// A thread's book in one of the files: what its last save there was, and which lines that changed.
protocol Book: PersistentModel {
    associatedtype Entry: BookEntry

    var thread: Int { get set }
    var save: Int { get set }
    var changed: String { get set }
    var entries: [Entry] { get set }
    init(thread: Int)
    static func of(_ thread: Int) -> Predicate<Self>
}

/// A line of a book.
protocol BookEntry: PersistentModel {
    var key: Int { get set }
    var save: Int { get set }
    var text: String { get set }
    init(key: Int, save: Int)
}

@Model final class CashBook: Book {
    @Attribute(.unique) var thread: Int
    var save = 0
    var changed = ""
    @Relationship(deleteRule: .cascade, inverse: \Payment.book) var entries: [Payment] = []

    init(thread: Int) { self.thread = thread }

    static func of(_ thread: Int) -> Predicate<CashBook> { #Predicate { $0.thread == thread } }
}

@Model final class Payment: BookEntry {
    #Index<Payment>([\.save])
    @Attribute(.unique) var key: Int
    var save: Int
    var text = ""
    var book: CashBook?

    init(key: Int, save: Int) { (self.key, self.save) = (key, save) }
}

@Model final class StockBook: Book {
    @Attribute(.unique) var thread: Int
    var save = 0
    var changed = ""
    @Relationship(deleteRule: .cascade, inverse: \Delivery.book) var entries: [Delivery] = []

    init(thread: Int) { self.thread = thread }

    static func of(_ thread: Int) -> Predicate<StockBook> { #Predicate { $0.thread == thread } }
}

@Model final class Delivery: BookEntry {
    #Index<Delivery>([\.text])
    @Attribute(.unique) var key: Int
    var save: Int
    var text = ""
    var book: StockBook?

    init(key: Int, save: Int) { (self.key, self.save) = (key, save) }
}

/// The two files, and what a save writes to each.
enum TwoBooks {
    private static let entriesPerThread = 12

    /// Cash before stock: the order in which a save writes them.
    static func open(_ folder: String) throws -> ModelContainer {
        func url(_ name: String) -> URL { URL(fileURLWithPath: folder).appendingPathComponent("stores-\(name).loam") }
        return try ModelContainer(
            for: CashBook.self, StockBook.self,
            configurations: ModelConfiguration("cash", schema: Schema([CashBook.self]), url: url("cash")),
            ModelConfiguration("stock", schema: Schema([StockBook.self]), url: url("stock")))
    }

    /// Clears what an earlier campaign has left.
    static func clear(_ folder: String) throws {
        for name in ["cash", "stock"] { _ = try StoreFolder.prepare(folder, store: "stores-\(name).loam") }
    }

    private static func find<B: Book>(_ thread: Int, in context: ModelContext, as: B.Type) throws -> B? {
        try context.fetch(FetchDescriptor<B>(predicate: B.of(thread))).first
    }

    /// Makes the books of a thread that are not there, and says which save is the thread's next.
    static func prepare(_ thread: Int, in context: ModelContext) throws -> Int {
        if try find(thread, in: context, as: CashBook.self) == nil { context.insert(CashBook(thread: thread)) }
        if try find(thread, in: context, as: StockBook.self) == nil { context.insert(StockBook(thread: thread)) }
        try context.save()
        let saves = try numbers(thread, in: context)
        return max(saves.cash, saves.stock) + 1
    }

    /// Changes both books for one save: lines come, change and go.
    static func change(
        _ thread: Int, save: Int, in context: ModelContext, _ random: inout SeededGenerator
    ) throws {
        try change(thread, save: save, in: context, as: CashBook.self, &random)
        try change(thread, save: save, in: context, as: StockBook.self, &random)
    }

    private static func change<B: Book>(
        _ thread: Int, save: Int, in context: ModelContext, as: B.Type, _ random: inout SeededGenerator
    ) throws {
        guard let book = try find(thread, in: context, as: B.self) else {
            throw CampaignError("a book of thread \(thread) is gone")
        }
        var keys: Set<Int> = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            keys.insert(thread * 1_000 + Int.random(in: 0..<entriesPerThread, using: &random))
        }
        for key in keys {
            let entry = book.entries.first { $0.key == key } ?? B.Entry(key: key, save: save)
            entry.save = save
            entry.text = text(key: key, save: save)
            if !book.entries.contains(where: { $0 === entry }) { book.entries.append(entry) }
        }
        if random.percent(30), let old = book.entries.first(where: { !keys.contains($0.key) }) { context.delete(old) }
        book.save = save
        book.changed = keys.sorted().map(String.init).joined(separator: ",")
    }

    /// Longer than a record takes now and then.
    private static func text(key: Int, save: Int) -> String {
        String(repeating: "t", count: (key + save) % 23 == 0 ? 20_000 : key % 50) + "\(save)"
    }

    /// The last save of a thread in each file; 0 where none is there.
    static func numbers(_ thread: Int, in context: ModelContext) throws -> (cash: Int, stock: Int) {
        (
            try find(thread, in: context, as: CashBook.self)?.save ?? 0,
            try find(thread, in: context, as: StockBook.self)?.save ?? 0
        )
    }

    /// Throws where the last save of a thread in a file is there in part.
    static func requireWhole(_ thread: Int, in context: ModelContext) throws {
        try requireWhole(thread, in: context, as: CashBook.self)
        try requireWhole(thread, in: context, as: StockBook.self)
    }

    private static func requireWhole<B: Book>(_ thread: Int, in context: ModelContext, as: B.Type) throws {
        guard let book = try find(thread, in: context, as: B.self), book.save > 0 else { return }
        let keys = Set(book.changed.split(separator: ",").compactMap { Int($0) })
        let changed = book.entries.filter { $0.save == book.save }
        let isWhole =
            Set(changed.map(\.key)) == keys
            && changed.allSatisfy { $0.text == text(key: $0.key, save: book.save) }
            && book.entries.allSatisfy { $0.save <= book.save }
        guard isWhole else {
            throw CampaignError("save \(book.save) of thread \(thread) is in part in the file of \(B.self)")
        }
    }
}
