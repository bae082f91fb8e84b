import Foundation
import Loam

/// Observers on an isolation of their own, each read in a loop there, as a list on a screen reads its changes.
actor LoamObservers {
    private let arrival: Arrival
    private var observers: [ResultsObserver<Earthquake, String>] = []
    private var readers: [Task<Void, Never>] = []

    init(_ arrival: Arrival) {
        self.arrival = arrival
    }

    /// All rows by a property, in sections by day where they are sorted by it.
    func observe(sortBy: [SortDescriptor<Earthquake>], in container: ModelContainer) throws {
        try read(ResultsObserver(sortBy: sortBy, sectionBy: \.day, modelContext: ModelContext(container)))
    }

    /// A list for each day, by time.
    func observe(days: [String], in container: ModelContainer) throws {
        let context = ModelContext(container)
        for day in days {
            let filter = #Predicate<Earthquake> { $0.day == day }
            try read(
                ResultsObserver(
                    filterBy: filter, sortBy: [SortDescriptor(\.time)], sectionBy: \.day, modelContext: context))
        }
    }

    /// A list for each of some spans of time, by time.
    func observe(times: [Range<Date>], in container: ModelContainer) throws {
        let context = ModelContext(container)
        for span in times {
            let (first, end) = (span.lowerBound, span.upperBound)
            let filter = #Predicate<Earthquake> { $0.time >= first && $0.time < end }
            try read(
                ResultsObserver(
                    filterBy: filter, sortBy: [SortDescriptor(\.time)], sectionBy: \.day, modelContext: context))
        }
    }

    private func read(_ observer: ResultsObserver<Earthquake, String>) {
        observers.append(observer)
        let (differences, arrival) = (observer.makeDifferences(), arrival)
        readers.append(
            Task {
                // A task that has nothing of its actor is not on it.
                _ = self
                for await _ in differences { arrival.arrive() }
            })
    }

    func close() {
        readers.forEach { $0.cancel() }
        readers = []
        observers = []
    }
}

extension LoamObservers {
    /// Opens observers from a thread that is not of the pool, and waits until they are open.
    nonisolated func opened(
        _ open: @escaping @Sendable (isolated LoamObservers) throws -> Void
    ) throws -> LoamObservers {
        try waiting { try await self.run(open) }
        return self
    }

    private func run(_ open: @Sendable (isolated LoamObservers) throws -> Void) throws {
        try open(self)
    }
}

/// An observer on the main actor, read in a loop as a program with a window reads its changes.
@MainActor
final class MainActorObserver {
    private let observer: ResultsObserver<Earthquake, String>
    private let reader: Task<Void, Never>

    init(_ arrival: Arrival, sortBy: [SortDescriptor<Earthquake>], in container: ModelContainer) throws {
        observer = try ResultsObserver(sortBy: sortBy, sectionBy: \.day, modelContext: ModelContext(container))
        let differences = observer.makeDifferences()
        reader = Task {
            for await _ in differences { arrival.arrive() }
        }
    }

    func close() { reader.cancel() }
}
