import Foundation
import LMDB
import Synchronization

/// Tells a piece of work from every other one, and whether the process that does it still does: also from a later
/// process that got the same number, and from work that this process has given up without being able to say so.
///
/// Numbers of processes mean something within one PID namespace, so containers that share a file cannot ask for each
/// other's. A mark from elsewhere counts as alive for as long as any other process has the file open, and always where
/// the file system has no `flock` to tell by.
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
    /// Its PID namespace, in the kernel's own words (pid_namespaces(7)); nil where it does not say.
    var namespace: String?

    private static let running = Mutex<(next: UInt64, all: Set<UInt64>)>((1, []))
    private static let ownProcess = ProcessInfo.processInfo.processIdentifier
    private static let ownStart = startTime(of: ownProcess) ?? ""
    private static let ownNamespace = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/ns/pid")

    /// A mark for work that begins now, alive until ``end()``.
    static func begin() -> ProcessMark {
        let work = running.withLock { state in
            state.next += 1
            state.all.insert(state.next)
            return state.next
        }
        return ProcessMark(process: ownProcess, start: ownStart, work: work, namespace: ownNamespace)
    }

    /// Notes that the work is done. Called in the process that has begun it.
    func end() {
        _ = Self.running.withLock { $0.all.remove(work) }
    }

    /// - Parameter environment: the open file that the work is done on.
    func isAlive(in environment: Environment) -> Bool {
        if let namespace, let own = Self.ownNamespace, namespace != own { return environment.isOpenElsewhere() }
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
