import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Tells that somebody, in this process or another one, has written to a file: at once, and then at most once a second
/// for as long as the file is written to, and once more a second later. LMDB lets readers see a commit only after its
/// last write to the file, so who looks at once may be too early.
///
/// All watches of a process share one descriptor and one queue. A file that cannot be watched is never told of. The
/// watch ends when it is let go, which must not happen in its own call.
package final class FileWatch: Sendable {
    private let id: Int

    /// - Parameter onWrite: is called on a queue of the watches' own: it must only schedule.
    package init(path: String, onWrite: @escaping @Sendable () -> Void) {
        id = FileWatches.shared.add(path, onWrite)
    }

    deinit { FileWatches.shared.remove(id) }

    /// Whether the file is watched: not where it was not there, or the system cannot tell.
    package var isActive: Bool { FileWatches.shared.isWatching(id) }
}

/// The files that are watched.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `state` | its mutex | whoever begins or ends a watch; the queue | the process ends |
/// | `source` | nobody | `init` | the process ends |
private final class FileWatches: Sendable {
    struct Watch: Sendable {
        var file: Int32
        var onWrite: @Sendable () -> Void
        var rest: Rest?
    }

    /// The second after a call, in which there is no other.
    enum Rest {
        /// The call was for a write that may not have been visible yet: there is one more at the end.
        case afterWrite
        /// That one more call was made.
        case afterLook
        /// Something was written since the call: there is a call for that at the end.
        case written
    }

    struct State: Sendable {
        var watches: [Int: Watch] = [:]
        var nextID = 0
    }

    static let shared = FileWatches()

    private static let interval = DispatchTimeInterval.seconds(1)

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "loam.files", qos: .utility)
    /// The descriptor that tells of the files; negative where there is none.
    private let descriptor: Int32
    private nonisolated(unsafe) var source: (any DispatchSourceRead)?

    #if os(Linux)
        private init() {
            descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [unowned self] in takeEvents() }
            self.source = source
            source.resume()
        }

        private func file(at path: String) -> Int32 {
            descriptor < 0 ? -1 : inotify_add_watch(descriptor, path, UInt32(IN_MODIFY))
        }

        private func forget(_ file: Int32) { inotify_rm_watch(descriptor, file) }

        /// Takes what has happened, and calls those who are to know.
        private func takeEvents() {
            var written: Set<Int32> = []
            withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
                while true {
                    let count = read(descriptor, buffer.baseAddress, buffer.count)
                    guard count > 0 else { return }
                    var offset = 0
                    let head = MemoryLayout<inotify_event>.size
                    while offset + head <= count {
                        let event = UnsafeRawBufferPointer(buffer).loadUnaligned(
                            fromByteOffset: offset, as: inotify_event.self)
                        written.insert(event.wd)
                        offset += head + Int(event.len)
                    }
                }
            }
            let ids = state.withLock { state in
                state.watches.filter { written.contains($0.value.file) || written.contains(-1) }.map(\.key)
            }
            for id in ids { tell(id) }
        }
    #else
        private init() { descriptor = -1 }
        private func file(at path: String) -> Int32 { -1 }
        private func forget(_ file: Int32) {}
    #endif

    func add(_ path: String, _ onWrite: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            state.nextID += 1
            state.watches[state.nextID] = Watch(file: file(at: path), onWrite: onWrite)
            return state.nextID
        }
    }

    func isWatching(_ id: Int) -> Bool { state.withLock { $0.watches[id].map { $0.file >= 0 } ?? false } }

    func remove(_ id: Int) {
        let removed = state.withLock { state in
            let removed = state.watches.removeValue(forKey: id)
            if let file = removed?.file, file >= 0, !state.watches.values.contains(where: { $0.file == file }) {
                forget(file)
            }
            return removed
        }
        // What the closure holds is let go outside of the lock.
        withExtendedLifetime(removed) {}
    }

    /// Calls a watch of whose file something was written, now or when the second since the last call is over.
    private func tell(_ id: Int) {
        let isResting = state.withLock { state in
            guard state.watches[id]?.rest != nil else { return false }
            state.watches[id]?.rest = .written
            return true
        }
        if !isResting { call(id, then: .afterWrite) }
    }

    private func call(_ id: Int, then rest: Rest) {
        let onWrite = state.withLock { state in
            state.watches[id]?.rest = rest
            return state.watches[id]?.onWrite
        }
        guard let onWrite else { return }
        queue.asyncAfter(deadline: .now() + Self.interval) { [unowned self] in endRest(id) }
        onWrite()
    }

    private func endRest(_ id: Int) {
        let ended = state.withLock { state in
            defer { state.watches[id]?.rest = nil }
            return state.watches[id]?.rest
        }
        switch ended {
        case .written: call(id, then: .afterWrite)
        case .afterWrite: call(id, then: .afterLook)
        case .afterLook, nil: break
        }
    }
}
