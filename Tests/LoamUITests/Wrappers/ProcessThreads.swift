import Foundation

enum ProcessThreads {
    /// The threads of the process now, those of other tests too.
    static func count() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
}
