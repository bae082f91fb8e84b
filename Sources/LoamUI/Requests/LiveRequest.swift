public import Loam
public import Observation

/// What a property wrapper does, without a host: follows what it was given in a context, shows a value, and has settings
/// that can be changed in place.
///
/// ```swift
/// let given = GivenRequest(FetchDescriptor(sortBy: [SortDescriptor(\City.name)]))
/// let core = QueryRequest<[City]>(given)
/// core.update(to: given, in: context)
/// print(core.value.count, core.fetchError as Any)
/// ```
///
/// A wrapper of any toolkit keeps one as long as its view is there, calls ``update(to:in:)`` before each body, and reads
/// ``value``: the page <doc:Adapters> shows one for all. What is read is tracked by Observation. Everything is the main
/// actor's.
@MainActor public protocol LiveRequest: AnyObject, Observable {
    /// What a wrapper was made with. It is made anew with each view.
    associatedtype Given: AnyObject & Sendable
    /// What is shown.
    associatedtype Value
    /// What can be set in place.
    associatedtype Settings

    /// Begins with what a wrapper was made with; fetches nothing yet. O(1).
    init(_ given: Given)

    /// Follows what a wrapper was made with in a context: fetches at first, in another context, and where another fetch
    /// is asked for than with the one before. Otherwise what was set in place stays. O(1) with the same object, else a
    /// walk over the predicate.
    func update(to given: Given, in context: ModelContext)

    /// Shows nothing, for want of a context; the error is ``fetchError``.
    func stop(because error: any Error)

    /// What is shown now. Costs what its type says.
    var value: Value { get }

    /// What is asked for. Several settings in a turn are one fetch.
    var settings: Settings { get set }

    /// Why the value is not what is asked for; nil where it is. O(1).
    var fetchError: (any Error)? { get }
}

/// What the wrappers of models have in common: the request that lasts, and what it is asked by the newest view.
@MainActor struct LiveProperty<Request: LiveRequest>: ObservedProperty {
    let given: Request.Given
    @State var request: Request
    @Environment(\.modelContext) var context
    @Environment(\.modelContextError) private var contextError

    init(_ given: Request.Given) {
        self.given = given
        _request = State(wrappedValue: Request(given))
    }

    var settings: Binding<Request.Settings> {
        let request = request
        return Binding(get: { request.settings }, set: { request.settings = $0 })
    }

    /// Asks for what the wrapper was made with, in the environment's context: where both are as they were, nothing happens.
    mutating func update() {
        if let contextError { request.stop(because: contextError) } else { request.update(to: given, in: context) }
    }
}
