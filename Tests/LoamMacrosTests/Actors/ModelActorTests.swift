import Testing

@Suite("@ModelActor")
struct ModelActorTests {
    @Test("An actor gets its container, executor and initializer")
    func expands() {
        expectExpansion(
            of: "@ModelActor public actor Importer {}",
            is: """
                public actor Importer {

                    public nonisolated let modelExecutor: any Loam.ModelExecutor

                    public nonisolated let modelContainer: Loam.ModelContainer

                    public init(modelContainer: Loam.ModelContainer) {
                        let modelContext = Loam.ModelContext(modelContainer)
                        self.modelExecutor = Loam.DefaultSerialModelExecutor(modelContext: modelContext)
                        self.modelContainer = modelContainer
                    }
                }

                extension Importer: Loam.ModelActor {
                }
                """)
    }

    @Test("Anything else is refused")
    func otherKinds() {
        let told = Diagnoses("@ModelActor final class Importer {}")
        #expect(told.messages == ["@ModelActor: '@ModelActor' can only be applied to an actor"])
        #expect(told.fixed == ["replace 'class' with 'actor'": "@ModelActor final actor Importer {}"])
        #expect(Diagnoses("@ModelActor enum Importer {}").fixed.isEmpty)
    }
}
