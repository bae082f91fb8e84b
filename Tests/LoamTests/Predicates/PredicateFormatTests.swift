import Foundation
import LoamQuery
import Testing

@testable import Loam
@testable import RandomPredicates

@Suite("A predicate from Core Data's format is fetched like any other")
struct PredicateFormatTests {
    let shelves: Shelves

    init() throws { shelves = try Shelves() }

    /// The titles that a fetch finds, and that asking each book gives.
    private func titles(_ predicate: Foundation.Predicate<Book>) throws -> [String] {
        let context = ModelContext(shelves.context.container)
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.pages)]))
        let asked = try shelves.books.filter { try predicate.evaluate($0) }
        #expect(asked.map(\.title) == found.map(\.title), "\(FetchDescriptor(predicate: predicate))")
        return found.map(\.title)
    }

    @Test func argumentsTakeThePlacesOfPlaceholders() throws {
        let genre = Genre.poetry
        let day: Date? = shelves.books[3].published
        #expect(try titles(Predicate<Book>(format: "%K BEGINSWITH[cd] %@", "title", "the")) == ["The Sea", "The End"])
        #expect(try titles(Predicate<Book>(format: "pages > %d AND price < %f", 130, 25.0)) == ["elan", "The Sea"])
        #expect(try titles(Predicate<Book>(format: "genre == %@ AND published <= %@", genre, day)) == ["elan"])
        #expect(try titles(Predicate<Book>(format: "rating IN %@", [1, 2, nil])).count == 4)
        #expect(try titles(Predicate<Book>(format: "rating IN %@", Set([2, 3]))) == ["The Sea", "Sea of Ice"])
        #expect(try titles(Predicate<Book>(format: "pages BETWEEN %@", 100...140)) == ["Élan", "elan"])
        #expect(try titles(Predicate<Book>(format: "rating IN %@", ["a": 2, "b": 3])) == ["The Sea", "Sea of Ice"])
        #expect(try titles(Predicate<Book>(format: "subtitle == %@ AND rating != %@", nil, nil)).count == 4)
        #expect(try titles(Predicate<Book>(format: "code == %@", shelves.books[1].code)) == ["elan"])
        #expect(try titles(Predicate<Book>(format: "tags CONTAINS 'prose' AND isSigned == YES")).count == 2)
        #expect(try titles(Predicate<Book>(format: "TRUEPREDICATE")).count == 9)
        let none: [Any?] = []
        #expect(try titles(Predicate<Book>(format: "shelf.number > 5", argumentArray: none)).count == 1)
    }

    @Test func modelsAndIdentifiersAreRows() throws {
        let (ada, orn) = (shelves.authors[0], shelves.authors[1])
        let byAda = try titles(Predicate<Book>(format: "author == %@", ada))
        #expect(byAda == shelves.books.filter { $0.author === ada }.map(\.title) && !byAda.isEmpty)
        #expect(try titles(Predicate<Book>(format: "author == %@", ada.persistentModelID)) == byAda)
        #expect(try titles(Predicate<Book>(format: "author.mentor == %@", ada)).count == 2)
        #expect(try titles(Predicate<Book>(format: "author IN %@", [ada, orn])).count == 7)
        let ids = shelves.books.prefix(2).map(\.persistentModelID)
        #expect(try titles(Predicate<Book>(format: "SELF IN %@", ids)) == ["Élan", "elan"])
        // An identifier of another store is no row of this one, whatever its number.
        let other = try Shelves()
        #expect(try titles(Predicate<Book>(format: "author == %@", other.authors[0])).isEmpty)
        #expect(try titles(Predicate<Book>(format: "author == %@", Author(name: "new"))).isEmpty)
    }

    @Test func variablesAreGivenValues() throws {
        let template = try Predicate<Book>(format: "%K BEGINSWITH[cd] $query AND pages > $least", "title")
        for (query, least, expected) in [("the", 0, ["The Sea", "The End"]), ("ELAN", 110, ["elan"])] {
            let predicate = try template.withSubstitutionVariables(["query": query, "least": least, "spare": 1])
            #expect(try titles(predicate) == expected)
        }
        let half = try template.withSubstitutionVariables(["query": "the"])
        #expect(try titles(half.withSubstitutionVariables(["least": 200])) == ["The End"])
        let error = #expect(throws: SwiftDataError.self) { try titles(half) }
        #expect(error == .unsupportedPredicate && error?.detail.contains("$least") == true)
        let author = shelves.authors[1]
        let rows = try Predicate<Book>(format: "author == $author OR author IN $authors")
        let found = try titles(rows.withSubstitutionVariables(["author": author, "authors": [author]]))
        #expect(found == shelves.books.filter { $0.author === author }.map(\.title))
        let range = try Predicate<Book>(format: "pages BETWEEN $range").withSubstitutionVariables(["range": [100, 140]])
        #expect(try titles(range) == ["Élan", "elan"])
    }

    @Test func predicatesAreJoined() throws {
        let long = #Predicate<Book> { $0.pages > 300 }
        let the = try Predicate<Book>(format: "title BEGINSWITH $text")
        let bound = try Predicate(all: [long, the]).withSubstitutionVariables(["text": "The"])
        #expect(try titles(bound) == ["The End"])
        let either = try Predicate(any: [long, Predicate(not: the)]).withSubstitutionVariables(["text": "The"])
        #expect(try titles(either).count == 8)
        #expect(try titles(Predicate<Book>(all: [])).count == 9 && titles(Predicate<Book>(any: [])).isEmpty)
        #expect(try titles(Predicate(not: long)).count == 6)
    }

    @Test func formatsAreAskedInsideOtherPredicates() throws {
        let long = try Predicate<Book>(
            format: "pages > 200 AND SUBQUERY(author.books, $b, $b.pages > pages).@count > 0")
        let big = #Predicate<Book> { long.evaluate($0) && $0.title != "" }
        #expect(try !titles(big).isEmpty)
        let context = ModelContext(shelves.context.container)
        let writers = #Predicate<Author> { author in
            author.books.contains { book in long.evaluate(book) && book.title != author.name }
        }
        let found = try context.fetch(FetchDescriptor(predicate: writers))
        let expected = try shelves.authors.filter { author in
            try author.books.contains { try long.evaluate($0) && $0.title != author.name }
        }
        #expect(Set(found.map(\.name)) == Set(expected.map(\.name)) && !expected.isEmpty)
        let named = try Predicate<Author>(format: "name BEGINSWITH 'A' OR ANY books.pages > 350")
        let byNamed = #Predicate<Book> { book in
            book.author.flatMap { named.evaluate($0) } == true
        }
        let books = try context.fetch(FetchDescriptor(predicate: byNamed))
        let asked = try shelves.books.filter { try $0.author.map { try named.evaluate($0) } == true }
        #expect(Set(books.map(\.title)) == Set(asked.map(\.title)) && !asked.isEmpty)
    }

    @Test func whatDoesNotFitIsRefusedWhereItStands() throws {
        for (format, arguments, word) in [
            ("pages >", [], "character 8"), ("pages ? 5", [], "character 7"),
            ("pages > %d", ["x"], "a whole number for %d"),
            ("pages > %d", [], "1 placeholders"), ("title == %@", [Mirror(reflecting: 1)], "No argument"),
        ] as [(String, [Any?], String)] {
            let error = #expect(throws: SwiftDataError.self) {
                try Predicate<Book>(format: format, argumentArray: arguments)
            }
            #expect(
                error == .unsupportedPredicate && error?.detail.contains(word) == true, "\(String(describing: error))")
        }
        let unknown = #expect(throws: SwiftDataError.self) {
            try shelves.context.fetch(FetchDescriptor(predicate: Predicate<Book>(format: "titel == 'x'")))
        }
        #expect(unknown == .unsupportedKeyPath && unknown?.detail.contains("Did you mean title?") == true)
        #expect(throws: SwiftDataError.unsupportedPredicate) { try Predicate<Int>(format: "SELF == 5") }
        #expect(throws: SwiftDataError.missingModelContext) {
            try Predicate<Author>(format: "name == 'x'").evaluate(Author(name: "x"))
        }
    }

    @Test func aModelIsAskedWithItsUnsavedChanges() throws {
        let context = ModelContext(shelves.context.container)
        let book = try #require(try context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.pages)])).first)
        let long = try Predicate<Book>(format: "pages > 5000")
        #expect(try !long.evaluate(book))
        book.pages = 6000
        #expect(try long.evaluate(book))
        let new = Book("new", pages: 7000)
        context.insert(new)
        #expect(try long.evaluate(new))
    }

    @Test func bothLanguagesHaveOneFormat() throws {
        let least = 150
        #expect(try #Predicate<Book> { $0.pages > least }.predicateFormat == "pages > CAST(150, 'int64')")
        #expect(try Predicate<Book>(format: "pages>150||title ='x'").predicateFormat == "pages > 150 OR title == 'x'")
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try #Predicate<Book> { $0.shout == "a" }.predicateFormat }
    }

    /// What random predicates come to prints as a format that is read as the same tree, and finds the same.
    @Test func randomPredicatesHaveAFormat() throws {
        var school = try School(seed: 11)
        for _ in 0..<40 { try school.change() }
        try school.context.save()
        let pupils = try school.context.fetchIdentifiers(FetchDescriptor<Pupil>())
        let courses = try school.context.fetchIdentifiers(FetchDescriptor<Course>())
        for seed in 0..<300 as Range<UInt64> {
            var random = RandomPredicate(random: ChoiceSequence(seed: 900 + seed), pupils: pupils, courses: courses)
            let predicate = random.predicate()
            let lowered = try PredicateLowering.lower(predicate)
            #expect(try PredicateParser.parse(lowered.format) == lowered, "seed \(seed): \(lowered.format)")
            let again = try Predicate<Pupil>(format: predicate.predicateFormat)
            let (found, expected) = (FetchDescriptor(predicate: again), FetchDescriptor(predicate: predicate))
            #expect(
                try school.context.fetchIdentifiers(found) == school.context.fetchIdentifiers(expected), "seed \(seed)")
        }
    }
}
