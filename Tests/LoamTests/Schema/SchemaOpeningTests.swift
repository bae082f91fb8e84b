import Foundation
import Loam
import LoamStorage
import Synchronization
import Testing

@Suite("Opening a store for models")
struct SchemaOpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("the first time is one commit, and none when nothing is new")
    func commits() throws {
        for _ in 0..<3 {
            let container = try folder.open(Country.self, Everything.self, NewTrips.Trip.self)
            #expect(try container.store.info().lastTransaction == 1)
        }
    }

    @Test("after a change is one commit")
    func upgrade() throws {
        let before = try folder.openOld().store.info().lastTransaction
        #expect(try folder.openNew().store.info().lastTransaction == before + 1)
    }

    @Test("that is refused changes no byte of the file")
    func refusal() throws {
        do {
            let context = ModelContext(try folder.openOld())
            context.insert(OldTrips.Trip(1, "Lisbon"))
            try context.save()
        }
        let before = try Data(contentsOf: folder.store)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
            try folder.open(OtherTrips.Trip.self, OtherTrips.Guide.self)
        }
        #expect(error?.detail.contains("Trip.days") == true)
        #expect(try Data(contentsOf: folder.store) == before)
    }

    @Test("that a new constraint keeps from being whole changes no byte of the file")
    func brokenConstraint() throws {
        do {
            let context = ModelContext(try folder.openOld())
            for number in 1...2 { context.insert(OldTrips.Trip(number, "Lisbon")) }
            try context.save()
        }
        let before = try Data(contentsOf: folder.store)
        #expect(throws: SwiftDataError.modelValidationFailure) { try folder.openNew() }
        #expect(try Data(contentsOf: folder.store) == before)
    }

    @Test("that cannot be stored makes no file")
    func refusedFirstTime() throws {
        #expect(throws: SwiftDataError.self) { try folder.open(Unsupported.self) }
        #expect(!FileManager.default.fileExists(atPath: folder.store.path))
    }

    @Test("of the same file by several threads, for the first time and with newer models: all succeed")
    func threads() throws {
        for _ in 0..<20 {
            let folder = try TemporaryFolder()
            let failures = Mutex<[String]>([])
            let url = folder.store
            DispatchQueue.concurrentPerform(iterations: 8) { number in
                do {
                    let container =
                        try number.isMultiple(of: 2)
                        ? TripStore.openOld(url) : TripStore.openNew(url)
                    let context = ModelContext(container)
                    if number.isMultiple(of: 2) {
                        context.insert(OldTrips.Trip(number, "Trip \(number)"))
                    } else {
                        context.insert(NewTrips.Trip(number, "Trip \(number)"))
                    }
                    try context.save()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock(\.self) == [])
            let container = try folder.openNew()
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<NewTrips.Trip>()) == 8)
            #expect(try container.store.check().faults == [])
        }
    }

    @Model fileprivate final class Unsupported {
        // A program may choose the kind at run time, which the macro cannot see.
        static func kind() -> Loam.Schema.Index<Unsupported>.Types<Unsupported> { .rtree([\.width]) }
        #Index<Unsupported>(Unsupported.kind())
        var name: String
        var width = 0.0

        init(_ name: String) { self.name = name }
    }

    @Test("an index of a kind that is not there is refused by name")
    func rtree() throws {
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(Unsupported.self) }
        #expect(error?.detail.contains("Unsupported") == true && error?.detail.contains("rtree") == true)
    }

    @Test("two relationships with one inverse: the first has it, the other leads one way")
    func sameInverse() throws {
        let container = try folder.open(BackyardBirds.Yard.self)
        let context = ModelContext(container)
        let yard = BackyardBirds.Yard("Bird Springs")
        context.insert(yard)
        let (leading, trailing) = (BackyardBirds.Plant("Oak"), BackyardBirds.Plant("Fern"))
        yard.leadingPlants = [leading]
        yard.trailingPlants = [trailing]
        try context.save()
        let again = ModelContext(try folder.open(BackyardBirds.Yard.self))
        let stored = try #require(try again.fetch(FetchDescriptor<BackyardBirds.Yard>()).first)
        #expect(stored.leadingPlants.map(\.name) == ["Oak"])
        #expect(stored.trailingPlants.map(\.name) == ["Fern"])
        #expect(stored.leadingPlants[0].yard === stored)
        again.delete(stored)
        try again.save()
        #expect(try again.fetchCount(FetchDescriptor<BackyardBirds.Plant>()) == 0)
        #expect(try container.store.check().faults == [])
    }
}
