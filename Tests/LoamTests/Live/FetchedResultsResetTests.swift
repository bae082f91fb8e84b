import Foundation
import Loam
import Testing

private enum Before {
    @Model final class Bib {
        var id: Int
        var name: String

        init(id: Int, name: String) { (self.id, self.name) = (id, name) }
    }
}

private enum After {
    @Model final class Bib {
        var id: Int
        var name: String
        var description: String = ""

        init(id: Int, name: String) { (self.id, self.name) = (id, name) }
    }
}

private final class Bibs: FetchedResultsControllerDelegate {
    var heard: [String] = []

    func controllerWillChangeContent(_ controller: FetchedResultsController<Before.Bib, Never>) { heard.append("will") }

    func controllerDidChangeContent(_ controller: FetchedResultsController<Before.Bib, Never>) { heard.append("did") }

    func controller(
        _ controller: FetchedResultsController<Before.Bib, Never>, didChange object: Before.Bib,
        at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        heard.append("\(type) \(object.name)")
    }
}

@Suite("Results that are read again as a whole")
@MainActor
struct FetchedResultsResetTests {
    @Test("are told one by one, and what stayed as updated")
    func areToldOneByOne() async throws {
        let folder = try TemporaryFolder()
        let container = try ModelContainer(for: Before.Bib.self, configurations: ModelConfiguration(url: folder.store))
        let context = ModelContext(container)
        for (id, name) in [(1, "ann"), (2, "bob"), (3, "cat")] { context.insert(Before.Bib(id: id, name: name)) }
        try context.save()
        let controller = FetchedResultsController<Before.Bib, Never>(
            fetchDescriptor: FetchDescriptor(sortBy: [SortDescriptor(\.id)]), modelContext: context)
        try controller.performFetch()
        let observer = try ResultsObserver<Before.Bib, Never>(
            sortBy: [SortDescriptor(\.id)], modelContainer: container)
        var differences = observer.makeDifferences().makeAsyncIterator()
        let delegate = Bibs()
        controller.delegate = delegate
        // A newer version of the program opens the store: what its saves mean for the results is not known.
        let newer = ModelContext(
            try ModelContainer(for: After.Bib.self, configurations: ModelConfiguration(url: folder.store)))
        let bibs = try newer.fetch(FetchDescriptor<After.Bib>(sortBy: [SortDescriptor(\.id)]))
        newer.delete(bibs[0])
        bibs[1].id = 9
        newer.insert(After.Bib(id: 4, name: "dan"))
        try newer.save()
        controller.refresh()
        #expect(delegate.heard == ["will", "delete ann", "insert dan", "move bob", "update cat", "did"])
        #expect(controller.fetchedObjects?.map(\.name) == ["cat", "dan", "bob"])
        #expect(await differences.next()?.isReset == true)
    }
}
