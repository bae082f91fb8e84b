import Foundation
import Synchronization

/// Tells a piece of work from every other one, and whether the process that does it still does: also from a later
/// process that got the same number, and from work that this process has given up without being able to say so.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `running` | its mutex | whoever begins and ends work | the process ends |
struct ProcessMark: Hashable, Sendable, Codable {
    var process: Int32
    /// When the process started, in the kernel's own words; empty where it does not say.
    var start: String
    /// Counted up within the process.
    var work: UInt64

    private static let running = Mutex<(next: UInt64, all: Set<UInt64>)>((1, []))
    private static let ownProcess = ProcessInfo.processInfo.processIdentifier
    private static let ownStart = startTime(of: ownProcess) ?? ""

    /// A mark for work that begins now, alive until ``end()``.
    static func begin() -> ProcessMark {
        let work = running.withLock { state in
            state.next += 1
            state.all.insert(state.next)
            return state.next
        }
        return ProcessMark(process: ownProcess, start: ownStart, work: work)
    }

    /// To be called in the process that has begun the work.
    func end() {
        _ = Self.running.withLock { $0.all.remove(work) }
    }

    var isAlive: Bool {
        if process == Self.ownProcess && start == Self.ownStart {
            return Self.running.withLock { $0.all.contains(work) }
        }
        guard kill(process, 0) == 0 || errno == EPERM else { return false }
        guard !start.isEmpty, let now = Self.startTime(of: process) else { return true }
        return now == start
    }

    /// Field 22 of `/proc/<pid>/stat` (proc(5)), counted after the command's name, which may hold spaces.
    private static func startTime(of process: Int32) -> String? {
        guard let data = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        guard let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? String(fields[19]) : nil
    }
}
