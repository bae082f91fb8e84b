import LoamQuery
import Testing

@testable import Loam

/// Counts how often a value is asked for.
private final class Counter {
    var count = 0

    func value(_ value: Int) -> Int {
        count += 1
        return value
    }
}

/// Statements of a predicate's closure are fetched as what they mean together, and are evaluated alike.
@Suite("Statements in the closure of a predicate")
struct StatementPredicateTests {
    private let shelves: Shelves

    init() throws { shelves = try Shelves() }

    private func expectSame(
        _ predicate: Predicate<Author>, _ isWanted: (Author) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = try ModelContext(shelves.context.container).fetch(FetchDescriptor<Author>(predicate: predicate))
        let expected = shelves.authors.filter(isWanted)
        #expect(Set(found.map(\.name)) == Set(expected.map(\.name)), sourceLocation: sourceLocation)
        #expect(try shelves.authors.filter(predicate.evaluate) == expected, sourceLocation: sourceLocation)
        #expect(!found.isEmpty && found.count < shelves.authors.count, sourceLocation: sourceLocation)
    }

    @Test("A let is a name for its value")
    func names() throws {
        try shelves.expect(
            #Predicate { book in
                let isShort = book.pages < 300
                let title = book.title.lowercased()
                return isShort && title.hasPrefix("e")
            }, is: "pages < 300 AND lowercase(title) BEGINSWITH 'e'")
        try shelves.expect(
            #Predicate { book in
                let half = book.pages / 2, third = book.pages / 3
                let sum = half + third
                return sum > 200 && sum < 300
            }, is: "pages / 2 + pages / 3 > 200 AND pages / 2 + pages / 3 < 300")
        try shelves.expect(
            #Predicate { book in
                let author = book.author
                let mentor = author?.mentor
                return mentor?.name == "Ada" || author == nil
            }, is: "author.mentor.name == 'Ada' OR author == nil")
        try shelves.expect(
            #Predicate {
                let same = $0
                let shelf = same.shelf
                return shelf.number > 3 && shelf.note != nil
            }, is: "shelf.number > 3 AND shelf.note != nil")
    }

    @Test("A captured value is captured once, whatever is made of it")
    func captures() throws {
        let counter = Counter()
        try shelves.expect(
            #Predicate { book in
                let limit = counter.value(200)
                let wider = max(limit, 150) + 1
                return book.pages < limit || book.pages < wider + limit && book.isSigned
            }, is: "pages < 200 OR (pages < 401 AND isSigned == TRUE)")
        #expect(counter.count == 1)
        let offsets = [100, 37]
        try shelves.expect(
            #Predicate { book in
                let base = offsets[0]
                let sum = offsets.reduce(base) { $0 + $1 }
                return book.pages == sum || book.pages == base
            }, is: "pages == 237 OR pages == 100")
        let mode: Int? = 2
        try shelves.expect(
            #Predicate { book in
                let least = if mode == 2 { 200 } else { 100 }
                let most =
                    switch mode {
                    case nil: 100
                    case let mode?: mode * 200
                    }
                return book.pages > least && book.pages < most
            }, is: "pages > 200 AND pages < 400")
    }

    @Test("A written type is the type of the value")
    func types() throws {
        let ten = 10.0
        try shelves.expect(
            #Predicate { book in
                let least: Double = 20
                let none: Int? = nil
                let genre: Genre = book.isSigned ? .novel : .poetry
                let title: String? = book.title
                let rating: Int? = book.rating
                return book.price > least + ten && book.genre == genre && title != nil && rating != none
            },
            is: "price > CAST(30.0, 'double') AND ((isSigned == TRUE AND genre == 'novel') OR "
                + "(isSigned != TRUE AND genre == 'poetry')) AND title != nil AND rating != nil")
    }

    @Test("A name is seen where Swift sees it, and hides what it hides there")
    func shadowing() throws {
        let pages = 3
        let title = "Ice"
        try shelves.expect(
            #Predicate { book in
                let pages = pages * 100
                if book.pages > pages {
                    let pages = book.pages - pages
                    return pages < 50
                } else {
                    let title = title + ""
                    let _row1 = book.title == title, _let1 = pages
                    return _row1 && book.pages < _let1
                }
            }, is: "(pages > 300 AND pages - 300 < 50) OR (NOT pages > 300 AND title == 'Ice' AND pages < 300)")
        let words = ["Ice", "ore"]
        try shelves.expect(
            #Predicate { book in
                let title = book.title
                let word = words.first { title in title == "ore" } ?? ""
                return title == word
            }, is: "title == 'ore'")
        try expectSame(
            #Predicate { author in
                let name = author.name
                let book = "Élan"
                return author.books.contains { author in
                    let title = author.title
                    let book = title == book
                    return book && name == "Ada"
                }
            }, { $0.name == "Ada" && $0.books.contains { $0.title == "Élan" } })
    }

    @Test("Early returns choose")
    func earlyReturns() throws {
        try shelves.expect(
            #Predicate { book in
                if book.isSigned { return book.pages > 200 }
                return book.pages < 200
            }, is: "(isSigned == TRUE AND pages > 200) OR (isSigned != TRUE AND pages < 200)")
        try shelves.expect(
            #Predicate { book in
                guard book.pages > 150, !book.isSigned else { return false }
                return book.rating != nil
            }, is: "pages > 150 AND isSigned != TRUE AND rating != nil")
        try shelves.expect(
            #Predicate { book in
                if book.isSigned {
                    if book.pages > 300 { return true }
                } else if book.pages < 200 {
                    return false
                }
                let rating = book.rating ?? 0
                return rating > 2
            },
            is: "(isSigned == TRUE AND pages > 300) OR (isSigned == TRUE AND NOT pages > 300 AND "
                + "rating != nil AND rating > 2) OR (isSigned != TRUE AND NOT pages < 200 AND rating "
                + "!= nil AND rating > 2)")
        try shelves.expect(
            #Predicate { book in
                let signed = book.isSigned
                if signed {
                    let least = 200
                    return book.pages > least
                } else {
                    let least = 300
                    return book.pages > least
                }
            }, is: "(isSigned == TRUE AND pages > 200) OR (isSigned != TRUE AND pages > 300)")
    }

    @Test("If let and guard let, beside each other and beside other conditions")
    func optionalBindings() throws {
        try shelves.expect(
            #Predicate { if let rating = $0.rating { rating > 3 } else { $0.pages < 200 } },
            is: "(rating != nil AND rating > 3) OR (rating == nil AND pages < 200)")
        try shelves.expect(
            #Predicate { book in
                if let rating = book.rating, rating > 2, let author = book.author, author.name == "Ada" {
                    return book.pages > rating * 50
                }
                return book.subtitle == nil
            },
            is: "(rating != nil AND rating > 2 AND author != nil AND author.name == 'Ada' AND pages "
                + "> rating * 50) OR (NOT (rating != nil AND rating > 2 AND author != nil AND "
                + "author.name == 'Ada') AND subtitle == nil)")
        try shelves.expect(
            #Predicate { book in
                let note = book.shelf.note
                guard let note, let lent = book.isLent else { return book.rating == nil }
                return note == "note 1" || lent
            },
            is: "(shelf.note != nil AND isLent != nil AND (shelf.note == 'note 1' OR isLent == "
                + "TRUE)) OR (NOT (shelf.note != nil AND isLent != nil) AND rating == nil)")
        try shelves.expect(
            #Predicate { book in
                guard let publisher = book.publisher else { return false }
                let town = publisher.town
                guard let town: String = town else { return true }
                return town.hasPrefix("Leip") && publisher.books.count > 1
            },
            is: "(publisher != nil AND publisher.town != nil AND publisher.town BEGINSWITH 'Leip' "
                + "AND publisher.books.@count > 1) OR (publisher != nil AND publisher.town == nil)")
        // The first value may be nil itself.
        let note = #Expression<Book, String?> { book in
            if let author = book.author { return author.mentor?.name }
            return "nobody"
        }
        #expect(
            try shelves.books.map(note.evaluate)
                == shelves.books.map { $0.author == nil ? "nobody" : $0.author?.mentor?.name })
        try shelves.expect(
            #Predicate { note.evaluate($0) == nil },
            is: "author != nil AND author.mentor.name == nil")
    }

    @Test("Captured optionals are asked where they have a value", arguments: [nil, 200])
    func capturedOptionals(limit: Int?) throws {
        try shelves.expect(
            #Predicate { book in
                guard let limit else { return book.isSigned }
                return book.pages < limit && book.pages > min(limit, 150) - 40
            },
            is: limit == nil
                ? "isSigned == TRUE"
                : "pages < 200 AND pages > 110")
        try shelves.expect(
            #Predicate { book in
                if limit == nil { return book.isSigned }
                // swift-format-ignore: NeverForceUnwrap
                let least = limit! - 50
                return book.pages > least && book.pages < max(least, 3) * 2
            },
            is: limit == nil
                ? "isSigned == TRUE"
                : "pages > 150 AND pages < 300")
        let names = limit.map { _ in ["a": "Ada"] } ?? [:]
        let key = "a"
        try shelves.expect(
            #Predicate { book in
                if let name = names[key], let author = book.author { return author.name == name }
                return book.pages > 200
            },
            is: limit == nil
                ? "pages > 200"
                : "(author != nil AND author.name == 'Ada') OR (author == nil AND pages > 200)")
        let author = limit.map { _ in shelves.authors[0] }
        let row = shelves.authors[0].persistentModelID.rowID
        try shelves.expect(
            #Predicate { book in
                guard let author else { return book.author == nil }
                return book.author == author || book.author != author && book.pages > 250
            },
            is: limit == nil
                ? "author == nil"
                : "author == \(row) OR (author != \(row) AND pages > 250)")
    }

    @Test("Closures inside have statements of their own")
    func closures() throws {
        try expectSame(
            #Predicate { author in
                let long = 250
                let isAda = author.name == "Ada"
                return author.books.contains {
                    let pages = $0.pages
                    guard let rating = $0.rating else { return pages > long }
                    return isAda && rating > 5
                }
            },
            { author in
                author.books.contains { ($0.rating.map { author.name == "Ada" && $0 > 5 }) ?? ($0.pages > 250) }
            })
        try expectSame(
            #Predicate { author in
                let signed = author.books.filter {
                    let isSigned = $0.isSigned
                    return isSigned
                }
                return signed.count > 2 || signed.isEmpty && author.name == "?"
            }, { $0.books.filter(\.isSigned).count > 2 })
    }

    @Test("An expression may have statements, too")
    func expressions() throws {
        let size = #Expression<Book, Int> { book in
            let pages = book.pages
            guard book.isSigned else { return pages / 2 }
            if let rating = book.rating { return pages + rating }
            return 0
        }
        let expected = shelves.books.map { book in
            book.isSigned ? book.rating.map { book.pages + $0 } ?? 0 : book.pages / 2
        }
        #expect(try shelves.books.map(size.evaluate) == expected)
        try shelves.expect(
            #Predicate { size.evaluate($0) > 150 },
            is: "(isSigned == TRUE AND rating != nil AND pages + rating > 150) OR (isSigned != TRUE "
                + "AND pages / 2 > 150)")
    }
}
