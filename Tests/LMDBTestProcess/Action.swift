import Glibc
import LMDB

/// What the process can be told to do with the store at a path, with a number.
enum Action: String {
    /// Holds `number` snapshots until standard input ends.
    case read
    /// Stores `number` bytes in the database `added`.
    case fill
    /// Adds 1 to a number `number` times, a transaction each.
    case increment
    /// Opens the store, adds 1 to a number and closes the store, `number` times.
    case reopen
    /// Does what `reopen` does, without `flock`, as on a file system that has none.
    case reopenWithoutHolds
    /// Opens the store read-only.
    case openReadOnly
    /// Opens the store, gives up the right to look into its directory, and adds 1 to a number.
    case incrementUnseen
    /// Drops the database `words` and makes `others`.
    case swap
    /// Makes `number` databases.
    case makeDatabases
    /// Dies inside a write transaction.
    case dieWriting
    /// Forks; the child tries to use the environment that it inherited.
    case fork
    /// Opens the store with `number` bytes of address space left.
    case openShortOfAddresses
    /// Grows the map until `number` bytes of address space are used up.
    case growShortOfAddresses
    /// Writes until a limit of `number` bytes for a file is met.
    case writeBeyondFileSize
    /// Opens the store read-only as a user who owns nothing.
    case openAsNobody
    /// Opens the store for writing as a user who owns nothing.
    case openForWritingAsNobody

    func run(_ path: String, number: Int) throws {
        switch self {
        case .read: try Deed.hold(path, count: number)
        case .fill: try Deed.fill(path, byteCount: number)
        case .increment: try Deed.increment(path, times: number)
        case .reopen: try Deed.reopen(path, times: number)
        case .reopenWithoutHolds: try Deed.reopen(path, times: number, asksForHolds: false)
        case .openReadOnly: try Deed.openReadOnly(path)
        case .incrementUnseen: try Deed.incrementUnseen(path)
        case .swap: try Deed.swapDatabases(path)
        case .makeDatabases: try Deed.makeDatabases(path, count: number)
        case .dieWriting: try Deed.dieWriting(path)
        case .fork: try Deed.useInherited(path)
        case .openShortOfAddresses: try Deed.openShortOfAddresses(path, limit: number)
        case .growShortOfAddresses: try Deed.growShortOfAddresses(path, limit: number)
        case .writeBeyondFileSize: try Deed.writeBeyondFileSize(path, limit: number)
        case .openAsNobody: try Deed.openAsNobody(path, isReadOnly: true)
        case .openForWritingAsNobody: try Deed.openAsNobody(path, isReadOnly: false)
        }
    }
}

/// What each action does.
private enum Deed {
    /// Writes a line at once; standard output to a pipe is buffered.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }

    static func open(
        _ path: String, isReadOnly: Bool = false, mapSize: Int = 64 << 20, asksForHolds: Bool = true
    ) throws -> Environment {
        var options = Environment.Options()
        options.asksForHolds = asksForHolds
        options.durability = .unsynced
        options.isReadOnly = isReadOnly
        options.mapSize = mapSize
        return try Environment.open(path: path, options: options)
    }

    static func hold(_ path: String, count: Int) throws {
        let environment = try open(path)
        try holdMore(environment, count: count)
    }

    static func holdMore(_ environment: Environment, count: Int) throws {
        guard count > 0 else {
            say("ready")
            _ = readLine()
            return
        }
        try environment.read { _ in try holdMore(environment, count: count - 1) }
    }

    static func fill(_ path: String, byteCount: Int) throws {
        let environment = try open(path, mapSize: 16 << 20 + 2 * byteCount)
        try environment.write { transaction in
            let added = try transaction.openDatabase(named: "added", integerKeys: true)
            for key in 0..<UInt64(byteCount / 1000) {
                try transaction.reserve(byteCount: 1000, for: key, in: added) {
                    $0.initializeMemory(as: UInt8.self, repeating: 7)
                }
            }
        }
        print("done")
    }

    static func makeDatabases(_ path: String, count: Int) throws {
        var options = Environment.Options()
        options.durability = .unsynced
        options.expectedDatabases = count
        let environment = try Environment.open(path: path, options: options)
        try environment.write { transaction in
            for number in 0..<count {
                let database = try transaction.openDatabase(named: "made \(number)", integerKeys: true)
                try transaction.reserve(byteCount: 1, for: UInt64(number), in: database) {
                    $0.initializeMemory(as: UInt8.self, repeating: 7)
                }
            }
        }
        print("done")
    }

