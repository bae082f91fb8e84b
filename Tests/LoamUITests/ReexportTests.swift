import LoamUI
import Testing

@Suite("What comes with LoamUI")
struct ReexportTests {
    @Test("Loam's names come with it") func loamComesAlong() throws {
        let container = try ModelContainer(
            for: Schema([]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        #expect(container.schema.entities.isEmpty)
    }
}
