import Testing

@testable import LoamUI

@Suite("Queries with the storage of a view") @MainActor
struct QueryTests {
    let container: ModelContainer
    var place: PropertyPlace { PropertyPlace(container.mainContext) }

    init() throws { container = try makeTowns() }

    /// Declarations as people write them.
    @MainActor struct Declared {
        @Query var all: [Town]
        @Query(sort: \.name) var sorted: [Town]
        @Query(sort: \.founded, order: .reverse, animation: .default) var byDate: [Town]
        @Query(.large) var large: [Town]
        @Query(filter: #Predicate { $0.people < 5 }, sort: \.people, order: .reverse) var small: [Town]
        @Query(filter: #Predicate<Town> { $0.people < 5 }, sort: [SortDescriptor(\.name)]) var named: [Town]
        @Query(sort: \Town.name, transaction: Transaction()) var lazy: FetchResultsCollection<Town>
        @Query(sort: \.name, sectionBy: \.land) var sections: SectionedResults<Town, String>

        /// As the host has it before its body.
        func mounted(in context: ModelContext) -> Self {
            var view = self
            view._all.mount(in: PropertyPlace(context))
            view._sorted.mount(in: PropertyPlace(context))
            view._byDate.mount(in: PropertyPlace(context))
            view._large.mount(in: PropertyPlace(context))
            view._small.mount(in: PropertyPlace(context))
            view._named.mount(in: PropertyPlace(context))
            view._lazy.mount(in: PropertyPlace(context))
            view._sections.mount(in: PropertyPlace(context))
            return view
        }
    }

    @Test("Every form of a query gives its models") func queries() {
        let declared = Declared().mounted(in: container.mainContext)
        #expect(declared.all.count == 1000)
        #expect(declared.sorted.first?.name == "00000")
        #expect(declared.byDate.count == 1000)
        #expect(declared.large.count == 500)
        #expect(declared.small.map(\.people) == [4, 3, 2, 1, 0])
        #expect(declared.named.map(\.people) == [0, 1, 2, 3, 4])
        #expect(declared.lazy.count == 1000)
        #expect(declared.sections.sectionTitles == ["A", "B"])
    }

    @Test("A query that is made again keeps its storage, and fetches where it asks for something else")
    func remaking() {
        let place = place
        func query(_ least: Int) -> Query<Town, [Town]> {
            Query(filter: #Predicate<Town> { $0.people >= least }, sort: \Town.name).mounted(in: place)
        }
        for _ in 0..<100 { #expect(query(998).wrappedValue.count == 2) }
        #expect(query(998).request.fetchCount == 1)
        #expect(query(997).wrappedValue.count == 3)
        #expect(query(997).request.fetchCount == 2)
    }

    @Test("Predicate, order and limit are set through the projected value") func binding() {
        let query = Query<Town, [Town]>(sort: \Town.name).mounted(in: place)
        query.projectedValue.predicate.wrappedValue = #Predicate { $0.people < 10 }
        query.projectedValue.sortBy.wrappedValue = [SortDescriptor(\.people, order: .reverse)]
        query.projectedValue.fetchLimit.wrappedValue = 2
        #expect(query.wrappedValue.map(\.people) == [9, 8] && query.request.fetchCount == 2)
    }

    @Test("Without a container there are no rows and an error") func noContainer() {
        let query = Query<Town, [Town]>(sort: \Town.name).mounted(in: PropertyPlace(nil))
        #expect(query.wrappedValue.isEmpty)
        #expect((query.fetchError as? SwiftDataError) == .missingModelContext)
        let request = FetchRequest<Town>().mounted(in: PropertyPlace(nil))
        #expect(request.wrappedValue.isEmpty && request.fetchError is SwiftDataError)
    }

    @Test("A hundred queries of one shape are followed together") func manyQueries() async throws {
        let queries = (0..<100).map { number in
            let (least, end) = (number * 10, number * 10 + 10)
            return Query<Town, [Town]>(filter: #Predicate { $0.people >= least && $0.people < end }, sort: \.people)
                .mounted(in: place)
        }
        #expect(queries.allSatisfy { $0.wrappedValue.count == 10 })
        let town = try #require(queries[7].wrappedValue.first)
        var differences = queries[7].request.makeDifferences().makeAsyncIterator()
        container.mainContext.delete(town)
        _ = await differences.next()
        #expect(queries.map { $0.wrappedValue.count }.filter { $0 != 10 } == [9])
    }
}
