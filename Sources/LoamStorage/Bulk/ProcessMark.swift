import Foundation

/// Tells a process from every other one, also from a later one that got the same number.
struct ProcessMark: Hashable, Sendable, Codable {
    var process: Int32
    /// When the process started, in the kernel's own words; empty where it does not say.
    var start: String

    static let current = ProcessMark(
        process: ProcessInfo.processInfo.processIdentifier,
        start: startTime(of: ProcessInfo.processInfo.processIdentifier) ?? "")

    var isAlive: Bool {
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
