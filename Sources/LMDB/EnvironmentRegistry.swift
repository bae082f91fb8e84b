#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What makes two paths the same file.
struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// The environments that this process has open, one per file.
///
/// Opening a file twice in a process looks fine to LMDB, but closing either environment drops the file locks of both;
/// another process then reuses pages under living readers, which see wrong data and no error.
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
        let processID: pid_t
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var entries: [FileIdentity: Entry] = [:]

    private init() {
        mutex = .allocate(capacity: 1)
        changed = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(changed, nil)
    }

    /// See ``Environment/open(path:options:)``.
    func open(path: String, options: Environment.Options) throws(LMDBError) -> Environment {
        // The reference must not go while the lock is held: it may be the last one, whose end takes the lock.
        let (environment, isNew) = try locked { () throws(LMDBError) in try find(path, options) }
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

    private func find(_ path: String, _ options: Environment.Options) throws(LMDBError) -> (Environment, Bool) {
        while true {
            let candidate = try CandidateFile(path: path, options: options)
            if let entry = entries[candidate.file], entry.processID == getpid() {
                if let environment = entry.environment { return (environment, false) }
                pthread_cond_wait(changed, mutex)
                continue
            }
            let environment = Environment(try candidate.open(options), options: options)
            entries[candidate.file] = Entry(environment: environment, processID: getpid())
            return (environment, true)
        }
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
