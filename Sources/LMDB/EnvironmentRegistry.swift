#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The environments that this process has open, one per file.
///
/// Opening a file twice in a process looks fine to LMDB, but closing either environment drops the file locks of both;
/// another process then reuses pages under living readers, which see wrong data and no error. The same holds for two
/// files with one lock file, so both are known.
///
/// | State | Guarded by | Written by | Until |
/// |---|---|---|---|
/// | `entries` | `mutex` | threads that open, and the last one to release | the process ends |
///
/// An entry whose environment is gone is being closed by another thread; who opens waits for that.
final class EnvironmentRegistry: @unchecked Sendable {
    static let shared = EnvironmentRegistry()

    private struct Entry {
        weak var environment: Environment?
        let lock: FileIdentity?
        let processID: pid_t
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    /// The open environments by data file.
    private var entries: [FileIdentity: Entry] = [:]

    private init() {
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    /// See ``Environment/open(path:options:)``.
    func open(path: String, options: Environment.Options) throws(LMDBError) -> Environment {
        // No reference may go while the lock is held: it may be the last one, whose end takes the lock.
        var other: Environment?
        let (environment, isNew) = try locked { () throws(LMDBError) in try find(path, options: options, &other) }
        guard isNew || options.isReadOnly || !environment.isReadOnly else {
            throw LMDBError(kind: .incompatible, call: "open for writing, open read-only", path: path)
        }
        return environment
    }

    private func locked<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// - Parameter other: takes an open environment of another file that keeps this one from being opened.
    private func find(
        _ path: String, options: Environment.Options, _ other: inout Environment?
    ) throws(LMDBError) -> (Environment, Bool) {
        var patience = Patience()
        while true {
            let candidate = try CandidateFile(path: path, options: options)
            if let entry = entry(of: candidate.file) {
                if let environment = entry.environment { return (environment, false) }
                pthread_cond_wait(changed, mutex)
                patience = Patience()
                continue
            }
            if let lock = try candidate.lockFile(), let entry = entry(withLock: lock) {
                candidate.removeIfMade()
                other = entry.environment
                guard other == nil else {
                    throw LMDBError(kind: .lockOfAnotherFile, call: "open", path: path)
                }
                pthread_cond_wait(changed, mutex)
                patience = Patience()
                continue
            }
            switch try candidate.open(options) {
            case .opened(let file):
                let environment = Environment(file, options: options)
                entries[candidate.file] = Entry(
                    environment: environment, lock: file.files.lock, processID: getpid())
                return (environment, true)
            case .unsettled(let error, let limit):
                guard patience.lasts(limit, for: error.kind, at: .now) else { throw error }
                waitForAMoment()
            }
        }
    }

    private func entry(of data: FileIdentity) -> Entry? {
        entries[data].flatMap { $0.processID == getpid() ? $0 : nil }
    }

    private func entry(withLock lock: FileIdentity) -> Entry? {
        entries.values.first { $0.lock == lock && $0.processID == getpid() }
    }

    /// Lets others go first, also threads that open or close another file; not all of them for the same time.
    private func waitForAMoment() {
        var end = timespec()
        clock_gettime(CLOCK_REALTIME, &end)
        let nanoseconds = end.tv_nsec + Int.random(in: 1...8) * 1_000_000
        end.tv_sec += nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(changed, mutex, &end)
    }

    /// Forgets a file after a body has closed its environment.
    func close(_ file: FileIdentity, _ body: () -> Void) {
        pthread_mutex_lock(mutex)
        body()
        entries[file] = nil
        pthread_cond_broadcast(changed)
        pthread_mutex_unlock(mutex)
    }
}

/// How long an opening tries again. The time for each reason is counted from when it was first met, so that time spent
/// waiting for another reason takes nothing from it.
struct Patience {
    private var since: [LMDBError.Kind: ContinuousClock.Instant] = [:]

    /// Whether less than so long has gone by since the reason was first met.
    mutating func lasts(_ limit: Duration, for reason: LMDBError.Kind, at now: ContinuousClock.Instant) -> Bool {
        let first = since[reason] ?? now
        since[reason] = first
        return first.duration(to: now) < limit
    }
}
