import LoamQuery
import Testing

@testable import Loam

@Suite("A predicate over related models is fetched as Foundation evaluates it")
struct PredicateRelationshipTests {
    let shelves: Shelves

    init() throws { shelves = try Shelves() }

    @Test func pathsThroughToOne() throws {
        try shelves.expect(#Predicate { $0.author?.name == "Ada" }, is: "author.name == 'Ada'")
        try shelves.expect(#Predicate { $0.author?.mentor?.name == "Ada" }, is: "author.mentor.name == 'Ada'")
        try shelves.expect(#Predicate { $0.author == nil }, is: "author == nil")
        try shelves.expect(#Predicate { $0.author?.name != "Ada" }, is: "author.name != 'Ada'")
        try shelves.expect(
            #Predicate { $0.author?.name.localizedStandardStarts(with: "or") ?? false },
            is: "author != nil AND author.name BEGINSWITH[cd] 'or'")
        try shelves.expect(#Predicate { $0.publisher?.town == nil }, is: "publisher.town == nil")
    }

    @Test func identifiersAndModels() throws {
        let author = shelves.authors[1]
        let row = author.persistentModelID.rowID
        let id = author.persistentModelID
        let ids = shelves.books.prefix(2).map(\.persistentModelID)
        let none: Author? = nil
        try shelves.expect(#Predicate { $0.author?.persistentModelID == id }, is: "author == \(row)")
        try shelves.expect(#Predicate { $0.author == author }, is: "author == \(row)")
        try shelves.expect(#Predicate { $0.author != author }, is: "author != \(row)")
        try shelves.expect(#Predicate { $0.author == none }, is: "author == nil")
        try shelves.expect(
            #Predicate { ids.contains($0.persistentModelID) }, is: "SELF IN {\(ids[0].rowID), \(ids[1].rowID)}")
        try shelves.expect(#Predicate { $0.id == id }, is: "SELF == 0")
        // The captures are unwrapped where the predicate is made.
        let (authors, some): ([Author], Author?) = (shelves.authors, author)
        try shelves.expect(#Predicate { $0.author == authors[1] }, is: "author == \(row)")
        try shelves.expect(#Predicate { $0.author != some! }, is: "author != \(row)")
        try shelves.expect(#Predicate { $0.author == authors[99] }, is: "author == nil")
        let books = shelves.books
        let held = #Predicate<Author> { $0.books.contains(books[0]) }
        #expect(try shelves.context.fetch(FetchDescriptor(predicate: held)) == [books[0].author].compactMap(\.self))
        let outside = Author(name: "nobody")
        try shelves.expect(#Predicate { $0.author == outside }, is: "author == 0")
    }

    @Test func toMany() throws {
        let book = shelves.books[0]
        let row = book.persistentModelID.rowID
        try shelves.expect(
            #Predicate { $0.author?.books.contains { $0.pages > 300 } == true },
            is: "author != nil AND SUBQUERY(author.books, $x, $x.pages > 300).@count > 0")
        try shelves.expect(
            #Predicate { book in book.author?.books.contains { $0.pages > book.pages } ?? false },
            is: "author != nil AND SUBQUERY(author.books, $x, $x.pages > pages).@count > 0")
        try shelves.expect(
            #Predicate { $0.publisher?.books.allSatisfy { $0.author?.name == "Ada" } ?? false },
            is: "publisher != nil AND SUBQUERY(publisher.books, $x, $x.author.name != 'Ada').@count == 0")
        try shelves.expect(
            #Predicate { $0.author?.books.count == 4 }, is: "author != nil AND author.books.@count == 4")
        try shelves.expect(
            #Predicate { ($0.author?.books.filter { $0.isSigned }.count ?? 0) > 1 },
            is: "author != nil AND SUBQUERY(author.books, $x, $x.isSigned == TRUE).@count > 1")
        try shelves.expect(
            #Predicate { $0.author?.books.contains(book) == true },
            is: "author != nil AND SUBQUERY(author.books, $x, $x == \(row)).@count > 0")
        let idle = #Predicate<Author> { $0.books.isEmpty }
        #expect(try PredicateLowering.lower(idle).description == "books.@count == 0")
        #expect(try shelves.context.fetch(FetchDescriptor(predicate: idle)).map(\.name) == ["Zoe"])
    }

    @Test func predicatesInPredicates() throws {
        let long = #Predicate<Book> { $0.pages > 200 }
        let ada = #Predicate<Author> { $0.name == "Ada" }
        try shelves.expect(#Predicate { long.evaluate($0) && $0.isSigned }, is: "pages > 200 AND isSigned == TRUE")
        try shelves.expect(
            #Predicate { $0.author.flatMap { ada.evaluate($0) } ?? false }, is: "author != nil AND author.name == 'Ada'"
        )
        #expect(
            try PredicateLowering.lower(#Predicate<Author> { $0.books.contains { long.evaluate($0) } }).description
                == "SUBQUERY(books, $x, $x.pages > 200).@count > 0")
    }

    @Test func identifiersOfOtherStoresAreNoRows() throws {
        let id = try Shelves().books[0].persistentModelID
        let found = try shelves.context.fetch(
            FetchDescriptor<Book>(predicate: #Predicate { $0.persistentModelID == id }))
        #expect(found.isEmpty)
        #expect(try shelves.context.fetchCount(FetchDescriptor<Book>(predicate: #Predicate { $0.id != id })) == 9)
    }
}
