import Foundation
import Loam

@Model final class Runner {
    var id: Int
    var name: String
    var description: String
    var team: String?
    var squad: Squad?

    init(id: Int, name: String, team: String? = nil, squad: Squad? = nil) {
        (self.id, self.name, description) = (id, name, "")
        (self.team, self.squad) = (team, squad)
    }
}

@Model final class Squad {
    var id: Int
    var name: String
    var description: String
    @Relationship(inverse: \Runner.squad) var runners: [Runner] = []

    init(id: Int, name: String) {
        (self.id, self.name, description) = (id, name, "")
    }
}

/// A delegate that writes down what it hears, a line for each call.
final class Recorder<SectionTitle: Hashable & SendableMetatype>: FetchedResultsControllerDelegate {
    typealias Controller = FetchedResultsController<Runner, SectionTitle>

    private(set) var heard: [String] = []
    /// The objects of the calls, by what they were told for.
    private(set) var objects: [FetchedResultsChangeType: [Runner]] = [:]
    /// Is called in the midst of each call, with its line.
    var onCall: (Controller, String) -> Void = { _, _ in }

    func take() -> [String] {
        defer { (heard, objects) = ([], [:]) }
        return heard
    }

    private func hear(_ line: String, _ controller: Controller) {
        heard.append(line)
        onCall(controller, line)
    }

    func controllerWillChangeContent(_ controller: Controller) { hear("will", controller) }

    func controllerDidChangeContent(_ controller: Controller) { hear("did", controller) }

    func controller(
        _ controller: Controller, didChange object: Runner, at indexPath: IndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        objects[type, default: []].append(object)
        let places = [indexPath, newIndexPath].compactMap { $0.map { "\(Array($0))" } }
        hear((["\(type)"] + places + [object.name]).joined(separator: " "), controller)
    }

    func controller(
        _ controller: Controller, didChange sectionInfo: FetchedResultsSectionInfo<Runner, SectionTitle>,
        atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
    ) {
        hear("\(type) section \(sectionIndex) \(sectionInfo.name)*\(sectionInfo.numberOfObjects)", controller)
    }
}

/// Runners in a store of their own.
struct Race {
    let container: ModelContainer
    let context: ModelContext

    init() throws {
        container = try memoryContainer(Runner.self)
        context = ModelContext(container)
    }

    /// Saves runners with these names, whose ids count from 1.
    init(_ runners: [(name: String, team: String?)]) throws {
        try self.init()
        for (number, runner) in runners.enumerated() {
            context.insert(Runner(id: number + 1, name: runner.name, team: runner.team))
        }
        try context.save()
    }

    /// Changes the stored runners in a context of their own.
    func save(_ change: (ModelContext, [String: Runner]) throws -> Void) throws {
        let other = ModelContext(container)
        let runners = try other.fetch(FetchDescriptor<Runner>())
        try change(other, Dictionary(runners.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }))
        try other.save()
    }

    /// A controller of all runners by id, that has fetched.
    func byID(
        limit: Int? = nil, isolation: isolated (any Actor)? = #isolation
    ) throws -> FetchedResultsController<Runner, Never> {
        var descriptor = FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)])
        descriptor.fetchLimit = limit
        let controller = FetchedResultsController(fetchDescriptor: descriptor, modelContext: context)
        try controller.performFetch()
        return controller
    }

    /// A controller of all runners in teams, by id, that has fetched.
    func byTeam(isolation: isolated (any Actor)? = #isolation) throws -> FetchedResultsController<Runner, String> {
        let controller = FetchedResultsController(
            fetchDescriptor: FetchDescriptor<Runner>(sortBy: [SortDescriptor(\.id)]), modelContext: context,
            sectionBy: \.team)
        try controller.performFetch()
        return controller
    }
}
