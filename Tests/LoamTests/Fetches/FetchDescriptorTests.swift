import Testing

@testable import Loam

@Suite("A fetch descriptor is run as it is written")
struct FetchDescriptorTests {
    let shelves: Shelves

    init() throws { shelves = try Shelves() }

    @Test func itPrintsWhatItFetches() {
        var descriptor = FetchDescriptor<Book>(
            predicate: #Predicate { $0.pages > 200 && $0.title.localizedStandardContains("e") },
            sortBy: [SortDescriptor(\.title, order: .reverse), SortDescriptor(\.pages)])
        descriptor.fetchLimit = 3
        descriptor.fetchOffset = 1
        #expect(
            "\(descriptor)"
                == "Book where pages > 200 AND title CONTAINS[cd] 'e' by title descending, pages from 1 limit 3")
        #expect(String(reflecting: FetchDescriptor<Author>()) == "FetchDescriptor(Author)")
    }

    @Test func orderLimitAndOffsetApplyToWhatMatches() throws {
        var descriptor = FetchDescriptor<Book>(
            predicate: #Predicate { $0.pages > 150 }, sortBy: [SortDescriptor(\.pages, order: .reverse)])
        descriptor.fetchLimit = 2
        descriptor.fetchOffset = 1
        let expected = shelves.books.map(\.pages).filter { $0 > 150 }.sorted(by: >)[1...2]
        #expect(try shelves.context.fetch(descriptor).map(\.pages) == Array(expected))
        #expect(try shelves.context.fetchCount(descriptor) == 2)
    }

    @Test func optionalAttributesSortWithNilFirst() throws {
        let found = try shelves.context.fetch(FetchDescriptor<Book>(sortBy: [SortDescriptor(\.rating)]))
        #expect(found.map(\.rating) == [nil, nil, nil, 0, 2, 3, 5, 6, 8])
    }

    @Test func negativeLimitsAreRefused() {
        var descriptor = FetchDescriptor<Book>()
        descriptor.fetchLimit = -1
        #expect(throws: SwiftDataError.unsupportedPredicate) { try shelves.context.fetch(descriptor) }
    }

    @Test func keysWithoutAnOrderAreRefused() {
        for key in [SortDescriptor(\Book.shout), SortDescriptor(\Book.title.utf8.count)] {
            let error = #expect(throws: SwiftDataError.self) {
                try shelves.context.fetch(FetchDescriptor<Book>(sortBy: [key]))
            }
            #expect(error == .unsupportedSortDescriptor)
        }
    }

    @Test func explainShowsThePredicate() throws {
        let fetch = FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 200 })
        let text = try shelves.context.explanation(of: fetch).description
        #expect(text.contains("pages > 200"))
    }

    @Test func anExplanationIsATreeInThreeLevels() throws {
        let fetch = FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 200 })
        let count = try shelves.context.fetchCount(fetch)
        for level in FetchExplanation.Level.allCases {
            let explanation = try shelves.context.explanation(of: fetch, level: level)
            #expect(explanation.level == level && explanation.root.kind == .rows)
            #expect(explanation.operators.contains { $0.kind == .table || $0.kind == .index })
            #expect((explanation.root.estimate == nil) == (level == .plan))
            #expect(explanation.total?.rowsOut == (level == .work ? count : nil))
            #expect(try JSONDecoder().decode(FetchExplanation.self, from: explanation.json) == explanation)
        }
    }

    @Test func anExplanationHasPendingChangesAsTheFetchHas() throws {
        try shelves.context.save()
        var fetch = FetchDescriptor<Book>(predicate: #Predicate { $0.pages > 200 })
        let stored = try shelves.context.fetchCount(fetch)
        shelves.books[0].pages = 1_000
        shelves.context.delete(shelves.books[8])
        shelves.context.insert(Book("Neu", pages: 300, genre: Genre.allCases[0], author: nil, publisher: nil))
        let count = try shelves.context.fetch(fetch).count
        #expect(count == stored + 1)
        let explanation = try shelves.context.explanation(of: fetch)
        #expect(explanation.total?.rowsOut == count)
        #expect(explanation.operators.contains { $0.kind == .pending })
        fetch.includePendingChanges = false
        let without = try shelves.context.explanation(of: fetch)
        #expect(without.total?.rowsOut == stored)
        #expect(!without.operators.contains { $0.kind == .pending })
    }
}
