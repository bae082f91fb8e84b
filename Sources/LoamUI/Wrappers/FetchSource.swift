import Loam

/// What a fetch has found, whatever it is of the models.
struct FetchedElements<Element> {
    let count: Int
    let element: (Int) -> Element
    let identifiers: () -> [PersistentIdentifier]
    /// Where the element of a model is. O(log n).
    let index: (PersistentIdentifier) -> Int?
    /// Says which positions are about to be asked for.
    let expect: (Range<Int>) -> Void

    static var empty: FetchedElements {
        FetchedElements(count: 0) { _ in
            preconditionFailure("There is no such position in the results.")
        } identifiers: {
            []
        } index: { _ in
            nil
        } expect: { _ in
        }
    }
}

/// What results show of a model.
enum FetchedPart<Model, Result> {
    /// Something of the model, which is made.
    case model((Model) -> Result)
    /// Something of its identifier: no record is read.
    case identifier((PersistentIdentifier) -> Result)
}

/// A fetch that is followed and asked in Core Data's words, without the type of its models.
@MainActor protocol FetchSource<Result>: AnyObject {
    associatedtype Result
    var elements: FetchedElements<Result> { get }
    var fetchError: (any Error)? { get }
    /// How often another request was given, how often the store was asked, and how often records were read.
    var counts: (given: Int, fetches: Int, reads: Int) { get }
    func update(to given: GivenFetch<Result>, in context: ModelContext)
    func ask(_ settings: FetchSettings)
    /// Has who asks told when the elements are others; reads none.
    func track()
    func stop(because error: any Error)
    func makeDifferences() -> ResultsStream<ResultsDifference<Never>>
}

/// The models of one type, and what results show of them.
final class ModelFetchSource<Model: PersistentModel, Result>: FetchSource {
    let request: QueryRequest<FetchResultsCollection<Model>>
    private let part: FetchedPart<Model, Result>
    private var last: (given: GivenFetch<Result>, request: GivenRequest<Model>)

    init(_ given: GivenFetch<Result>, _ part: FetchedPart<Model, Result>) {
        self.part = part
        last = (given, GivenRequest(given, over: Model.self))
        request = QueryRequest(last.request)
    }

    var elements: FetchedElements<Result> {
        let models = request.result
        return FetchedElements(count: models.count, element: element(of: models)) {
            models.identifiers
        } index: {
            models.index(of: $0)
        } expect: {
            models.expect($0)
        }
    }

    private func element(of models: FetchResultsCollection<Model>) -> (Int) -> Result {
        switch part {
        case .model(let make): return { make(models[$0]) }
        case .identifier(let make):
            let listed = ListedIdentifiers(models)
            return { make(listed.all[$0]) }
        }
    }

    var fetchError: (any Error)? { request.fetchError }
    var counts: (given: Int, fetches: Int, reads: Int) {
        (request.givenCount, request.fetchCount, request.readCount)
    }

    func update(to given: GivenFetch<Result>, in context: ModelContext) {
        if last.given !== given { last = (given, GivenRequest(given, over: Model.self)) }
        request.update(to: last.request, in: context)
    }

    func ask(_ settings: FetchSettings) { request.ask(settings.given(over: Model.self)) }
    func track() { request.track() }
    func stop(because error: any Error) { request.stop(because: error) }
    func makeDifferences() -> ResultsStream<ResultsDifference<Never>> { request.makeDifferences() }
}

/// The identifiers of a result, in an array from the first reading on.
private final class ListedIdentifiers<Model: PersistentModel> {
    private let models: FetchResultsCollection<Model>
    lazy var all = models.identifiers

    init(_ models: FetchResultsCollection<Model>) { self.models = models }
}

extension GivenRequest {
    fileprivate convenience init<Result>(_ given: GivenFetch<Result>, over model: Model.Type) {
        if let asked = given.settings.resultType, asked != given.resultType {
            let error = SwiftDataError(
                .unsupportedKeyPath, detail: "The request asks for \(asked), its results are \(Result.self).")
            self.init(.failure(error), transaction: given.transaction)
        } else {
            self.init(given.settings.given(over: model), transaction: given.transaction)
        }
    }
}
