import Observation
import Synchronization
import Testing

@testable import Loam

@Model final class TrackedNote {
    var text: String

    init(text: String) { self.text = text }
}

@Suite("An access is tracked exactly when somebody tracks it")
struct ObservationSensorTests {
    @Test("inside and outside of tracking, and inside tracking in tracking")
    func tracking() {
        withObservationTracking {
            #expect(ObservationSensor.isTracking)
            withObservationTracking {
                #expect(ObservationSensor.isTracking)
            } onChange: {
            }
            #expect(ObservationSensor.isTracking)
        } onChange: {
        }
    }

    @Test("models that were read outside of tracking notify those who track them later")
    func later() async throws {
        let container = try ModelContainer(
            for: TrackedNote.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let note = TrackedNote(text: "a")
        context.insert(note)
        try context.save()
        #expect(note.text == "a")
        let changes = Counter()
        withObservationTracking {
            _ = note.text
        } onChange: {
            changes.count.withLock { $0 += 1 }
        }
        note.text = "b"
        #expect(changes.count.withLock { $0 } == 1)
    }
}

private final class Counter: Sendable {
    let count = Mutex(0)
}
