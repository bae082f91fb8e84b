import Foundation
import Loam
import LoamStorage
import Testing

/// Shelves know their books, and books their tags; no model knows the way back.
private enum OneWay {
    @Model final class Shelf {
        var number: Int
        var books: [Book] = []

        init(_ number: Int) { self.number = number }
    }

    @Model final class Book {
        #Index<Book>([\.title])
        var title: String
        var text: String
        var tags: [Tag] = []

        init(_ title: String, text: String = "") { (self.title, self.text) = (title, text) }
    }

    @Model final class Tag {
        var name: String

        init(_ name: String) { self.name = name }
    }
}

private enum TwoWays {
    @Model final class Shelf {
        var number: Int
        @Relationship(deleteRule: .cascade, inverse: \Book.shelf) var books: [Book] = []

        init(_ number: Int) { self.number = number }
    }

    @Model final class Book {
        #Index<Book>([\.title])
        var title: String
        var text: String
        var shelf: Shelf?
        @Relationship(inverse: \Tag.books) var tags: [Tag] = []

        init(_ title: String) { (self.title, text) = (title, "") }
    }

    @Model final class Tag {
        var name: String
        var books: [Book] = []

        init(_ name: String) { self.name = name }
    }
}

private enum Required {
    @Model final class Shelf {
        var number: Int
        @Relationship(inverse: \Book.shelf) var books: [Book] = []

        init(_ number: Int) { self.number = number }
    }

    @Model final class Book {
        var title: String
        var text: String
        var shelf: Shelf

        init(_ title: String, _ shelf: Shelf) { (self.title, text, self.shelf) = (title, "", shelf) }
    }
}

/// Models in which no shelf has two books of one title.
private enum Titled {
    @Model final class Shelf {
        var number: Int
        @Relationship(inverse: \Book.shelf) var books: [Book] = []

        init(_ number: Int) { self.number = number }
    }

    @Model final class Book {
        #Unique<Book>([\.shelf, \.title])
        var title: String
        var text: String
        var shelf: Shelf?

        init(_ title: String) { (self.title, text) = (title, "") }
    }
}

