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
/// for as long as the file is written to.
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
        /// When it was called last; nil before.
        var last: DispatchTime?
        /// Whether it is going to be called when a second is over.
        var isWaiting = false
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

    /// Calls a watch, now or when a second has passed since the last time.
    private func tell(_ id: Int) {
        let now = DispatchTime.now()
        let call = state.withLock { state -> (@Sendable () -> Void)? in
            guard let watch = state.watches[id], !watch.isWaiting else { return nil }
            if let last = watch.last, now < last + Self.interval {
                state.watches[id]?.isWaiting = true
                queue.asyncAfter(deadline: last + Self.interval) { [unowned self] in
                    self.state.withLock { $0.watches[id]?.isWaiting = false }
                    tell(id)
                }
                return nil
            }
            state.watches[id]?.last = now
            return watch.onWrite
        }
        call?()
    }
}
