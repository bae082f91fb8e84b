import LoamQuery
import Testing

@testable import Loam

@Suite("A predicate of a row's own values is fetched as Foundation evaluates it")
struct PredicateLoweringTests {
    let shelves: Shelves

    init() throws { shelves = try Shelves() }

    @Test func comparisons() throws {
        let least = 150
        try shelves.expect(#Predicate { $0.pages > least }, is: "pages > 150")
        try shelves.expect(
            #Predicate { $0.pages <= 150 && $0.price >= 15 }, is: "pages <= 150 AND price >= CAST(15.0, 'double')")
        try shelves.expect(
            #Predicate { $0.title == "Ice" || !($0.title != "Öre") }, is: "title == 'Ice' OR title == 'Öre'")
        try shelves.expect(#Predicate { !($0.pages < 200) }, is: "NOT pages < 200")
        try shelves.expect(#Predicate { 200 < $0.pages }, is: "200 < pages")
        try shelves.expect(#Predicate { _ in true }, is: "TRUEPREDICATE")
    }

    @Test func constantsOfEveryType() throws {
        let book = shelves.books[3]
        let (day, code, genre, shelf) = (book.published, book.code, book.genre, book.shelf.room)
        let data: Data? = Data([1, 2])
        let link = URL(string: "https://example.org")
        try shelves.expect(#Predicate { $0.published < day }, is: "published < '2001-07-31T00:00:00Z'")
        try shelves.expect(#Predicate { $0.code == code }, is: "code == '\(code.uuidString)'")
        try shelves.expect(#Predicate { $0.genre == genre }, is: "genre == 'novel'")
        try shelves.expect(#Predicate { $0.genre == .poetry }, is: "genre == 'poetry'")
        try shelves.expect(#Predicate { $0.genre == Genre.poetry }, is: "genre == 'poetry'")
        try shelves.expect(#Predicate { $0.genre.rawValue == "poetry" }, is: "genre == 'poetry'")
        try shelves.expect(
            #Predicate { $0.shelf.room == shelf && $0.shelf.number > 2 }, is: "shelf.room == 'S' AND shelf.number > 2")
        try shelves.expect(#Predicate { $0.cover == data }, is: "cover == CAST('AQI=', 'data')")
        try shelves.expect(#Predicate { $0.link == link }, is: "link == 'https://example.org'")
    }

    @Test func booleans() throws {
        try shelves.expect(#Predicate { $0.isSigned }, is: "isSigned == TRUE")
        try shelves.expect(#Predicate { !$0.isSigned }, is: "isSigned != TRUE")
        try shelves.expect(#Predicate { $0.isSigned == false }, is: "isSigned == FALSE")
        try shelves.expect(#Predicate { $0.isLent == true }, is: "isLent == TRUE")
        try shelves.expect(#Predicate { $0.isLent ?? true }, is: "(isLent != nil AND isLent == TRUE) OR isLent == nil")
        try shelves.expect(
            #Predicate { ($0.pages > 200) == $0.isSigned },
            is: "(pages > 200 AND isSigned == TRUE) OR (NOT pages > 200 AND isSigned == FALSE)")
        try shelves.expect(#Predicate { ($0.pages > 200) == false }, is: "NOT pages > 200")
    }

    @Test func arithmetic() throws {
        try shelves.expect(#Predicate { $0.pages * 2 + 1 > 500 }, is: "pages * 2 + 1 > 500")
        try shelves.expect(
            #Predicate { -$0.price / 2 < -10.5 }, is: "-price / CAST(2.0, 'double') < CAST(-10.5, 'double')")
        try shelves.expect(#Predicate { ($0.pages - 100) / 37 == 3 }, is: "(pages - 100) / 37 == 3")
    }

    @Test func functions() throws {
        let title = "SEA OF ICE"
        try shelves.expect(#Predicate { $0.pages % 2 == 1 }, is: "modulus:by:(pages, 2) == 1")
        try shelves.expect(
            #Predicate { ($0.rating ?? 7) % 4 + 1 == -$0.pages % 3 },
            is: "(rating != nil AND modulus:by:(rating, 4) + 1 == modulus:by:(-pages, 3)) OR "
                + "(rating == nil AND modulus:by:(7, 4) + 1 == modulus:by:(-pages, 3))")
        try shelves.expect(
            #Predicate { $0.title.lowercased() == title.lowercased() }, is: "lowercase(title) == 'sea of ice'")
        try shelves.expect(
            #Predicate { $0.subtitle?.lowercased() == "elan" || $0.author?.name.lowercased() == "ada" },
            is: "lowercase(subtitle) == 'elan' OR lowercase(author.name) == 'ada'")
        try shelves.expect(
            #Predicate { $0.title.lowercased().contains("sea") }, is: "lowercase(title) CONTAINS 'sea'")
    }

    @Test func text() throws {
        let part = "ea"
        try shelves.expect(#Predicate { $0.title.contains(part) }, is: "title CONTAINS 'ea'")
        try shelves.expect(#Predicate { $0.title.starts(with: "The") }, is: "title BEGINSWITH 'The'")
        try shelves.expect(#Predicate { $0.title.localizedStandardContains("ela") }, is: "title CONTAINS[cd] 'ela'")
        try shelves.expect(#Predicate { $0.title.localizedStandardContains("") }, is: "title CONTAINS[cd] ''")
        try shelves.expect(#Predicate { $0.title.localizedStandardStarts(with: "") }, is: "title BEGINSWITH[cd] ''")
        try shelves.expect(#Predicate { $0.title.contains("") }, is: "title CONTAINS ''")
        try shelves.expect(#Predicate { $0.title.localizedStandardStarts(with: "OR") }, is: "title BEGINSWITH[cd] 'OR'")
        try shelves.expect(#Predicate { $0.title.isEmpty }, is: "title == ''")
        try shelves.expect(
            #Predicate { $0.subtitle?.starts(with: "I") == true }, is: "subtitle != nil AND subtitle BEGINSWITH 'I'")
        try shelves.expect(#Predicate { "The End".contains($0.title) }, is: "'The End' CONTAINS title")
    }

    @Test func optionals() throws {
        let three: Int? = 3
        let none: String? = nil
        try shelves.expect(#Predicate { $0.subtitle == nil }, is: "subtitle == nil")
        try shelves.expect(#Predicate { $0.subtitle != nil }, is: "subtitle != nil")
        try shelves.expect(#Predicate { $0.rating == three }, is: "rating == 3")
        try shelves.expect(#Predicate { $0.rating == 3 }, is: "rating == 3")
        try shelves.expect(#Predicate { $0.title == none }, is: "title == nil")
        try shelves.expect(#Predicate { $0.subtitle == $0.title }, is: "subtitle == title")
        try shelves.expect(
            #Predicate { ($0.rating ?? 0) > 4 }, is: "rating != nil AND rating > 4")
        try shelves.expect(
            #Predicate { if let rating = $0.rating { rating > 4 } else { $0.isSigned } },
            is: "(rating != nil AND rating > 4) OR (rating == nil AND isSigned == TRUE)")
        try shelves.expect(#Predicate { $0.rating.flatMap { $0 > 4 } ?? false }, is: "rating != nil AND rating > 4")
        try shelves.expect(#Predicate { $0.shelf.note?.isEmpty == false }, is: "shelf.note != nil AND shelf.note != ''")
        try shelves.expect(
            #Predicate { ($0.isSigned ? $0.pages : 5) > 200 },
            is: "isSigned == TRUE AND pages > 200")
        #expect(
            try PredicateLowering.lower(#Predicate<Book> { $0.rating! > 4 }).description
                == "rating > 4")
    }

    @Test func collections() throws {
        let titles = ["Ice", "elan"]
        let ratings: Set<Int?> = [3, nil]
        let range = 100...200
        try shelves.expect(#Predicate { titles.contains($0.title) }, is: "title IN {'Ice', 'elan'}")
        try shelves.expect(#Predicate { ratings.contains($0.rating) && $0.pages > 0 }, is: try text(ratings))
        try shelves.expect(
            #Predicate { [Genre.novel, .poetry].contains($0.genre) }, is: "genre IN {'novel', 'poetry'}")
        try shelves.expect(#Predicate { $0.tags.contains("prose") }, is: "'prose' IN tags")
        try shelves.expect(#Predicate { range.contains($0.pages) }, is: "pages BETWEEN {100, 200}")
        try shelves.expect(#Predicate { (100..<174).contains($0.pages) }, is: "pages >= 100 AND pages < 174")
        try shelves.expect(#Predicate { (150...).contains($0.pages) }, is: "pages >= 150")
        try shelves.expect(#Predicate { ($0.pages - 1...400).contains($0.pages) }, is: "pages BETWEEN {pages - 1, 400}")
        try shelves.expect(
            #Predicate { book in titles.contains { book.title.starts(with: $0) } },
            is: "title BEGINSWITH 'Ice' OR title BEGINSWITH 'elan'")
        try shelves.expect(
            #Predicate { book in titles.allSatisfy { $0 != book.title } }, is: "'Ice' != title AND 'elan' != title")
        let empty: [String] = []
        try shelves.expect(#Predicate { empty.contains($0.title) }, is: "FALSEPREDICATE")
    }

    /// The predicate's text, for a set whose elements come in any order.
    private func text(_ ratings: Set<Int?>) throws -> String {
        "rating IN {\(ratings.map { $0.map(String.init) ?? "nil" }.joined(separator: ", "))} AND pages > 0"
    }
}
