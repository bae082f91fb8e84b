import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Tells a forked child from the process that opened an environment, at the price of one load.
///
/// LMDB does not stop a child from using what it inherited, and its locks do not count for it ("Caveats" in lmdb.h).
/// `getpid` is a system call; a handler that runs in every child after `fork` is not. A child made by a bare system
/// call escapes it, so a write transaction compares process identifiers as well.
enum ForkMark {
    private static let count = Atomic<UInt>(0)

    /// For each descriptor whether a child closes it. Plain bytes: a child has one thread, and only the parent's
    /// writes them.
    nonisolated(unsafe) private static let closedInChild: UnsafeMutablePointer<Bool> = {
        let flags = UnsafeMutablePointer<Bool>.allocate(capacity: descriptorLimit)
        flags.initialize(repeating: false, count: descriptorLimit)
        return flags
    }()
    private static let descriptorLimit = 1 << 12

    private static let isWatching: Bool = {
        _ = closedInChild
        return pthread_atfork(nil, nil, { ForkMark.passed() }) == 0
    }()

    private static func passed() {
        count.add(1, ordering: .relaxed)
        for descriptor in 0..<descriptorLimit where closedInChild[descriptor] {
            Glibc.close(Int32(descriptor))
            closedInChild[descriptor] = false
        }
    }

    /// Says whether children close a descriptor at once. One that a child kept would hold its `flock` longer than the
    /// process that took it.
    static func setClosedInChild(_ descriptor: Int32, isClosed: Bool) {
        guard (0..<Int32(descriptorLimit)).contains(descriptor) else { return }
        closedInChild[Int(descriptor)] = isClosed
    }

    /// Forks between the first process and this one.
    static var current: UInt { count.load(ordering: .relaxed) }

    /// The mark to compare with later; the first call starts the counting.
    static func start() -> UInt {
        _ = isWatching
        return current
    }
}
