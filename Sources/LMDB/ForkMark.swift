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

    private static let isWatching: Bool = pthread_atfork(nil, nil, { ForkMark.passed() }) == 0

    private static func passed() {
        count.add(1, ordering: .relaxed)
    }

    /// Forks between the first process and this one.
    static var current: UInt { count.load(ordering: .relaxed) }

    /// The mark to compare with later; the first call starts the counting.
    static func start() -> UInt {
        _ = isWatching
        return current
    }
}
