import Testing

@testable import Loam

/// The test is that the predicates compile: in one expression for all nodes, the type checker would give up.
@Suite struct LongPredicateTests {
    @Test func twentyTermsCompileAndRun() throws {
        let shelves = try Shelves()
        let (least, name, ids) = (100, "Ada", shelves.books.map(\.persistentModelID))
        let predicate = #Predicate<Book> { book in
            book.pages >= least && book.pages < 5_000 && book.price > 2 && book.price < 100.5
                && book.title != "Rome" && !book.title.contains("x") && book.cover == nil && book.isSigned
                && !book.tags.contains("b") && book.author?.name == name && book.shelf.number >= 0
                && (book.rating ?? 0) + 1 > 0 && book.pages * 2 > 10 && book.price / 2 < 100
                && (book.genre == .novel || book.genre == .science || book.genre == .poetry)
                && ids.contains(book.persistentModelID) && book.title.localizedStandardContains("e")
                && book.author?.books.contains { $0.pages > 5 } == true && book.published < .distantFuture
                && book.link == nil
        }
        let found = try shelves.context.fetch(FetchDescriptor(predicate: predicate))
        #expect(try found.map(\.title) == shelves.books.filter { try predicate.evaluate($0) }.map(\.title))
        #expect(!found.isEmpty)
    }
}
