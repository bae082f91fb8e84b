import Foundation
import LoamUI
import Observation
import Testing

@Model private final class Village {
    var name: String
    var note: String?
    var population = 0

    init(name: String) { self.name = name }
}

@Observable private final class Settings {
    var volume = 1
}

/// A text with an action that sets it through a binding.
private struct Field: View {
    @Binding var text: String

    var body: some View {
        Label(text)
        Press(name: "set") { text += "!" }
    }
}

private struct VillageEditor: View {
    @Bindable var village: Village

    var body: some View { Field(text: $village.name) }
}

private struct LocalEditor: View {
    let village: Village

    var body: some View {
        @Bindable var village = village
        Field(text: $village.name)
        Label(Bindable(village).note.wrappedValue ?? "none")
    }
}

@Suite("Bindings to the properties of observable objects")
@MainActor
struct BindableTests {
    private let container: ModelContainer

    init() throws {
        let configuration = ModelConfiguration(UUID().uuidString, isStoredInMemoryOnly: true)
        container = try ModelContainer(for: Village.self, configurations: configuration)
    }

    @Test("A view that reads through one is rendered when the property changes, and sets it")
    func property() {
        let village = Village(name: "Ulm")
        container.mainContext.insert(village)
        let host = ViewHost { VillageEditor(village: village) }
        #expect(host.texts == ["Ulm"])
        host.press("set")
        host.render()
        #expect(village.name == "Ulm!" && host.texts == ["Ulm!"])
        village.name = "Rom"
        host.render()
        #expect(host.texts == ["Rom"])
        let evaluations = host.evaluations
        village.population = 7
        host.render()
        #expect(host.evaluations == evaluations)
        host.unmount()
    }

    @Test("One may be made within a body")
    func local() {
        let village = Village(name: "Ulm")
        let host = ViewHost { LocalEditor(village: village) }
        #expect(host.texts == ["Ulm", "none"])
        host.press("set")
        Bindable(village).note.wrappedValue = "old"
        host.render()
        #expect(host.texts == ["Ulm!", "old"] && village.note == "old")
        host.unmount()
    }

    @Test(
        "They lead to the same model before and after it is saved by itself, and after it is deleted",
        .timeLimit(.minutes(30)))
    func autosaved() async throws {
        let context = container.mainContext
        let village = Village(name: "Ulm")
        context.insert(village)
        let host = ViewHost { VillageEditor(village: village) }
        let name = Bindable(village).name
        for round in 0..<3 {
            host.press("set")
            while context.hasChanges { await Task.yield() }
            host.render()
            let expected = "Ulm" + String(repeating: "!", count: round + 1)
            #expect(!context.hasChanges && host.texts == [expected] && name.wrappedValue == expected)
            #expect(try ModelContext(container).fetch(\Village.name) == [expected])
        }
        context.delete(village)
        try context.save()
        #expect(name.wrappedValue == "Ulm!!!")
        host.unmount()
    }

    @Test("Any observable class has them") func otherClasses() {
        let settings = Settings()
        let volume = Bindable(settings).volume
        volume.wrappedValue += 1
        volume.animation(.default).wrappedValue *= 5
        #expect(settings.volume == 10)
    }
}
