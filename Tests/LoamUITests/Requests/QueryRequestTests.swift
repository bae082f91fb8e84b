import Observation
import Testing

@testable import LoamUI

@Suite("Requests without a host") @MainActor
struct QueryRequestTests {
    let container: ModelContainer
    var context: ModelContext { container.mainContext }

    init() throws { container = try makeTowns() }

    private func above(_ people: Int, limit: Int? = nil) -> FetchDescriptor<Town> {
        var descriptor = FetchDescriptor<Town>(
            predicate: #Predicate { $0.people >= people }, sortBy: [SortDescriptor(\.name)])
        descriptor.fetchLimit = limit
        return descriptor
    }

    @Test("Fetches with the first update, and not before") func opens() {
        let request = QueryRequest<[Town]>(above(990))
        #expect(request.result.isEmpty && request.fetchCount == 0 && request.fetchError == nil)
        request.update(in: context)
        #expect(request.result.map(\.people) == Array(990..<1000))
        #expect(request.fetchCount == 1)
    }

    @Test("A request that asks for the same keeps its result without a fetch")
    func equalRequests() {
        let request = QueryRequest<[Town]>(above(990))
        for _ in 0..<1000 { request.update(to: above(990), in: context) }
        #expect(request.fetchCount == 1 && request.result.count == 10)
        request.update(to: above(991), in: context)
        #expect(request.fetchCount == 2 && request.result.count == 9)
        request.update(to: above(991, limit: 2), in: context)
        #expect(request.fetchCount == 3 && request.result.map(\.people) == [991, 992])
    }

    @Test("Another request leads on in one difference, in the same turn")
    func oneDifference() async {
        let request = QueryRequest<FetchResultsCollection<Town>>(above(990))
        request.update(in: context)
        var differences = request.makeDifferences().makeAsyncIterator()
        request.update(to: above(995, limit: 3), in: context)
        #expect(request.result.map(\.people) == [995, 996, 997])
        let difference = await differences.next()
        #expect(difference?.deletions.count == 7 && difference?.insertions.isEmpty == true)
    }

    @Test("What is set in place stays until another request is passed, and several settings are one fetch")
    func settingInPlace() {
        let request = QueryRequest<[Town]>(above(990))
        request.update(in: context)
        request.descriptor.predicate = #Predicate { $0.people < 5 }
        request.descriptor.sortBy = [SortDescriptor(\.people, order: .reverse)]
        request.descriptor.fetchLimit = 3
        #expect(request.result.map(\.people) == [4, 3, 2])
        #expect(request.fetchCount == 2)
        request.update(to: above(990), in: context)
        #expect(request.result.map(\.people) == [4, 3, 2] && request.fetchCount == 2)
        request.update(to: above(999), in: context)
        #expect(request.result.map(\.people) == [999] && request.fetchCount == 3)
    }

    @Test("Setting tells who has read the result, and a result is made once for each change")
    func observation() async {
        let request = QueryRequest<[Town]>(above(990))
        request.update(in: context)
        await confirmation { told in
            withObservationTracking {
                _ = request.result
            } onChange: {
                told()
            }
            request.descriptor.fetchLimit = 1
        }
        #expect(request.result.count == 1)
        let (first, second) = (request.result, request.result)
        #expect(first.withUnsafeBufferPointer(\.baseAddress) == second.withUnsafeBufferPointer(\.baseAddress))
    }

    @Test("A change of the context is followed with the limit in force, and a model deleted while shown goes")
    func follows() async throws {
        let request = QueryRequest<[Town]>(above(990, limit: 3))
        request.update(in: context)
        var differences = request.makeDifferences().makeAsyncIterator()
        context.delete(request.result[0])
        context.insert(Town("00990", people: 5000))
        _ = await differences.next()
        #expect(request.result.map(\.people) == [5000, 991, 992])
        try context.save()
        #expect(request.result.map(\.people) == [5000, 991, 992] && request.fetchCount == 1)
    }

    @Test("A predicate that cannot be run is an error, tried once; the last good result is kept")
    func errors() {
        let request = QueryRequest<[Town]>(above(990))
        request.update(in: context)
        for _ in 0..<10 {
            request.update(to: FetchDescriptor(predicate: #Predicate { $0.initial == "0" }), in: context)
        }
        #expect(request.result.count == 10 && request.fetchCount == 2)
        #expect((request.fetchError as? SwiftDataError) == .unsupportedKeyPath)
        request.update(to: above(999), in: context)
        #expect(request.result.count == 1 && request.fetchError == nil)
    }

    @Test("A context without the model gives no rows and an error, another one the rows")
    func contexts() throws {
        let empty = try ModelContainer(
            for: Schema([]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        let request = QueryRequest<[Town]>(above(990))
        request.update(in: empty.mainContext)
        #expect(request.result.isEmpty && request.fetchError is SwiftDataError)
        request.update(in: context)
        #expect(request.result.count == 10 && request.fetchError == nil)
    }

    @Test("Sections come with a result in sections")
    func sections() {
        let request = QueryRequest<SectionedResults<Town, String>>(above(990), sectionBy: \.land)
        request.update(in: context)
        #expect(request.result.sectionTitles == ["A", "B"])
        #expect(request.result.map(\.count) == [4, 6] && request.sections.count == 2)
    }
}
