import Foundation
import LoamStorage
import Testing

@testable import Loam

@Suite("A container with several stores")
struct SeveralStoresTests {
    let files: TwoFiles
    let container: ModelContainer

    init() throws {
        files = try TwoFiles()
        container = try files.open()
    }

    /// Saves a voyage with two anchorages and a remark with a mark, in one save.
    @discardableResult
    private func fill(_ context: ModelContext) throws -> (Voyage, Remark) {
        let north = Voyage("North", days: 9)
        north.anchorages = [Anchorage("Bergen"), Anchorage("Tromsø")]
        context.insert(north)
        let remark = Remark("Cold", stars: 4, about: north.persistentModelID)
        remark.marks = [Mark("weather")]
        context.insert(remark)
        try context.save()
        return (north, remark)
    }

    @Test("keeps each model in the file of its configuration, with what it leads to")
    func eachInItsFile() throws {
        let context = ModelContext(container)
        try fill(context)
        #expect(!context.hasChanges)
        let names = try container.stores.map { Set(try $0.store.catalog().schema.entities.map(\.name)) }
        #expect(names == [["Voyage", "Anchorage"], ["Remark", "Mark"]])
        #expect(try files.storedVoyages() == ["North"])
        #expect(try files.storedRemarks() == ["Cold"])
        for store in container.stores { #expect(try store.store.check().faults == []) }
        #expect(container.configurations.map(\.name).sorted() == ["remarks", "voyages"])
        #expect(container.schema.entities.map(\.name) == ["Anchorage", "Mark", "Remark", "Voyage"])
    }

    @Test("is found again with all it held, in the files in either order")
    func reopened() throws {
        let (voyage, remark) = try fill(ModelContext(container))
        let ids = [voyage.persistentModelID, remark.persistentModelID]
        let other = try ModelContainer(
            for: Remark.self, Voyage.self,
            configurations: ModelConfiguration(url: files.remarks),
            ModelConfiguration(schema: Schema([Voyage.self]), url: files.voyages))
        let context = ModelContext(other)
        #expect((context.model(for: ids[0]) as? Voyage)?.anchorages.map(\.name) == ["Bergen", "Tromsø"])
        #expect((context.model(for: ids[1]) as? Remark)?.marks.map(\.name) == ["weather"])
    }

    @Test("has identifiers that name their store, and finds models by them")
    func identifiers() throws {
        let context = ModelContext(container)
        let (voyage, remark) = try fill(context)
        let stores = [voyage.persistentModelID.storeIdentifier, remark.persistentModelID.storeIdentifier]
        #expect(stores[0] != stores[1])
        #expect(
            stores == [
                container.storeIdentifier(forConfigurationNamed: "voyages"),
                container.storeIdentifier(forConfigurationNamed: "remarks"),
            ])
        #expect(container.storeIdentifier(forConfigurationNamed: "others") == nil)
        #expect(stores.map { container.configurationName(forStoreIdentifier: $0 ?? "") } == ["voyages", "remarks"])
        // Each file has row ids of its own, so the first rows of both have the same.
        #expect(voyage.persistentModelID.rowID == remark.persistentModelID.rowID)

        let later = ModelContext(container)
        #expect(later.registeredModel(for: voyage.persistentModelID) as Voyage? == nil)
        let found = try #require(later.model(for: voyage.persistentModelID) as? Voyage)
        #expect(found.name == "North" && found.modelContext === later)
        #expect((later.model(for: remark.persistentModelID) as? Remark)?.text == "Cold")
        #expect(later.registeredModel(for: voyage.persistentModelID) as Voyage? === found)
        #expect(later.registeredModel(for: voyage.persistentModelID) as Remark? == nil)
        let about = voyage.persistentModelID
        #expect(try later.fetch(FetchDescriptor<Remark>()).map(\.about) == [about])
        #expect(
            try later.fetch(FetchDescriptor<Voyage>(predicate: #Predicate { $0.persistentModelID == about })).first
                === found)
        let other = remark.persistentModelID
        #expect(
            try later.fetchCount(FetchDescriptor<Voyage>(predicate: #Predicate { $0.persistentModelID == other })) == 0)
    }

    @Test("reads an identifier that names one store and a model of the other as a model without a row")
    func mixedIdentifier() throws {
        let context = ModelContext(container)
        let (voyage, remark) = try fill(context)
        let mixed = try PersistentIdentifier.identifier(
            for: #require(voyage.persistentModelID.storeIdentifier), entityName: "Remark",
            primaryKey: remark.persistentModelID.rowID)
        #expect((context.model(for: mixed) as? Remark)?.text == "")
        #expect(context.registeredModel(for: mixed) as Remark? == nil)
        #expect(try context.fetch(FetchDescriptor<Remark>()).map(\.text) == ["Cold"])
    }

    @Test("keeps the objects and changes of rows with one number apart")
    func sameRows() throws {
        let context = ModelContext(container)
        let (voyage, remark) = try fill(context)
        #expect(voyage.persistentModelID.rowID == remark.persistentModelID.rowID)
        context.delete(voyage)
        #expect(voyage.isDeleted && !remark.isDeleted)
        #expect(try context.fetchCount(FetchDescriptor<Remark>()) == 1)
        #expect(try context.fetchCount(FetchDescriptor<Anchorage>()) == 0)
        remark.stars = 5
        context.rollback()
        #expect(remark.stars == 4 && !voyage.isDeleted && voyage.anchorages.count == 2)
        try context.delete(model: Voyage.self)
        #expect(!remark.isDeleted && remark.marks.count == 1)
        try context.save()
        #expect(try files.storedVoyages() == [])
        #expect(try files.storedRemarks() == ["Cold"])
    }

    @Test("fetches, counts, enumerates and deletes models of either file, with what is not saved")
    func fetches() throws {
        let context = ModelContext(container)
        try fill(context)
        context.insert(Voyage("South", days: 30))
        context.insert(Remark("Hot", stars: 1))
        let long = #Predicate<Voyage> { $0.days > 10 }
        #expect(try context.fetch(FetchDescriptor(predicate: long)).map(\.name) == ["South"])
        let good = #Predicate<Remark> { remark in remark.marks.contains { $0.name == "weather" } }
        #expect(try context.fetch(FetchDescriptor(predicate: good)).map(\.text) == ["Cold"])
        var names: [String] = []
        try context.enumerate(FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)])) { names.append($0.text) }
        #expect(names == ["Cold", "Hot"])
        let batched = try context.fetch(FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)]), batchSize: 1)
        #expect(batched.map(\.name) == ["North", "South"])
        try context.delete(model: Remark.self, where: #Predicate { $0.stars < 3 })
        #expect(try context.fetch(FetchDescriptor<Remark>()).map(\.text) == ["Cold"])
        let named = FetchDescriptor<Remark>(predicate: #Predicate { $0.text == "Cold" })
        #expect(try context.explanation(of: named).description.contains("text"))
        #expect(context.insertedModelsArray.count == 1)
        try context.save()
        #expect(try files.storedVoyages() == ["North", "South"])
        #expect(try files.storedRemarks() == ["Cold"])
    }

    @Test("tells of a save of several files once, with the identifiers of all")
    func notification() throws {
        let context = ModelContext(container)
        let (voyage, remark) = try fill(context)
        let told = Told(context)
        voyage.days = 10
        context.delete(remark)
        let new = Remark("Wet")
        context.insert(new)
        let id = remark.persistentModelID
        try context.save()
        #expect(told.willSaves == 1 && told.didSaves == 1)
        #expect(told.identifiers["updatedIdentifiers"] == [voyage.persistentModelID])
        #expect(told.identifiers["insertedIdentifiers"] == [new.persistentModelID])
        #expect(told.identifiers["deletedIdentifiers"]?.contains(id) == true)
        voyage.days = 11
        try context.save()
        #expect(told.didSaves == 2)
        #expect(try container.stores[1].store.read { try $0.lastSave() } == 2)
    }

    @Test("sees what other contexts save to either file")
    func otherContexts() throws {
        let context = ModelContext(container)
        let (voyage, remark) = try fill(context)
        let other = ModelContext(container)
        let (theirVoyage, theirRemark) = (
            other.model(for: voyage.persistentModelID) as? Voyage, other.model(for: remark.persistentModelID) as? Remark
        )
        theirVoyage?.days = 77
        try other.save()
        theirRemark?.stars = 2
        try other.save()
        context.processPendingChanges()
        #expect(voyage.days == 77 && remark.stars == 2)
    }

    @Test("saves the main context's changes of either file by itself")
    @MainActor func autosave() async throws {
        let context = container.mainContext
        let saves = Told(context)
        context.insert(Voyage("North"))
        context.insert(Remark("Cold"))
        for _ in 0..<1_000 where context.hasChanges { await Task { @MainActor in }.value }
        #expect(saves.didSaves == 1)
        #expect(try files.storedVoyages() == ["North"])
        #expect(try files.storedRemarks() == ["Cold"])
    }

    @Test("has observers of models of either file")
    @MainActor func observers() throws {
        let context = ModelContext(container)
        let voyages = try ResultsObserver<Voyage, Never>(sortBy: [SortDescriptor(\.name)], modelContext: context)
        let remarks = try ResultsObserver<Remark, Int>(
            sortBy: [SortDescriptor(\.stars)], sectionBy: \.stars, modelContext: context)
        try fill(context)
        context.insert(Remark("Hot", stars: 1))
        try context.save()
        voyages.refresh()
        remarks.refresh()
        #expect(voyages.results.map(\.name) == ["North"])
        #expect(remarks.sections?.map { $0.map(\.text) } == [["Hot"], ["Cold"]])
        #expect(remarks.sections?.sectionTitles == [1, 4])
        let (north, hot) = (try #require(voyages.results.first), try #require(remarks.results.first))
        #expect(voyages.indexPath(for: north) == [0, 0])
        #expect(remarks.results.index(of: north.persistentModelID) == nil)
        #expect(hot.modelContext === context)
        context.delete(north)
        try context.save()
        voyages.refresh()
        remarks.refresh()
        #expect(voyages.results.isEmpty && remarks.results.count == 2)
    }

    @Test("keeps a context alive by a model of any of its files")
    func lifetime() throws {
        try fill(ModelContext(container))
        var context: ModelContext? = ModelContext(container)
        weak let weakContext = context
        let remark = try #require(try context?.fetch(FetchDescriptor<Remark>()).first)
        context = nil
        #expect(remark.marks.map(\.name) == ["weather"])
        #expect(weakContext != nil)
        remark.stars = 1
        #expect(weakContext == nil && remark.modelContext == nil)
        #expect(remark.stars == 1)
    }

    @Test("erases all files, or none where one cannot be written")
    func erase() throws {
        try fill(ModelContext(container))
        let reading = try files.open(canSaveRemarks: false)
        #expect(throws: SwiftDataError.storage) { try reading.erase() }
        #expect(try files.storedVoyages() == ["North"])
        container.deleteAllData()
        #expect(try files.storedVoyages() == [])
        #expect(try files.storedRemarks() == [])
    }

    @Test("may have stores in memory beside files, and one that cannot be saved to")
    func mixed() throws {
        try fill(ModelContext(container))
        let reading = try files.open(canSaveRemarks: false)
        let context = ModelContext(reading)
        context.insert(Voyage("South"))
        try context.save()
        #expect(try files.storedVoyages() == ["North", "South"])
        let remark = try #require(try context.fetch(FetchDescriptor<Remark>()).first)
        remark.stars = 0
        context.insert(Voyage("West"))
        #expect(throws: SwiftDataError.storage) { try context.save() }
        #expect(try files.storedVoyages() == ["North", "South"])
        context.rollback()
        #expect(remark.stars == 4 && !context.hasChanges)

        let memory = try ModelContainer(
            for: Voyage.self, Remark.self,
            configurations: ModelConfiguration(schema: Schema([Voyage.self]), url: files.voyages),
            ModelConfiguration(isStoredInMemoryOnly: true))
        let both = ModelContext(memory)
        both.insert(Remark("Gone"))
        both.insert(Voyage("East"))
        try both.save()
        #expect(try both.fetch(FetchDescriptor<Remark>()).map(\.text) == ["Gone"])
        #expect(try files.storedVoyages() == ["East", "North", "South"])
        #expect(try files.storedRemarks() == ["Cold"])
    }

    @Test("serves actors with models of either file")
    func actors() async throws {
        try fill(ModelContext(container))
        let ids = try ModelContext(container).fetchIdentifiers(FetchDescriptor<Remark>())
        let keeper = RemarkKeeper(modelContainer: container)
        #expect(try await keeper.rate(#require(ids.first), 1) == "Cold")
        let stars = try ModelContext(container).fetch(FetchDescriptor<Remark>()).map(\.stars)
        #expect(stars == [1])
    }
}

@ModelActor private actor RemarkKeeper {
    func rate(_ id: PersistentIdentifier, _ stars: Int) throws -> String? {
        guard let remark = self[id, as: Remark.self] else { return nil }
        remark.stars = stars
        try modelContext.save()
        return remark.text
    }
}

/// What the notifications of a context said.
final class Told: @unchecked Sendable {
    private(set) var willSaves = 0
    private(set) var didSaves = 0
    /// The identifiers of the last save, by the names of the sets.
    private(set) var identifiers: [String: Set<PersistentIdentifier>] = [:]
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: ModelContext) {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(forName: ModelContext.willSave, object: context, queue: nil) { [weak self] _ in
                self?.willSaves += 1
            },
            center.addObserver(forName: ModelContext.didSave, object: context, queue: nil) { [weak self] in
                self?.note($0)
            },
        ]
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private func note(_ notification: Notification) {
        didSaves += 1
        identifiers = [:]
        for (key, value) in notification.userInfo ?? [:] {
            if let key = key as? ModelContext.NotificationKey, let set = value as? Set<PersistentIdentifier> {
                identifiers[key.rawValue] = set
            }
        }
    }
}
