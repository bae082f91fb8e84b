import Foundation
import LoamStorage
import Synchronization
import Testing

@testable import Loam

@Suite("A save to several stores")
struct SeveralStoresSavingTests {
    private let files: TwoFiles
    private let container: ModelContainer

    init() throws {
        files = try TwoFiles()
        container = try files.open()
        let context = ModelContext(container)
        context.insert(Remark("Cold", stars: 4))
        context.insert(Remark("Hot", stars: 1))
        context.insert(Voyage("North"))
        try context.save()
    }

    private func remark(_ text: String, in context: ModelContext) throws -> Remark {
        try #require(
            try context.fetch(FetchDescriptor<Remark>(predicate: #Predicate { $0.text == text })).first)
    }

    private func saves() throws -> [UInt64] { try container.stores.map { try $0.store.read { try $0.lastSave() } } }

    @Test("writes no file where a model of any breaks a rule")
    func rule() throws {
        let context = ModelContext(container)
        let south = Voyage("South")
        context.insert(south)
        let hot = try remark("Hot", in: context)
        hot.text = "Cold"
        let (before, told) = (try saves(), Told(context))
        let error = try #require(throws: SwiftDataError.self) { try context.save() }
        #expect(error == .modelValidationFailure)
        #expect(error.detail.contains("remarks") && error.detail.contains("No store was saved"))
        #expect(try saves() == before && told.didSaves == 0)
        #expect(context.insertedModelsArray.count == 1 && context.changedModelsArray.count == 1)
        hot.text = "Warm"
        try context.save()
        #expect(try files.storedVoyages() == ["North", "South"])
        #expect(try files.storedRemarks() == ["Cold", "Warm"])
    }

    @Test("writes the files that have changes alone, one transaction each")
    func transactions() throws {
        let context = ModelContext(container)
        let before = try saves()
        context.insert(Voyage("South"))
        context.insert(Voyage("West"))
        try context.save()
        #expect(try saves() == [before[0] + 1, before[1]])
        try remark("Hot", in: context).stars = 2
        context.insert(Voyage("East"))
        try context.save()
        #expect(try saves() == [before[0] + 2, before[1] + 1])
        try context.save()
        #expect(try saves() == [before[0] + 2, before[1] + 1])
    }

    /// After the first file is committed, and before the second is, somebody else changes in the second what this save
    /// changes, which the policy refuses.
    @Test("that fails in the second file says that the first is saved, and keeps the changes of the second")
    func failsHalfway() throws {
        let context = ModelContext(container)
        context.mergePolicy = .throwOnConflict
        let south = Voyage("South")
        let hot = try remark("Hot", in: context)
        let others = try files.openRemarks()
        let reader = container.stores[0].store.changes.reader(after: try saves()[0])
        let meanwhile = Mutex<(any Error)?>(nil)
        reader.onArrival {
            do {
                let other = ModelContext(others, isolation: nil)
                let remarks = try other.fetch(FetchDescriptor<Remark>(predicate: #Predicate { $0.text == "Hot" }))
                remarks.first?.stars = 3
                try other.save()
            } catch {
                meanwhile.withLock { $0 = error }
            }
        }
        context.insert(south)
        hot.stars = 5
        let told = Told(context)
        let error = try #require(throws: SwiftDataError.self) { try context.save() }
        withExtendedLifetime(reader) {}
        #expect(meanwhile.withLock { $0 } == nil)
        #expect(error == .conflict)
        #expect(error.detail.contains("remarks") && error.detail.contains("Already saved: voyages"))
        #expect(told.didSaves == 1)
        #expect(told.identifiers["insertedIdentifiers"] == [south.persistentModelID])
        #expect(told.identifiers["updatedIdentifiers"] == [])
        #expect(try files.storedVoyages() == ["North", "South"])
        #expect(context.insertedModelsArray.isEmpty && context.changedModelsArray.count == 1)
        #expect(context.hasChanges && hot.hasChanges && !south.hasChanges && hot.stars == 5)
        context.mergePolicy = .propertyByProperty
        try context.save()
        #expect(try remark("Hot", in: ModelContext(container)).stars == 5)
        #expect(!context.hasChanges)
    }

    @Test("lists what it left out in any file")
    func dropped() throws {
        let (context, other) = (ModelContext(container), ModelContext(container))
        let hot = try remark("Hot", in: context)
        let north = try #require(try context.fetch(FetchDescriptor<Voyage>()).first)
        let ids = [north.persistentModelID, hot.persistentModelID]
        try other.delete(model: Remark.self, where: #Predicate { $0.text == "Hot" })
        try other.delete(model: Voyage.self)
        try other.save()
        hot.stars = 9
        north.days = 9
        try context.save()
        #expect(context.droppedChanges.map(\.identifier) == ids)
        #expect(hot.modelContext == nil && north.modelContext == nil)
    }

    @Test("takes in what those who are told of it change in another file")
    func willSave() throws {
        let context = ModelContext(container)
        let hot = try remark("Hot", in: context)
        let box = Unchecked(hot)
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.willSave, object: context, queue: nil
        ) { _ in box.value.stars = 7 }
        defer { NotificationCenter.default.removeObserver(token) }
        context.insert(Voyage("South"))
        try context.save()
        #expect(!context.hasChanges)
        #expect(try remark("Hot", in: ModelContext(container)).stars == 7)
    }

    @Test("by itself leaves a file alone that cannot be saved to")
    @MainActor func autosave() async throws {
        let context = try files.open(canSaveRemarks: false).mainContext
        let hot = try remark("Hot", in: context)
        let told = Told(context)
        hot.stars = 8
        context.insert(Voyage("South"))
        for _ in 0..<1_000 where told.didSaves == 0 { await Task { @MainActor in }.value }
        #expect(told.didSaves == 1)
        #expect(try files.storedVoyages() == ["North", "South"])
        #expect(context.changedModelsArray.count == 1)
        #expect(try context.fetchCount(FetchDescriptor<Voyage>()) == 2)
        #expect(throws: SwiftDataError.storage) { try context.save() }
    }
}

/// Lets a notification's block use a model, on the thread that posts the notification.
private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}
