import Foundation
import Loam
import SeededRandom
import Testing

@Model private final class Parcel {
    #Index<Parcel>([\.weight])
    var id: Int
    var name: String
    var details: String
    var weight: Int

    init(id: Int, name: String, details: String, weight: Int) {
        (self.id, self.name, self.details, self.weight) = (id, name, details, weight)
    }
}

/// Observers of a container on one isolation, each showing another part of the parcels.
private struct ParcelWall {
    private var plain: [(observer: ResultsObserver<Parcel, Never>, descriptor: FetchDescriptor<Parcel>)] = []
    private var sectioned: [(observer: ResultsObserver<Parcel, String>, descriptor: FetchDescriptor<Parcel>)] = []

    init(_ count: Int, in container: ModelContainer, isolation: isolated (any Actor)? = #isolation) throws {
        let context = ModelContext(container)
        for number in 0..<count {
            let least = number % 7
            var descriptor = FetchDescriptor<Parcel>(
                predicate: #Predicate { (parcel: Parcel) in parcel.weight >= least },
                sortBy: [SortDescriptor(\.weight, order: number % 2 == 0 ? .forward : .reverse), SortDescriptor(\.id)])
            if number % 3 == 0 { descriptor.fetchLimit = number % 11 }
            if number % 4 == 3 {
                descriptor.sortBy = [SortDescriptor(\.name), SortDescriptor(\.id)]
                sectioned.append(
                    (
                        try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.name, modelContext: context),
                        descriptor
                    ))
            } else {
                plain.append((try ResultsObserver(fetchDescriptor: descriptor, modelContext: context), descriptor))
            }
        }
    }

    /// The number of observers that do not show what a fetch in a fresh context gives, after everything that was saved.
    func faults(_ container: ModelContainer) throws -> Int {
        let fresh = ModelContext(container)
        var faults = 0
        for (observer, descriptor) in plain {
            observer.refresh()
            let isRight = try observer.results.identifiers == fresh.fetchIdentifiers(descriptor)
            faults += isRight && observer.fetchError == nil ? 0 : 1
        }
        for (observer, descriptor) in sectioned {
            observer.refresh()
            let identifiers = observer.sections?.flatMap { $0.map(\.persistentModelID) }
            faults += try identifiers == fresh.fetchIdentifiers(descriptor) && observer.fetchError == nil ? 0 : 1
        }
        return faults
    }
}

private actor Room {
    private var wall: ParcelWall?

    func open(_ count: Int, in container: ModelContainer) throws { wall = try ParcelWall(count, in: container) }
    func faults(_ container: ModelContainer) throws -> Int { try wall?.faults(container) ?? -1 }
}

@Suite("Hundreds of observers")
@MainActor
struct ManyObserversTests {
    @Test("follow saves that touch them all, on the main actor and on others")
    func followSaves() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "loam-many-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let container = try ModelContainer(
            for: Parcel.self, configurations: ModelConfiguration(url: folder.appending(path: "parcels.store")))
        let context = ModelContext(container)
        var random = SeededGenerator(seed: 5)
        let wall = try ParcelWall(150, in: container)
        let rooms = [Room(), Room()]
        for room in rooms { try await room.open(100, in: container) }
        for step in 0..<20 {
            for number in 0..<3 {
                context.insert(
                    Parcel(
                        id: step * 3 + number, name: "n\(Int.random(in: 0..<4, using: &random))", details: "",
                        weight: Int.random(in: 0..<10, using: &random)))
            }
            for parcel in try context.fetch(FetchDescriptor<Parcel>()).shuffled(using: &random).prefix(3) {
                if step % 4 == 3 { context.delete(parcel) } else { parcel.weight = .random(in: 0..<10, using: &random) }
            }
            try context.save()
        }
        #expect(try wall.faults(container) == 0)
        for room in rooms { #expect(try await room.faults(container) == 0) }
    }

    @Test("hold one difference for a sequence that nobody reads, however many saves there were")
    func holdOneDifference() async throws {
        let container = try ModelContainer(
            for: Parcel.self, configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let observer = try ResultsObserver<Parcel, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        var slow = observer.makeDifferences().makeAsyncIterator()
        var shown: [PersistentIdentifier] = []
        for round in 0..<3 {
            for step in 0..<40 {
                context.insert(Parcel(id: -round * 40 - step, name: "n", details: "", weight: 1))
                if step % 3 == 2, let first = try context.fetch(FetchDescriptor<Parcel>()).first {
                    context.delete(first)
                }
                try context.save()
                observer.refresh()
            }
            let difference = try #require(await slow.next())
            #expect(!difference.isReset)
            for place in (difference.deletions + difference.moves.map(\.from)).sorted().reversed() {
                shown.remove(at: place[1])
            }
            let arrivals =
                difference.insertions.map { ($0.position, $0.identifier) }
                + difference.moves.map { ($0.to, $0.identifier) }
            for (place, identifier) in arrivals.sorted(by: { $0.0 < $1.0 }) { shown.insert(identifier, at: place[1]) }
            #expect(shown == observer.results.identifiers)
        }
    }

    @Test("start a slow sequence over when too much has changed, and go on")
    func startOver() async throws {
        let container = try ModelContainer(
            for: Parcel.self, configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let observer = try ResultsObserver<Parcel, Never>(sortBy: [SortDescriptor(\.id)], modelContainer: container)
        var differences = observer.makeDifferences().makeAsyncIterator()
        // Set in place, an order is a difference, here without rows.
        observer.sortBy = [SortDescriptor(\.id, order: .reverse)]
        let count = 66_000
        for id in 1...count { context.insert(Parcel(id: id, name: "n", details: "", weight: 1)) }
        try context.save()
        observer.refresh()
        #expect(await differences.next()?.isReset == true)
        #expect(observer.results.count == count && observer.results.first?.id == count)
        context.insert(Parcel(id: count + 1, name: "n", details: "", weight: 1))
        try context.save()
        observer.refresh()
        let difference = try #require(await differences.next())
        #expect(!difference.isReset && difference.insertions.map(\.position) == [[0, 0]])
    }

    @Test("end a sequence whose task is cancelled")
    func endWhenCancelled() async throws {
        let container = try ModelContainer(
            for: Parcel.self, configurations: ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true))
        let observer = try ResultsObserver<Parcel, Never>(modelContainer: container)
        let task = Task {
            var count = 0
            for await _ in observer.makeDifferences() { count += 1 }
            return count
        }
        task.cancel()
        #expect(await task.value == 0)
    }
}
