import Foundation
public import Loam
import Observation

/// What `@FetchRequest` does, without a host: a fetch that is asked in Core Data's words.
///
/// ```swift
/// let core = FetchRequestCore<City>(GivenFetch(NSFetchRequest(entityName: "City")))
/// ```
///
/// ``LiveRequest`` says how it is used.
@MainActor public final class FetchRequestCore<Result>: LiveRequest {
    fileprivate var source: (any FetchSource<Result>)?
    private var given: GivenFetch<Result>
    private var asked: FetchSettings
    /// Whether something was set in place since the newest request that was followed.
    private var isSet = false
    /// What the source is for, or why there is none, where the model follows from the context.
    private var form: FetchForm
    private weak var container: ModelContainer?
    private var sourceError: (any Error)?
    fileprivate let registrar = PartRegistrar()

    /// Begins with a request; fetches nothing yet. O(1).
    public init(_ given: GivenFetch<Result>) {
        self.given = given
        asked = given.settings
        form = FetchForm(given.settings)
        source = try? given.source(given, nil)
    }

    /// Follows a request, unless it asks for the same as the last one: what was set in place stays then.
    public func update(to given: GivenFetch<Result>, in context: ModelContext) {
        if given.isOfContext { open(given, in: context) }
        guard sourceError == nil, let source else { return }
        let count = source.counts.given
        source.update(to: given, in: context)
        if source.counts.given != count { adopt(given) }
        self.given = given
    }

    private func adopt(_ given: GivenFetch<Result>) {
        isSet = false
        registrar.withMutation(of: \.settings) { asked = given.settings }
    }

    /// Finds the model by the entity's name, where name, properties or container are not those of the source.
    private func open(_ given: GivenFetch<Result>, in context: ModelContext) {
        let form = FetchForm(given.settings)
        guard form != self.form || context.container !== container else { return }
        if given !== self.given, form != self.form || !isSet { adopt(given) }
        (self.given, self.form, container) = (given, form, context.container)
        registrar.withMutation(of: \.values) {
            do {
                (source, sourceError) = (try given.source(given, context), nil)
                if isSet { source?.ask(asked) }
            } catch {
                sourceError = error
            }
        }
    }

    /// Shows nothing, for want of a context.
    public func stop(because error: any Error) {
        source?.stop(because: error)
        guard container != nil || source == nil && sourceError == nil else { return }
        container = nil
        registrar.withMutation(of: \.values) { sourceError = source == nil ? error : nil }
    }

    /// The results. O(1); each is made when it is asked for.
    public var value: FetchedResults<Result> {
        track()
        return FetchedResults(self)
    }

    /// Who asks is told when the results are others, also where another one reads them: a view hands them to a view inside.
    func track() {
        registrar.access(\.values)
        source?.track()
    }

    /// What can be set in place.
    public var settings: FetchRequest<Result>.Configuration {
        get { FetchRequest.Configuration(base: configuration) }
        set { configuration = newValue.base }
    }

    /// Why the results are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? {
        registrar.access(\.values)
        return sourceError ?? source?.fetchError
    }

    var configuration: FetchConfiguration {
        get {
            registrar.access(\.settings)
            return asked.configuration
        }
        set {
            registrar.withMutation(of: \.settings) { asked.configuration = newValue }
            isSet = true
            source?.ask(asked)
        }
    }

    var elements: FetchedElements<Result> {
        registrar.access(\.values)
        return source?.elements ?? .empty
    }

    /// How often the store has been asked.
    var fetchCount: Int { source?.counts.fetches ?? 0 }

    /// How often records have been read, a batch at a time.
    var readCount: Int { source?.counts.reads ?? 0 }

    func makeDifferences() -> ResultsStream<ResultsDifference<Never>> {
        source?.makeDifferences() ?? .ended
    }
}

extension FetchRequestCore where Result: PersistentModel {
    /// The models, and a number that is another one for every other result.
    var models: (all: FetchResultsCollection<Result>, number: Int) {
        registrar.access(\.values)
        guard let request = (source as? ModelFetchSource<Result, Result>)?.request else { return (.empty, 0) }
        let models = request.result
        return (models, request.resultCount)
    }
}

/// What decides of which model results are, and what of it.
private struct FetchForm: Equatable {
    private let entityName: String?
    private let properties: [String]?

    init(_ settings: FetchSettings) { (entityName, properties) = (settings.entityName, settings.propertiesToFetch) }
}
