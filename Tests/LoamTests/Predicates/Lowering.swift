import LoamQuery
import Testing

@testable import Loam

/// A store of a few books, and predicates checked against it.
struct Shelves {
    let context: ModelContext
    let books: [Book]
    let authors: [Author]
    let publishers: [Publisher]

    init() throws {
        let configuration = ModelConfiguration("books \(UUID())", isStoredInMemoryOnly: true)
        context = ModelContext(
            try ModelContainer(for: Book.self, Author.self, Publisher.self, configurations: configuration))
        authors = [Author(name: "Ada"), Author(name: "Örn"), Author(name: "Zoe")]
        authors[1].mentor = authors[0]
        publishers = [Publisher(name: "Insel", town: "Leipzig"), Publisher(name: "Faber")]
        var books: [Book] = []
        let titles = ["Élan", "elan", "The Sea", "Sea of Ice", "", "Ice", "Öre", "ore", "The End"]
        for (index, title) in titles.enumerated() {
            let book = Book(
                title, pages: 100 + index * 37, genre: Genre.allCases[index % 3],
                author: index % 4 == 3 ? nil : authors[index % 2],
                publisher: index % 3 == 0 ? nil : publishers[index % 2])
            book.subtitle = index % 2 == 0 ? nil : title.uppercased()
            book.rating = index % 3 == 1 ? nil : index
            book.isLent = index % 3 == 0 ? nil : index % 2 == 0
            book.shelf.note = index % 4 == 0 ? nil : "note \(index % 2)"
            books.append(book)
            context.insert(book)
        }
        self.books = books
        for model in authors { context.insert(model) }
        for model in publishers { context.insert(model) }
        try context.save()
    }

    /// Expects that the predicate is fetched as the tree that reads `text`, and fetches what Foundation finds.
    func expect(
        _ predicate: Predicate<Book>, is text: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let lowered = try PredicateLowering.lower(predicate)
        #expect(lowered.description == text, sourceLocation: sourceLocation)
        #expect(try PredicateParser.parse(lowered.format) == lowered, sourceLocation: sourceLocation)
        let found = try ModelContext(context.container).fetch(FetchDescriptor<Book>(predicate: predicate))
        let expected = try books.filter { try predicate.evaluate($0) }
        #expect(found.map(\.persistentModelID) == expected.map(\.persistentModelID), sourceLocation: sourceLocation)
    }
}
