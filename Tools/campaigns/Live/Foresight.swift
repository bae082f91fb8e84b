import LoamLive
import LoamStorage
import Synchronization

/// Holds commits up, before they are made, until what they make of the results is worked out, as the disk does.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `reader` | its mutex | ``begin(with:)`` | the end |
/// | `isAwaited` | itself | whoever saves | the end |
final class Foresight: Sendable {
    let isAwaited = Atomic(false)
    private let store: Store
    private let reader = Mutex<ChangeReader?>(nil)

    init(_ store: Store) { self.store = store }

    /// - Parameter results: of one file.
    func begin(with results: [LiveResult]) {
        guard let save = try? store.read({ try $0.lastSave() }), let waiting = results.first?.foreseeing() else {
            return
        }
        let reader = store.changes.reader(after: save)
        reader.onAnnouncement { [weak self, weak reader] _ in
            // What was saved before is not kept for it.
            _ = reader?.take()
            if self?.isAwaited.load(ordering: .relaxed) == true { waiting() }
        }
        self.reader.withLock { $0 = reader }
    }
}
