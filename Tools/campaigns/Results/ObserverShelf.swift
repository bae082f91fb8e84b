import Foundation
import Loam

/// Observers that were opened on one isolation, of all kinds: plain and in sections, with and without a limit, with a
/// context that they share and with one of their own.
struct ObserverShelf {
    private var plain: [(observer: ResultsObserver<Measurement, Never>, descriptor: FetchDescriptor<Measurement>)] = []
    private var sectioned:
        [(observer: ResultsObserver<Measurement, String>, descriptor: FetchDescriptor<Measurement>)] = []

    init(_ count: Int, in container: ModelContainer, isolation: isolated (any Actor)? = #isolation) throws {
        let shared = ModelContext(container)
        for number in 0..<count {
            var descriptor = Self.descriptor(number)
            let context = number % 5 == 0 ? ModelContext(container) : shared
            if number % 4 == 3 {
                descriptor.sortBy = [SortDescriptor(\.station), SortDescriptor(\.value), SortDescriptor(\.id)]
                sectioned.append(
                    (
                        try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.station, modelContext: context),
                        descriptor
                    ))
            } else {
                plain.append((try ResultsObserver(fetchDescriptor: descriptor, modelContext: context), descriptor))
            }
        }
    }

    /// A descriptor for each number, each another one, and all touched by every change of a value.
    private static func descriptor(_ number: Int) -> FetchDescriptor<Measurement> {
        let least = number % 90
        var descriptor = FetchDescriptor<Measurement>(
            predicate: #Predicate { (measurement: Measurement) in measurement.value >= least },
            sortBy: [SortDescriptor(\.value, order: number % 2 == 0 ? .forward : .reverse), SortDescriptor(\.id)])
        if number % 3 == 0 { descriptor.fetchLimit = 1 + number % 20 }
        if number % 9 == 0 { descriptor.fetchOffset = number % 7 }
        return descriptor
    }

    /// The faults of what the observers show after everything that was saved. Compares each observer with a fetch.
    func faults(_ container: ModelContainer) throws -> [String] {
        let fresh = ModelContext(container)
        var faults: [String] = []
        func compare(
            _ shown: [PersistentIdentifier], _ error: (any Error)?, _ descriptor: FetchDescriptor<Measurement>
        )
            throws
        {
            if let error { faults.append("an observer has failed: \(error)") }
            let expected = try fresh.fetchIdentifiers(descriptor)
            if shown != expected {
                faults.append(
                    "an observer shows \(shown.count) models in another order or number than \(expected.count)")
            }
        }
        for (observer, descriptor) in plain {
            observer.refresh()
            try compare(observer.results.identifiers, observer.fetchError, descriptor)
        }
        for (observer, descriptor) in sectioned {
            observer.refresh()
            try compare(
                observer.sections?.flatMap { $0.map(\.persistentModelID) } ?? [], observer.fetchError, descriptor)
        }
        return faults
    }
}

/// An isolation with observers.
actor ObserverRoom {
    private var shelf: ObserverShelf?

    func open(_ count: Int, in container: ModelContainer) throws { shelf = try ObserverShelf(count, in: container) }
    func faults(_ container: ModelContainer) throws -> [String] { try shelf?.faults(container) ?? [] }
}
