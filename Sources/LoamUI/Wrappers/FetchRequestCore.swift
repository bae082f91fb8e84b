import Foundation
import Loam
import Observation

/// What `@FetchRequest` does, without a host: a ``QueryRequest`` that is asked in Core Data's words.
@MainActor final class FetchRequestCore<Model: PersistentModel>: Observable {
    let request: QueryRequest<FetchResultsCollection<Model>>
    private var given: GivenFetch<Model>
    private var settings: FetchSettings
    private let registrar = ObservationRegistrar()

    init(_ given: GivenFetch<Model>) {
        self.given = given
        settings = given.settings
        request = QueryRequest(given.request)
    }

    /// Follows what a wrapper was made with, unless that asks for the same as the last one.
    func update(to given: GivenFetch<Model>, in context: ModelContext) {
        let count = request.givenCount
        request.update(to: given.request, in: context)
        if request.givenCount != count {
            registrar.withMutation(of: self, keyPath: \.configuration) { settings = given.settings }
        }
        self.given = given
    }

    /// What can be set in place.
    var configuration: FetchConfiguration {
        get {
            registrar.access(self, keyPath: \.configuration)
            return settings.configuration
        }
        set {
            registrar.withMutation(of: self, keyPath: \.configuration) { settings.configuration = newValue }
            request.ask(settings.given(over: Model.self))
        }
    }
}

/// What a `@FetchRequest` was made with.
final class GivenFetch<Model: PersistentModel>: Sendable {
    let settings: FetchSettings
    let request: GivenRequest<Model>

    init(_ settings: FetchSettings, transaction: Transaction?) {
        self.settings = settings
        request = GivenRequest(settings.given(over: Model.self), transaction: transaction)
    }
}
