import LoamQuery
import Testing

@testable import Loam

extension Book {
    fileprivate static let leaves = #Expression<Book, Int> { $0.pages / 2 }
}

/// Expressions alone, in predicates, and in fetches, where they stand for what they compute.
@Suite struct ExpressionTests {
    private let shelves: Shelves

    init() throws { shelves = try Shelves() }

    @Test func anExpressionIsEvaluatedAlone() throws {
        let book = shelves.books[1]
        #expect(try (#Expression<Book, Int> { $0.pages + 1 }).evaluate(book) == 138)
        #expect(try (#Expression<Book, Int> { _ in 3 }).evaluate(book) == 3)
        #expect(try (#Expression<Book, Double> { _ in 3 }).evaluate(book) == 3)
        #expect(try (#Expression<Int, Int> { $0 }).evaluate(4) == 4)
        #expect(try (#Expression<[Int], Bool> { $0.contains(4) }).evaluate([4]))
        #expect(try (#Expression<String?, Bool> { $0?.isEmpty ?? true }).evaluate(nil))
        let limit: Int? = 3
        // swift-format-ignore: NeverForceUnwrap
        #expect(try (#Expression<Book, Int> { $0.pages + limit! }).evaluate(book) == 140)
        let title: Expression<Book, String> = #Expression { $0.title }
        #expect(try title.evaluate(book) == "elan")
        let typed = #Expression { (book: Book) -> Int in book.pages / 2 }
        #expect(try typed.evaluate(book) == 68)
    }