    static func increment(_ path: String, times: Int) throws {
        let environment = try open(path)
        for _ in 0..<times { try increment(environment) }
        print("done")
    }

    static func reopen(_ path: String, times: Int, asksForHolds: Bool = true) throws {
        for _ in 0..<times { try increment(open(path, asksForHolds: asksForHolds)) }
        print("done")
    }

    static func incrementUnseen(_ path: String) throws {
        let environment = try open(path)
        let end = path.lastIndex(of: "/") ?? path.startIndex
        guard chmod(String(path[..<end]), 0) == 0 else { return print("chmod: \(errno)") }
        if getuid() == 0 {
            setgid(65534)
            setuid(65534)
        }
        var status = stat()
        guard stat(path, &status) != 0, errno == EACCES else { return print("stat: \(errno)") }
        try increment(environment)
        print("done")
    }

    static func openReadOnly(_ path: String) throws {
        let environment = try open(path, isReadOnly: true)
        print("\(environment.isUnlocked ? "unlocked" : "locked") \(try environment.databaseNames())")
    }

    static func increment(_ environment: Environment) throws {
        try environment.write { transaction in
            let counters = try transaction.openDatabase(named: "counters", integerKeys: true)
            let old = try transaction.value(for: 1, in: counters)?.unsafeLoadUnaligned(as: UInt64.self) ?? 0
            let new = [old + 1]
            try transaction.put(new.span.bytes, for: 1, in: counters)
        }
    }

    static func swapDatabases(_ path: String) throws {
        let environment = try open(path)
        try environment.write { transaction in
            try transaction.drop(try transaction.openDatabase(named: "words", integerKeys: true))
            _ = try transaction.openDatabase(named: "others", integerKeys: true)
        }
        print("done")
    }

    static func dieWriting(_ path: String) throws {
        let environment = try open(path)
        try environment.write { transaction in
            let words = try transaction.openDatabase(named: "words", integerKeys: true)
            try transaction.put([UInt8(1)].span.bytes, for: 1, in: words)
            say("dying")
            kill(getpid(), SIGKILL)
        }
    }

    static func useInherited(_ path: String) throws {
        let environment = try open(path)
        // Swift does not offer fork, so it is looked up by its name.
        typealias Fork = @convention(c) () -> pid_t
        guard let symbol = dlsym(nil, "fork") else { return print("no fork") }
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            var refusals = 0
            do { try environment.read { _ in } } catch let error as LMDBError where error.kind == .forked {
                refusals += 1
            }
            do { try environment.write { _ in } } catch let error as LMDBError where error.kind == .forked {
                refusals += 1
            }
            _exit(Int32(refusals))
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        try environment.write { _ = try $0.openDatabase(named: "parent", integerKeys: true) }
        print("child \(status >> 8 & 0xFF), parent writes")
    }

    static func limit(_ resource: __rlimit_resource_t, to bytes: Int) {
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        setrlimit(resource, &limit)
    }

    /// The address space that the process uses, in bytes.
    static func addressSpace() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var pages = 0
        withUnsafeMutablePointer(to: &pages) { pointer in
            _ = withVaList([pointer]) { vfscanf(file, "%ld", $0) }
        }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    static func openShortOfAddresses(_ path: String, limit bytes: Int) throws {
        limit(.init(RLIMIT_AS.rawValue), to: addressSpace() + bytes)
        let environment = try open(path, mapSize: 16 << 30)
        print(try environment.info.mapSize)
    }

    static func growShortOfAddresses(_ path: String, limit bytes: Int) throws {
        let environment = try open(path, mapSize: 1 << 20)
        limit(.init(RLIMIT_AS.rawValue), to: addressSpace() + bytes)
        do throws(LMDBError) {
            while true { try environment.grow() }
        } catch {
            try environment.write { _ = try $0.openDatabase(named: "after", integerKeys: true) }
            print(error.kind)
        }
    }

    static func writeBeyondFileSize(_ path: String, limit bytes: Int) throws {
        signal(SIGXFSZ, SIG_IGN)
        limit(.init(RLIMIT_FSIZE.rawValue), to: bytes)
        try fill(path, byteCount: 2 * bytes)
    }

    static func openAsNobody(_ path: String, isReadOnly: Bool) throws {
        setgid(65534)
        setuid(65534)
        if isReadOnly { return try openReadOnly(path) }
        let environment = try open(path)
        print("\(environment.isUnlocked ? "unlocked" : "locked") \(try environment.databaseNames())")
    }
}
