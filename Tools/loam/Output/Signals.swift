import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Sets what signals do to the tool.
///
/// | State | Guarded by | Written by | Until |
/// |---|---|---|---|
/// | `unfinishedFile` | set while no handler that reads it is installed | ``Signals/removeWhenEnded(_:)`` | the process ends |
/// | `childProcess` | the same | ``Signals/passOn(to:)`` | the process ends |
enum Signals {
    static let closedPipe = SIGPIPE

    /// Signals by which people and systems ask a process to end.
    private static let requests = [SIGHUP, SIGINT, SIGTERM]

    /// Makes errors of what would end the process in the middle of a write: a pipe that nobody reads, and the limit of
    /// file sizes.
    ///
    /// Opens a standard stream that is closed, for reading alone: otherwise the next file, which is the store, would
    /// get its descriptor and be written over by messages. Signals that ask the process to end are heard, whatever its
    /// parent's thread blocked.
    static func prepare() {
        var asked = sigset_t()
        sigemptyset(&asked)
        for number in requests { sigaddset(&asked, number) }
        pthread_sigmask(SIG_UNBLOCK, &asked, nil)
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 { _ = open("/dev/null", O_RDONLY) }
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
    }

    /// Ends the process as the signal would have; who waits for it sees the signal.
    static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        _exit(128 + number)
    }

    /// Whether a process that a signal ended did so by a fault of its own, not because somebody ended it.
    static func isFault(_ number: Int32) -> Bool {
        [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP, SIGFPE].contains(number)
    }

    /// Removes this file when the process is asked to end. The name is that of one file in the life of the process.
    static func removeWhenEnded(_ path: String) {
        unfinishedFile = strdup(path)
        handleRequests { number in
            if let path = unfinishedFile { unlink(path) }
            signal(number, SIG_DFL)
            raise(number)
        }
    }

    /// Asks a child process to end, too, when this one is; this one goes on and sees how the child ended.
    static func passOn(to child: Int32) {
        childProcess = child
        handleRequests { number in kill(childProcess, number) }
    }

    /// Calls a closure, on a thread of its own, when the process is asked to end for the first time; it goes on until
    /// it ends itself. Being asked once more ends it.
    ///
    /// Called on the main thread, before there are others: each thread hears what its maker heard when it was made.
    static func whenAsked(_ body: @escaping @Sendable () -> Void) {
        var awaited = sigset_t()
        sigemptyset(&awaited)
        for number in requests where !isIgnored(number) { sigaddset(&awaited, number) }
        pthread_sigmask(SIG_BLOCK, &awaited, nil)
        Thread.detachNewThread { [awaited] in
            var (awaited, number) = (awaited, Int32(0))
            sigwait(&awaited, &number)
            // From here on this thread is the one that they end.
            pthread_sigmask(SIG_UNBLOCK, &awaited, nil)
            body()
            while true { pause() }
        }
    }

    /// Calls a closure, on a thread of its own, when nobody can read standard output any more, though nothing is
    /// written to it. For a file that is never.
    static func whenOutputCloses(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread {
            // No events are asked for: errors and hang-ups are always told.
            var output = pollfd(fd: OutputDescriptor.standard.descriptor, events: 0, revents: 0)
            while poll(&output, 1, -1) < 0, errno == EINTR {}
            if output.revents & Int16(POLLERR | POLLHUP) != 0 { body() }
        }
    }

    /// Installs a handler, except for signals that the process was started without (`nohup`).
    private static func handleRequests(_ handler: @escaping @convention(c) (Int32) -> Void) {
        for number in requests where !isIgnored(number) { signal(number, handler) }
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        return action.__sigaction_handler.sa_handler.map { unsafeBitCast($0, to: Int.self) } == 1
    }
}

/// The path that a handler reads: plain memory that is never freed.
nonisolated(unsafe) private var unfinishedFile: UnsafeMutablePointer<CChar>?
nonisolated(unsafe) private var childProcess: Int32 = 0