    @Test func anOutputMayBeOptionalWhereTheValueIsNot() throws {
        let title = #Expression<Book, String?> { $0.title }
        let note = #Expression<Book, String?> { $0.isSigned ? $0.title : nil }
        let other = #Expression<Book, String?> { $0.isSigned ? nil : $0.title }
        let rated = #Expression<Book, Int?> { $0.rating == nil ? $0.pages : $0.rating }
        let best = #Expression<Book, String?> { $0.subtitle ?? $0.author?.name }
        #expect(try shelves.books.map(best.evaluate) == shelves.books.map { $0.subtitle ?? $0.author?.name })
        try shelves.expect(
            #Predicate { best.evaluate($0) == "Ada" },
            is: "(subtitle != nil AND subtitle == 'Ada') OR (subtitle == nil AND author.name == 'Ada')")
        #expect(try shelves.books.map(title.evaluate) == shelves.books.map(\.title))
        #expect(try shelves.books.map(note.evaluate) == shelves.books.map { $0.isSigned ? $0.title : nil })
        #expect(try shelves.books.map(other.evaluate) == shelves.books.map { $0.isSigned ? nil : $0.title })
        #expect(try shelves.books.map(rated.evaluate) == shelves.books.map { $0.rating ?? $0.pages })
        try shelves.expect(#Predicate { title.evaluate($0) == "Ice" }, is: "title == 'Ice'")
        try shelves.expect(
            #Predicate { note.evaluate($0) == "Ice" }, is: "isSigned == TRUE AND title == 'Ice'")
        try shelves.expect(
            #Predicate { rated.evaluate($0) == 4 },
            is: "(rating == nil AND pages == 4) OR (rating != nil AND rating == 4)")
    }

    @Test func aFetchPutsTheRowInThePlaceOfTheInput() throws {
        let leaves = #Expression<Book, Int> { $0.pages / 2 + 1 }
        let isLong = #Expression<Book, Bool> { $0.pages > 200 }
        let author = #Expression<Book, String?> { $0.author?.name }
        try shelves.expect(#Predicate { leaves.evaluate($0) > 100 }, is: "pages / 2 + 1 > 100")
        try shelves.expect(
            #Predicate { isLong.evaluate($0) && !isLong.evaluate($0) || $0.isSigned },
            is: "(pages > 200 AND NOT pages > 200) OR isSigned == TRUE")
        try shelves.expect(#Predicate { author.evaluate($0) == "Ada" }, is: "author.name == 'Ada'")
        try shelves.expect(
            #Predicate { author.evaluate($0)?.contains("d") == true },
            is: "author.name != nil AND author.name CONTAINS 'd'")
    }

    @Test func theInputMayBeAPropertyARelationshipOrACapturedValue() throws {
        let twice = #Expression<Int, Int> { $0 * 2 }
        let signed = #Expression<[Book], Int> { books in books.filter { $0.isSigned }.count }
        let length = #Expression<Author, Int> { $0.books.count }
        let least = try twice.evaluate(150)
        try shelves.expect(#Predicate { twice.evaluate($0.pages) > 300 }, is: "pages * 2 > 300")
        try shelves.expect(
            #Predicate { twice.evaluate($0.rating ?? 1) == 2 },
            is: "(rating != nil AND rating * 2 == 2) OR (rating == nil AND 1 * 2 == 2)")
        try shelves.expect(#Predicate { $0.pages > least }, is: "pages > 300")
        try shelves.expect(
            #Predicate { $0.author.flatMap { length.evaluate($0) } ?? 0 > 3 },
            is: "author != nil AND author.books.@count > 3")
        try shelves.expect(
            #Predicate { ($0.author.flatMap { signed.evaluate($0.books) } ?? 0) > 1 },
            is: "author != nil AND SUBQUERY(author.books, $x, $x.isSigned == TRUE).@count > 1")
        let productive = #Predicate<Author> { signed.evaluate($0.books) > 1 }
        #expect(
            try PredicateLowering.lower(productive).description
                == "SUBQUERY(books, $x, $x.isSigned == TRUE).@count > 1")
        let found = try shelves.context.fetch(FetchDescriptor(predicate: productive))
        #expect(try Set(found) == Set(shelves.authors.filter(productive.evaluate)) && !found.isEmpty)
    }

    @Test func aValueMayBeAListOfRelatedModels() throws {
        let signed = #Expression<Author, [Book]> { $0.books.filter { $0.isSigned } }
        let productive = #Predicate<Author> { signed.evaluate($0).count > 1 && !signed.evaluate($0).isEmpty }
        #expect(
            try PredicateLowering.lower(productive).description
                == "SUBQUERY(books, $x, $x.isSigned == TRUE).@count > 1 "
                + "AND SUBQUERY(books, $x, $x.isSigned == TRUE).@count != 0")
        let found = try shelves.context.fetch(FetchDescriptor(predicate: productive))
        #expect(try Set(found) == Set(shelves.authors.filter(productive.evaluate)) && !found.isEmpty)
    }

    @Test func expressionsOfATypeAreNamedThere() throws {
        try shelves.expect(#Predicate { Book.leaves.evaluate($0) > 100 }, is: "pages / 2 > 100")
        try shelves.expect(
            #Predicate { Book.leaves.evaluate($0) + Book.leaves.evaluate($0) == $0.pages },
            is: "pages / 2 + pages / 2 == pages")
    }

    @Test func expressionsAndPredicatesAreMadeOfEachOther() throws {
        let twice = #Expression<Int, Int> { $0 * 2 }
        let fourfold = #Expression<Int, Int> { twice.evaluate(twice.evaluate($0)) }
        let isLong = #Predicate<Book> { fourfold.evaluate($0.pages) > 800 }
        let both = #Expression<Book, Bool> { isLong.evaluate($0) && $0.isSigned }
        #expect(try fourfold.evaluate(3) == 12)
        try shelves.expect(#Predicate { isLong.evaluate($0) }, is: "pages * 2 * 2 > 800")
        try shelves.expect(#Predicate { both.evaluate($0) }, is: "pages * 2 * 2 > 800 AND isSigned == TRUE")
        let writers = #Predicate<Author> { author in author.books.contains { both.evaluate($0) } }
        let found = try shelves.context.fetch(FetchDescriptor(predicate: writers))
        #expect(try Set(found) == Set(shelves.authors.filter(writers.evaluate)) && !found.isEmpty)
    }

    @Test func theRowOutsideOfAClosureIsAnInputInside() throws {
        let hundreds = #Expression<Author, Int> { $0.books.count * 50 }
        let long = #Predicate<Author> { author in author.books.contains { $0.pages > hundreds.evaluate(author) } }
        #expect(
            try PredicateLowering.lower(long).description
                == "SUBQUERY(books, $x, $x.pages > books.@count * 50).@count > 0")
        let found = try shelves.context.fetch(FetchDescriptor(predicate: long))
        #expect(try Set(found) == Set(shelves.authors.filter(long.evaluate)) && !found.isEmpty)
    }

    @Test func modelsAreComparedByIdentifier() throws {
        let author = #Expression<Book, Author?> { $0.author }
        let ada = shelves.authors[0]
        let row = ada.persistentModelID.rowID
        try shelves.expect(#Predicate { author.evaluate($0) == ada }, is: "author == \(row)")
        try shelves.expect(#Predicate { author.evaluate($0) == nil }, is: "author == nil")
        try shelves.expect(
            #Predicate { author.evaluate($0)?.mentor == nil }, is: "author.mentor == nil")
    }

    @Test func aFetchComputesAnExpressionOfAnotherType() throws {
        let initial = #Expression<String, Character?> { $0.first }
        let titled = #Predicate<Book> { initial.evaluate($0.title) != nil }
        let found = try shelves.context.fetch(FetchDescriptor(predicate: titled))
        #expect(try Set(found) == Set(shelves.books.filter(titled.evaluate)) && !found.isEmpty)
    }

    @Test func whatAFetchCannotComputeIsNamed() throws {
        let later = #Expression<[String], [String]> { $0.filter { $0 > "a" } }
        let predicate = #Predicate<Book> { later.evaluate($0.tags) == ["b"] }
        #expect(try !predicate.evaluate(shelves.books[0]))
        let error = #expect(throws: SwiftDataError.self) {
            try shelves.context.fetch(FetchDescriptor(predicate: predicate))
        }
        #expect(error == .unsupportedPredicate)
    }
}
