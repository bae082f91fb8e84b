import Foundation

/// A child that runs this same program, its standard output at the other end of a pipe.
///
/// One thread uses it. Whoever makes one waits for its end with ``wait()``.
final class ChildProcess {
    /// How a child ended.
    enum Ending: Hashable, CustomStringConvertible {
        case exited(Int32)
        case signal(Int32)

        var description: String {
            switch self {
            case .exited(let status): "exit status \(status)"
            case .signal(let number): "signal \(number)"
            }
        }
    }

    private let processID: pid_t
    private let output: Int32
    private var rest: [UInt8] = []
    private(set) var isAtEnd = false

    init(_ arguments: [String], silencesErrors: Bool = false) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CampaignError("pipe: \(String(cString: strerror(errno)))") }
        defer { close(ends[1]) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        if silencesErrors {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        }
        let words = ["campaigns"] + arguments
        var pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, try Self.program(), &actions, nil, &pointers, environ)
        guard code == 0 else {
            close(ends[0])
            throw CampaignError("posix_spawn: \(String(cString: strerror(code)))")
        }
        (processID, output) = (child, ends[0])
    }

    deinit { close(output) }

    /// Whole lines that the child writes until its output ends, the deadline passes, or `isEnough` says so of one.
    func lines(
        until deadline: ContinuousClock.Instant? = nil, isEnough: (String) -> Bool = { _ in false }
    ) throws -> [String] {
        var lines: [String] = []
        while true {
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(...end)
                lines.append(line)
                if isEnough(line) { return lines }
            }
            guard !isAtEnd, try waitForOutput(until: deadline) else { return lines }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(output, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw CampaignError("read: \(String(cString: strerror(errno)))") }
            isAtEnd = count == 0
            rest += buffer[..<count]
        }
    }

    /// Waits for output; false when the deadline has passed first.
    private func waitForOutput(until deadline: ContinuousClock.Instant?) throws -> Bool {
        while true {
            var milliseconds: Int32 = -1
            if let deadline {
                let left = ContinuousClock.now.duration(to: deadline)
                guard left > .zero else { return false }
                milliseconds = Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up)))
            }
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let count = poll(&descriptor, 1, milliseconds)
            if count > 0 { return true }
            guard count == 0 || errno == EINTR else {
                throw CampaignError("poll: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Sends SIGKILL: the process gets no chance to do anything.
    func killAtOnce() { kill(processID, SIGKILL) }

    /// Waits for the end, and reaps the child.
    func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signal(signal)
    }

    private static func program() throws -> String {
        #if os(Linux)
            return try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #else
            guard let path = Bundle.main.executablePath else { throw CampaignError("Where is this program?") }
            return path
        #endif
    }
}
