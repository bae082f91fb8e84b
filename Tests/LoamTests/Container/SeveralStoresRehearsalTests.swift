import Foundation
import Testing

@testable import Loam
@testable import LoamStorage

@Suite("The rehearsal of a save to several stores")
struct SeveralStoresRehearsalTests {
    /// The first write to an entity marks its index stale where another version of Loam makes the entries.
    @Test("leaves nothing to be made anew where it has marked an index stale")
    func staleIndex() throws {
        let files = try TwoFiles()
        let container = try files.open()
        let store = container.stores[1].store
        try store.apply(.addIndex(IndexDefinition([.init("stars")], name: "foreign"), to: "Remark"))
        try store.changeCatalog { document in
            for entity in document.schema.entities.indices {
                for index in document.schema.entities[entity].indexes.indices
                where document.schema.entities[entity].indexes[index].name == "foreign" {
                    document.schema.entities[entity].indexes[index].formVersion = "old"
                }
            }
        }
        let context = ModelContext(container)
        context.insert(Voyage("North"))
        context.insert(Remark("Cold", stars: 4))
        let remarks = context.stores[1]
        let prepared = try remarks.prepareSave()
        let rehearsed = try remarks.rehearse(prepared)
        #expect(rehearsed.batch.generation == store.knownGeneration)
        #expect(rehearsed.batch.generation != prepared.batch.generation)
        #expect(rehearsed.batch.rows.count == 1)
        try context.save()
        #expect(!context.hasChanges)
        #expect(try context.fetchCount(FetchDescriptor<Remark>()) == 1)
        #expect(try store.check().faults == [])
        withExtendedLifetime(files) {}
    }
}