@Suite("An inverse added to a to-many relationship")
struct InverseOfToManyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let long = String(repeating: "text ", count: 8_000)

    /// Makes ten books: 1, 5 and 3 on the first shelf, 2 and 0 on the second, in this order; each has the tags of its
    /// divisors up to 4, the greatest first.
    private func makeStore() throws -> ModelContext {
        let context = ModelContext(try folder.open(OneWay.Shelf.self))
        let shelves = (0..<3).map(OneWay.Shelf.init)
        let books = (0..<10).map { OneWay.Book("book \($0)", text: $0 == 5 ? long : "\($0)") }
        let tags = (1...4).map { OneWay.Tag("\($0)") }
        for model in shelves + books + tags as [any PersistentModel] { context.insert(model) }
        shelves[0].books = [books[1], books[5], books[3]]
        shelves[1].books = [books[2], books[0]]
        for number in 1..<10 {
            books[number].tags = tags.indices.reversed().filter { number.isMultiple(of: $0 + 1) }.map { tags[$0] }
        }
        try context.save()
        return context
    }

    private func tags(_ number: Int) -> [String] {
        (1...4).reversed().filter { number > 0 && number.isMultiple(of: $0) }.map { "\($0)" }
    }

    @Test("leads back, to one or to several, and the orders that there were stay")
    func inverses() throws {
        _ = try makeStore()
        let container = try folder.open(TwoWays.Shelf.self)
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        let shelves = try context.fetch(FetchDescriptor<TwoWays.Shelf>(sortBy: [SortDescriptor(\.number)]))
        #expect(shelves.map { $0.books.map(\.title) } == [["book 1", "book 5", "book 3"], ["book 2", "book 0"], []])
        let books = try context.fetch(FetchDescriptor<TwoWays.Book>(sortBy: [SortDescriptor(\.title)]))
        #expect(books.map { $0.shelf?.number } == [1, 0, 1, 0, nil, 0, nil, nil, nil, nil])
        #expect(books[5].text == long && books[4].text == "4")
        #expect(books.indices.allSatisfy { books[$0].tags.map(\.name) == tags($0) })
        let all = try context.fetch(FetchDescriptor<TwoWays.Tag>(sortBy: [SortDescriptor(\.name)]))
        for (number, tag) in all.enumerated() {
            #expect(tag.books.map(\.title) == (1..<10).filter { $0.isMultiple(of: number + 1) }.map { "book \($0)" })
        }
        let first = FetchDescriptor<TwoWays.Book>(predicate: #Predicate { $0.shelf?.number == 0 })
        #expect(try context.fetch(first).map(\.title).sorted() == ["book 1", "book 3", "book 5"])

        books[4].shelf = shelves[2]
        shelves[2].books.insert(books[1], at: 0)
        all[3].books.insert(books[3], at: 0)
        try context.save()
        context.delete(shelves[1])
        try context.save()
        #expect(try container.store.check().faults == [])
        let fresh = ModelContext(container)
        let stored = try fresh.fetch(FetchDescriptor<TwoWays.Shelf>(sortBy: [SortDescriptor(\.number)]))
        #expect(stored.map { $0.books.map(\.title) } == [["book 5", "book 3"], ["book 1", "book 4"]])
        let tag = try #require(try fresh.fetch(FetchDescriptor<TwoWays.Tag>(sortBy: [SortDescriptor(\.name)])).last)
        #expect(tag.books.map(\.title) == ["book 3", "book 4", "book 8"])
    }

    @Test("stops a program whose models lack it, and keeps that from opening the store, where nothing is lost")
    func olderProgram() throws {
        let older = try makeStore()
        let running = try older.fetch(FetchDescriptor<OneWay.Shelf>(sortBy: [SortDescriptor(\.number)]))
        let container = try folder.open(TwoWays.Shelf.self)
        #expect(running[0].books.isEmpty)
        running[0].number = 7
        for _ in 0..<2 {
            #expect(throws: SwiftDataError.unknownSchema) { try older.save() }
            #expect(throws: SwiftDataError.unknownSchema) { try older.fetch(FetchDescriptor<OneWay.Shelf>()) }
        }
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(OneWay.Shelf.self) }
        #expect(error?.detail.contains("Shelf.books is kept by its inverse in the store, Book.shelf") == true)
        // Links that get a second side are still kept as links.
        let book = OneWay.Book("late")
        let books = ModelContext(try folder.open(OneWay.Book.self))
        book.tags = [OneWay.Tag("new")]
        books.insert(book)
        try books.save()
        let context = ModelContext(container)
        let shelves = try context.fetch(FetchDescriptor<TwoWays.Shelf>(sortBy: [SortDescriptor(\.number)]))
        #expect(shelves.map { $0.books.count } == [3, 2, 0])
        let tags = try context.fetch(FetchDescriptor<TwoWays.Tag>())
        #expect(tags.first { $0.name == "new" }?.books.map(\.title) == ["late"])
        #expect(try container.store.check().faults == [])
    }

    @Test("that is a to-one is refused where a row has two, and where one that must have one has none")
    func refused() throws {
        let older = try makeStore()
        let before = try Data(contentsOf: folder.store)
        let missing = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(Required.Shelf.self) }
        #expect(missing?.detail.contains("entity Book, property shelf, row") == true)
        #expect(try Data(contentsOf: folder.store) == before)
        let shelves = try older.fetch(FetchDescriptor<OneWay.Shelf>(sortBy: [SortDescriptor(\.number)]))
        shelves[2].books.append(shelves[0].books[1])
        try older.save()
        let both = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(TwoWays.Shelf.self) }
        #expect(both?.detail.contains("several do") == true)
        #expect(both?.detail.contains("entity Book, property shelf, row") == true)
        shelves[0].books.remove(at: 1)
        let books = try older.fetch(FetchDescriptor<OneWay.Book>(sortBy: [SortDescriptor(\.title)]))
        for number in [4, 6, 7, 8, 9] { shelves[2].books.append(books[number]) }
        try older.save()
        let container = try folder.open(Required.Shelf.self)
        let stored = try ModelContext(container).fetch(
            FetchDescriptor<Required.Book>(sortBy: [SortDescriptor(\.title)]))
        #expect(stored.map(\.shelf.number) == [1, 0, 1, 0, 2, 2, 2, 2, 2, 2])
        #expect(try container.store.check().faults == [])
    }

    @Test("leaves the history of the links that there were as it is")
    func history() throws {
        let older = try makeStore()
        let shelves = try older.fetch(FetchDescriptor<OneWay.Shelf>(sortBy: [SortDescriptor(\.number)]))
        shelves[2].books = [OneWay.Book("new")]
        try older.save()
        let book = try #require(shelves[2].books.first)
        shelves[2].books = []
        try older.save()
        let (shelf, removed) = (shelves[2].persistentModelID, book.persistentModelID)
        let context = ModelContext(try folder.open(TwoWays.Shelf.self))
        let last = try #require(context.history().last)
        let changed = try #require(last.updates(of: TwoWays.Shelf.self).first)
        #expect(changed.changedPersistentIdentifier == shelf && changed.containsAttribute(\.books))
        let other = try #require(last.updates(of: TwoWays.Book.self).first)
        #expect(other.changedPersistentIdentifier == removed && other.containsAttribute(\.shelf))
        #expect(last.changes.count == 2)
    }

    @Test("under a constraint that rows break with it is refused, and the file stays as it is")
    func constraint() throws {
        let older = try makeStore()
        let shelves = try older.fetch(FetchDescriptor<OneWay.Shelf>(sortBy: [SortDescriptor(\.number)]))
        let book = shelves[0].books[1]
        book.title = "book 3"
        try older.save()
        let before = try Data(contentsOf: folder.store)
        #expect(throws: SwiftDataError.modelValidationFailure) { try folder.open(Titled.Shelf.self) }
        #expect(try Data(contentsOf: folder.store) == before)
        let again = ModelContext(try folder.open(OneWay.Shelf.self))
        let same = try again.fetch(FetchDescriptor<OneWay.Shelf>(sortBy: [SortDescriptor(\.number)]))
        #expect(same.map { $0.books.map(\.title) } == [["book 1", "book 3", "book 3"], ["book 2", "book 0"], []])

        // Equal titles on two shelves, or on none, break no constraint.
        book.title = "book 2"
        try older.save()
        let container = try folder.open(Titled.Shelf.self)
        #expect(try container.store.check().faults == [])
        let stored = try ModelContext(container).fetch(
            FetchDescriptor<Titled.Shelf>(sortBy: [SortDescriptor(\.number)]))
        #expect(stored.map { $0.books.map(\.title) } == [["book 1", "book 2", "book 3"], ["book 2", "book 0"], []])
    }
}
