import Foundation
import Loam

@MainActor final class CityList: @MainActor FetchedResultsControllerDelegate {
    var lines: [String] = []

    func controller(
        _ controller: FetchedResultsController<City, String>, didChange city: City, at indexPath: IndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        lines.append("\(type) \(city.name)")
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<City, String>) {
        lines.append("now \(controller.fetchedObjects?.count ?? 0)")
    }
}

@MainActor func list(_ context: ModelContext) throws -> [String] {
    let controller = FetchedResultsController(
        fetchDescriptor: FetchDescriptor<City>(), modelContext: context, sectionBy: \.name)
    let list = CityList()
    controller.delegate = list
    try controller.performFetch()
    if let city = controller.object(at: [0, 0]) { context.delete(city) }
    try context.save()
    controller.refresh()
    return list.lines
}
