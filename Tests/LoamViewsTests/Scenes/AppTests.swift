import LoamViews
import Testing

private struct CityCount: View {
    @Query private var cities: [City]
    @Environment(\.modelContextError) private var error
    @Environment(\.isEnabled) private var isEnabled
    var shown: City.ID?

    var body: some View { Text("\(cities.count) \(error == nil) \(isEnabled)") }
}

private struct WorldApp: App {
    @State private var presses = 0

    var body: some Scene {
        WindowGroup("World") {
            CityCount()
            Button("Press \(presses)") { presses += 1 }
        }
        .modelContainer(for: City.self, inMemory: true)
        .environment(\.isEnabled, true)
        WindowGroup { Text("second") }
    }
}

private struct CityCount_Previews: PreviewProvider {
    static var previews: some View {
        CityCount()
        Text("beside")
    }
}

@Suite("Apps") @MainActor
struct AppTests {
    @Test("have windows, and show the first with its container and their own state") func firstWindow() {
        #expect(WorldApp().body.windows.map(\.title) == ["World", nil])
        let host = ViewHost { AppView(WorldApp()) }
        #expect(host.texts == ["0 true true", "Press 0"])
        host.press("Press 0")
        #expect(host.texts == ["0 true true", "Press 1"])
        let second = ViewHost { WorldApp().body.windows[1].content }
        #expect(second.texts == ["second"])
    }

    @Test("have views to be shown beside their source") func previews() {
        #expect(
            ViewHost { CityCount_Previews.previews.modelContainer(for: City.self, inMemory: true) }.texts.last
                == "beside")
    }
}
