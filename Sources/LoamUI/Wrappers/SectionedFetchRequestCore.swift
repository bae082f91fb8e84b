public import Loam

/// What a `@SectionedFetchRequest` was made with.
public final class GivenSectionedFetch<SectionIdentifier: Hashable, Result: PersistentModel>: Sendable {
    let fetch: GivenFetch<Result>
    /// Key paths are immutable.
    nonisolated(unsafe) let sectionIdentifier: KeyPath<Result, SectionIdentifier>

    init(_ fetch: GivenFetch<Result>, sectionIdentifier: KeyPath<Result, SectionIdentifier>) {
        (self.fetch, self.sectionIdentifier) = (fetch, sectionIdentifier)
    }

    /// The models that a request fetches, as it is now, in sections by a property. O(1).
    public convenience init(
        _ request: NSFetchRequest<Result>, sectionIdentifier: KeyPath<Result, SectionIdentifier>,
        transaction: Transaction? = nil
    ) {
        self.init(GivenFetch(request, transaction: transaction), sectionIdentifier: sectionIdentifier)
    }
}

/// What `@SectionedFetchRequest` does, without a host: the models of a ``FetchRequestCore`` in sections by a property.
///
/// ``LiveRequest`` says how it is used.
@MainActor
public final class SectionedFetchRequestCore<SectionIdentifier: Hashable, Result: PersistentModel>:
    LiveRequest
{
    let fetch: FetchRequestCore<Result>
    let groups: SectionGroups<SectionIdentifier, Result>
    private var givenIdentifier: KeyPath<Result, SectionIdentifier>

    /// Begins with a request; fetches nothing yet. O(1).
    public init(_ given: GivenSectionedFetch<SectionIdentifier, Result>) {
        fetch = FetchRequestCore(given.fetch)
        groups = SectionGroups(given.sectionIdentifier)
        givenIdentifier = given.sectionIdentifier
    }

    /// Follows a request, unless it asks for the same as the last one: what was set in place stays then.
    public func update(to given: GivenSectionedFetch<SectionIdentifier, Result>, in context: ModelContext) {
        fetch.update(to: given.fetch, in: context)
        guard givenIdentifier != given.sectionIdentifier else { return }
        givenIdentifier = given.sectionIdentifier
        groups.property = given.sectionIdentifier
    }

    /// Shows nothing, for want of a context.
    public func stop(because error: any Error) { fetch.stop(because: error) }

    /// The sections. O(1) until one is read.
    public var value: SectionedFetchResults<SectionIdentifier, Result> {
        fetch.track()
        groups.track()
        return SectionedFetchResults(self)
    }

    /// What can be set in place.
    public var settings: SectionedFetchRequest<SectionIdentifier, Result>.Configuration {
        get { SectionedFetchRequest.Configuration(base: fetch.configuration, sectionIdentifier: groups.property) }
        set {
            if groups.property != newValue.sectionIdentifier { groups.property = newValue.sectionIdentifier }
            fetch.configuration = newValue.base
        }
    }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { fetch.fetchError }
}
