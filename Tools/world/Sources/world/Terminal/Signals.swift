import Foundation
import Synchronization

/// Signals as bytes in a pipe, which a thread can wait for beside the keyboard.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `signalPipe` | atomic | `Signals.catchAll()`, once | the process ends |
enum Signals {
    /// What ends the program.
    static let ending: [Int32] = [SIGINT, SIGTERM, SIGHUP]

    /// Catches what ends, stops or continues the program, and changes of the terminal's size.
    ///
    /// - Returns: the descriptor to read the signals' numbers from, a byte each.
    static func catchAll() throws -> Int32 {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw TerminalError.system(call: "pipe", code: errno) }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        signalPipe.store(ends[1], ordering: .sequentiallyConsistent)
        for signal in ending + [SIGWINCH, SIGTSTP, SIGCONT] { catchSignal(signal) }
        return ends[0]
    }

    private static func catchSignal(_ number: Int32) {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { number in
            // Only what POSIX lets a handler do: one write.
            let code = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
            errno = code
        }
        action.sa_flags = SA_RESTART
        sigaction(number, &action, nil)
    }

    /// Writes a byte that is no signal: whoever reads the pipe ends.
    static func endReading() {
        var byte: UInt8 = 0
        _ = write(signalPipe.load(ordering: .relaxed), &byte, 1)
    }

    /// Ends the program by a signal, as it would have without being caught.
    static func end(by number: Int32) -> Never {
        signal(number, SIG_DFL)
        kill(getpid(), number)
        exit(128 + number)
    }
}

/// Where the handler writes to.
let signalPipe = Atomic<Int32>(-1)
