import Foundation
import Loam

/// Cities in sections by country, kept current: each step prints what it makes different.
@MainActor
struct FollowedSearch {
    let observer: ResultsObserver<City, String>
    private let differences: ResultsStream<ResultsDifference<String>>

    init(_ search: FetchDescriptor<City>, in container: ModelContainer) throws {
        observer = try ResultsObserver(
            fetchDescriptor: search, sectionBy: \.countryCode, modelContainer: container)
        differences = observer.makeDifferences()
    }

    /// Prints the words, makes the change and waits until it has arrived in the result.
    func step(_ words: String, _ change: () async throws -> Void) async throws {
        say(words)
        try await change()
        var differences = differences.makeAsyncIterator()
        await differences.next(isolation: #isolation)?.printLines { observer.element(at: [$0, $1]) }
        print("\(observer.results.count) cities in \(observer.sections?.count ?? 0) sections\n")
    }
}
