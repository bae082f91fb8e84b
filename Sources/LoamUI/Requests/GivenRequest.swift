public import Loam

/// What a wrapper was made with. A wrapper that is made again has another one, which may ask for the same.
public final class GivenRequest<Model: PersistentModel>: Sendable {
    /// The fetch; or why there is none, as a format that cannot be read.
    let fetch: Result<FetchDescriptor<Model>, SwiftDataError>
    /// Key paths are immutable.
    nonisolated(unsafe) let sectionBy: PartialKeyPath<Model>?
    /// What changes of the result are shown with, where nothing else is in force.
    let transaction: Transaction?

    init(
        _ fetch: Result<FetchDescriptor<Model>, SwiftDataError>, sectionBy: PartialKeyPath<Model>? = nil,
        transaction: Transaction? = nil
    ) {
        (self.fetch, self.sectionBy, self.transaction) = (fetch, sectionBy, transaction)
    }

    /// A fetch, in sections or not, with what its changes are shown with. O(1).
    public convenience init(
        _ descriptor: FetchDescriptor<Model> = FetchDescriptor(), sectionBy: PartialKeyPath<Model>? = nil,
        transaction: Transaction? = nil
    ) {
        self.init(.success(descriptor), sectionBy: sectionBy, transaction: transaction)
    }
}

/// What a request asks of a store, to be compared.
enum ComparableRequest: Equatable {
    case fetch(LoweredFetch)
    /// No fetch, for this reason.
    case failure(String)

    init<Model: PersistentModel>(_ given: GivenRequest<Model>, in context: ModelContext) {
        switch given.fetch {
        case .success(let descriptor):
            self = .fetch(LoweredFetch(descriptor, sectionBy: given.sectionBy, in: context))
        case .failure(let error): self = .failure(error.description)
        }
    }
}
