import Foundation
import Synchronization
import WorldFaces

/// Why a terminal cannot be used.
enum TerminalError: Error, CustomStringConvertible {
    /// Input or output is a file or a pipe.
    case noTerminal(String)
    /// The system refused.
    case system(call: String, code: Int32)

    var description: String {
        switch self {
        case .noTerminal(let which):
            "Standard \(which) is no terminal. Run the program in one, or show the countries in a browser with --serve."
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        }
    }
}

/// The terminal of the program: its mode, its size, and what is written to it.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `settingsToRestore` | atomic; what it points to is written before and never after | `enter()`, `leave()` | the process ends |
struct TerminalDevice: Sendable {
    private static let start = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[2J"
    /// Colours off, cursor on, and the screen as it was before.
    fileprivate static let stop: StaticString = "\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    /// - Throws: ``TerminalError/noTerminal(_:)`` where input or output is none.
    init() throws {
        guard isatty(STDIN_FILENO) == 1 else { throw TerminalError.noTerminal("input") }
        guard isatty(STDOUT_FILENO) == 1 else { throw TerminalError.noTerminal("output") }
    }

    /// Raw mode and a screen of its own, until ``leave()``, or until the program crashes.
    func enter() throws {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
            throw TerminalError.system(call: "tcgetattr", code: errno)
        }
        let saved = UnsafeMutablePointer<termios>.allocate(capacity: 1)
        saved.initialize(to: settings)
        // The settings of an earlier call stay allocated: a handler may be reading them.
        settingsToRestore.store(UInt(bitPattern: saved), ordering: .sequentiallyConsistent)
        Self.restoreAtCrashes()
        cfmakeraw(&settings)
        guard tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings) == 0 else {
            throw TerminalError.system(call: "tcsetattr", code: errno)
        }
        write(Self.start)
    }

    /// The mode and the screen as they were. Without effect where they are.
    func leave() { restoreTerminal() }

    private static func restoreAtCrashes() {
        for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE] {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                restoreTerminal()
                signal(number, SIG_DFL)
                raise(number)
            }
            sigaction(number, &action, nil)
        }
    }

    /// Rows and columns; 24 and 80 where the terminal does not say.
    var size: (rows: Int, columns: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return (24, 80)
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }

    /// Writes all of a text. What a terminal that is gone does not take is dropped.
    func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

/// The address of the settings before raw mode; 0 where the terminal has them.
let settingsToRestore = Atomic<UInt>(0)

/// Also called by handlers of signals: it uses only what POSIX allows there.
private func restoreTerminal() {
    let address = settingsToRestore.exchange(0, ordering: .sequentiallyConsistent)
    guard let settings = UnsafePointer<termios>(bitPattern: address) else { return }
    _ = write(STDOUT_FILENO, TerminalDevice.stop.utf8Start, TerminalDevice.stop.utf8CodeUnitCount)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, settings)
}
