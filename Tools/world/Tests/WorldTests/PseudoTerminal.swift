import Foundation
import TerminalEmulator

/// A program in a terminal of its own, and what that terminal shows.
final class PseudoTerminal {
    /// Says that the system refused, or that the program ended before something was seen.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let master: Int32
    private let slaveName: String
    /// Kept open, so that the terminal's settings can be read when the program has ended.
    private let slave: Int32
    let process: pid_t
    private(set) var emulator: TerminalEmulator
    /// Everything that was written.
    private(set) var output: [UInt8] = []

    /// Starts a program in a new session whose terminal this is.
    init(_ program: String, _ arguments: [String], rows: Int = 24, columns: Int = 80) throws {
        // What unlocks a terminal and gives its number in <asm/ioctls.h>, as the C library's module lacks `unlockpt`.
        let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (isLocked, number): (Int32, Int32) = (0, 0)
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0, ioctl(master, unlock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0 else {
            throw Failure(description: "There is no pseudo-terminal.")
        }
        slaveName = "/dev/pts/\(number)"
        slave = open(slaveName, O_RDWR | O_NOCTTY | O_CLOEXEC)
        emulator = TerminalEmulator(rows: rows, columns: columns)
        Self.setSize(master: master, rows, columns)
        process = try Self.spawn(program, arguments, on: slaveName)
    }

    private static func spawn(_ program: String, _ arguments: [String], on terminal: String) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // The first terminal that the leader of a session opens is the session's.
        posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, 0, 1)
        posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // What other tests have open is not the program's.
        for descriptor in 3..<min(1_024, Int32(sysconf(Int32(_SC_OPEN_MAX)))) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, 0x80)  // POSIX_SPAWN_SETSID, which the C library's module lacks.
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, program, &actions, &attributes, &words, environ) == 0 else {
            throw Failure(description: "\(program) does not start.")
        }
        return process
    }

    private static func setSize(master: Int32, _ rows: Int, _ columns: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        kill(process, SIGKILL)
        close(slave)
        close(master)
    }

    /// Makes the terminal another size: the program is told by a signal.
    func resize(rows: Int, columns: Int) {
        emulator = TerminalEmulator(rows: rows, columns: columns)
        Self.setSize(master: master, rows, columns)
    }

    /// Presses keys.
    func type(_ keys: String) {
        let bytes = Array(keys.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Reads once. False where there is nothing more, as the program has ended.
    private func read(wait: Bool = true) -> Bool {
        var waits = [pollfd(fd: master, events: Int16(POLLIN), revents: 0)]
        guard poll(&waits, 1, wait ? 50 : 0) > 0 else { return kill(process, 0) == 0 && !isEnded }
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = Foundation.read(master, &bytes, bytes.count)
        guard count > 0 else { return false }
        output += bytes.prefix(count)
        emulator.feed(bytes.prefix(count))
        return true
    }

    private var isEnded: Bool {
        var info = siginfo_t()
        return waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_signo == SIGCHLD
    }

    /// Waits until something is seen.
    func wait(until holds: (TerminalEmulator) -> Bool) throws {
        while !holds(emulator) {
            guard read() else { throw Failure(description: "The program ended. It showed:\n\(emulator.text)") }
        }
    }

    /// Waits until a text is seen.
    func wait(for text: String) throws { try wait { $0.text.contains(text) } }

    /// Waits until the program has stopped itself.
    func waitForStop() {
        var status: Int32 = 0
        waitpid(process, &status, WUNTRACED)
        while hasOutput { _ = read(wait: false) }
    }

    private var hasOutput: Bool {
        var waits = [pollfd(fd: master, events: Int16(POLLIN), revents: 0)]
        return poll(&waits, 1, 0) > 0 && waits[0].revents & Int16(POLLIN) != 0
    }

    /// Waits for the end of the program, and gives the status as `waitpid` does.
    func end() -> Int32 {
        while !isEnded { _ = read() }
        while hasOutput { _ = read(wait: false) }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status
    }

    /// The modes of the terminal that raw mode changes.
    var modes: [UInt32] {
        var settings = termios()
        tcgetattr(slave, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_lflag]
    }
}
