import Foundation
import Loam
import Testing

/// A model as it was, and as it became.
private enum Before {
    @Model final class Book {
        var title: String
        var pages = 0
        var author: Author?

        init(_ title: String) { self.title = title }
    }

    @Model final class Author {
        var name: String
        @Relationship(deleteRule: .nullify, inverse: \Book.author) var books: [Book] = []

        init(_ name: String) { self.name = name }
    }
}

private enum After {
    @Model final class Book {
        #Index<Book>([\.name])
        @Attribute(originalName: "title") var name: String
        var rating = 3
        var note: String?
        var author: Author?
        var shelf: Shelf?

        init(_ name: String) { self.name = name }
    }

    @Model final class Author {
        var name: String
        @Relationship(deleteRule: .cascade, maximumModelCount: 2, inverse: \Book.author) var books: [Book] = []

        init(_ name: String) { self.name = name }
    }

    @Model final class Shelf {
        @Attribute(.unique) var number: Int
        var books: [Book] = []

        init(_ number: Int) { self.number = number }
    }
}

private enum Changed {
    @Model final class Book {
        var name: Int
        init(_ name: Int) { self.name = name }
    }
}

@Suite("The schema of a container")
struct SchemaTests {
    @Test("names the models that relationships reach, with their properties")
    func description() throws {
        let schema = Schema([Country.self])
        #expect(schema.entities.map(\.name) == ["City", "Country", "Tag"])
        let country = try #require(schema.entitiesByName["Country"])
        #expect(country.attributes.map(\.name).sorted() == ["code", "name"])
        #expect(country.properties.map(\.name) == ["code", "name", "cities"])
        #expect(country.storedPropertiesByName["cities"]?.isRelationship == true)
        #expect(country.attributesByName["code"]?.isUnique == true)
        #expect(country.relationshipsByName["cities"]?.deleteRule == .cascade)
        #expect(country.relationshipsByName["cities"]?.destination == "City")
        #expect(country.uniquenessConstraints == [["code"]])
        #expect(country.indices == [["name"]])
    }

    @Test("follows the models: properties renamed, added, taken away, rules and bounds changed")
    func evolution() throws {
        let folder = try TemporaryFolder()
        do {
            let container = try ModelContainer(
                for: Before.Book.self, configurations: ModelConfiguration(url: folder.store))
            let context = ModelContext(container)
            let author = Before.Author("Hamsun")
            author.books = [Before.Book("Hunger"), Before.Book("Pan")]
            context.insert(author)
            try context.save()
        }
        do {
            let container = try ModelContainer(
                for: After.Book.self, configurations: ModelConfiguration(url: folder.store))
            let context = ModelContext(container)
            let books = try context.fetch(FetchDescriptor<After.Book>(sortBy: [SortDescriptor(\.name)]))
            #expect(books.map(\.name) == ["Hunger", "Pan"])
            #expect(books.map(\.rating) == [3, 3])
            #expect(books.map(\.note) == [nil, nil])
            #expect(books.map { $0.author?.name } == ["Hamsun", "Hamsun"])
            let shelf = After.Shelf(7)
            shelf.books = books
            try context.save()
            let author = try #require(books.first?.author)
            author.books.append(After.Book("Victoria"))
            #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
            context.rollback()
            context.delete(author)
            try context.save()
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<After.Book>()) == 0)
        }
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try ModelContainer(for: Changed.Book.self, configurations: ModelConfiguration(url: folder.store))
        }
    }

    @Test("opening the same models again changes nothing")
    func unchanged() throws {
        let folder = try TemporaryFolder()
        for _ in 0..<3 {
            let container = try ModelContainer(
                for: Country.self, Everything.self, configurations: ModelConfiguration(url: folder.store))
            let context = ModelContext(container)
            context.insert(Everything())
            try context.save()
        }
        let container = try ModelContainer(
            for: Country.self, Everything.self, configurations: ModelConfiguration(url: folder.store))
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Everything>()) == 3)
    }

    @Test("a file that is no store is refused, and stays as it is")
    func foreignFile() throws {
        let folder = try TemporaryFolder()
        try Data("no store".utf8).write(to: folder.store)
        #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try ModelContainer(for: City.self, configurations: ModelConfiguration(url: folder.store))
        }
        #expect(try Data(contentsOf: folder.store) == Data("no store".utf8))
    }
}
