import Foundation
import Loam

/// A result that is kept by applying the observer's differences alone.
final class ResultMirror<Title: Hashable & SendableMetatype> {
    private let observer: ResultsObserver<Player, Title>
    private var differences: ResultsStream<ResultsDifference<Title>>.Iterator
    private var sections: [[PersistentIdentifier]]
    private(set) var applied = 0

    init(_ observer: ResultsObserver<Player, Title>) {
        self.observer = observer
        differences = observer.makeDifferences().makeAsyncIterator()
        sections = Self.state(of: observer)
    }

    private static func state(of observer: ResultsObserver<Player, Title>) -> [[PersistentIdentifier]] {
        if Title.self == Never.self { return [observer.results.identifiers] }
        return observer.sections?.map { $0.map(\.persistentModelID) } ?? []
    }

    /// Applies the differences that have come, until the mirror shows what the observer shows.
    func catchUp() async throws {
        observer.refresh()
        let wanted = Self.state(of: observer)
        // The loop would wait for ever where a difference leads elsewhere.
        let watchdog = Task.detached {
            try await Task.sleep(for: .seconds(60))
            say("fault: the differences of an observer do not lead to its results")
            exit(1)
        }
        defer { watchdog.cancel() }
        while sections != wanted {
            guard let difference = await differences.next(isolation: #isolation) else {
                throw CampaignError("an observer's differences have ended")
            }
            try apply(difference)
        }
    }

    private func apply(_ difference: ResultsDifference<Title>) throws {
        applied += 1
        guard !difference.isReset else {
            sections = Self.state(of: observer)
            return
        }
        for position in (difference.deletions + difference.moves.map(\.from)).sorted().reversed() {
            guard sections.indices.contains(position[0]), sections[position[0]].indices.contains(position[1]) else {
                throw CampaignError("a difference deletes at \(position), where nothing is")
            }
            sections[position[0]].remove(at: position[1])
        }
        for section in difference.deletedSections.reversed() {
            guard sections.indices.contains(section), sections[section].isEmpty else {
                throw CampaignError("a difference deletes section \(section), which is not empty")
            }
            sections.remove(at: section)
        }
        for inserted in difference.insertedSections {
            guard inserted.section <= sections.count else {
                throw CampaignError("a difference inserts section \(inserted.section) of \(sections.count)")
            }
            sections.insert([], at: inserted.section)
        }
        let insertions =
            difference.insertions.map { ($0.position, $0.identifier) } + difference.moves.map { ($0.to, $0.identifier) }
        for (position, identifier) in insertions.sorted(by: { $0.0 < $1.0 }) {
            guard sections.indices.contains(position[0]), position[1] <= sections[position[0]].count else {
                throw CampaignError("a difference inserts at \(position), past the end")
            }
            sections[position[0]].insert(identifier, at: position[1])
        }
    }

    /// Compares the mirror with a fetch in a new context.
    func verify(_ descriptor: FetchDescriptor<Player>, _ container: ModelContainer) throws {
        let fresh = try ModelContext(container).fetchIdentifiers(descriptor)
        guard sections.flatMap({ $0 }) == fresh else {
            throw CampaignError(
                "an observer shows \(sections.flatMap { $0 }.count) models in another order or number than a fetch, \(fresh.count)"
            )
        }
    }
}
