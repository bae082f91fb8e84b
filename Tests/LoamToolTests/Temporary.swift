import Foundation

/// Files that a test may write.
enum Temporary {
    static func path(_ name: String = "file") -> String {
        NSTemporaryDirectory() + "/loam-\(UUID().uuidString)-\(name)"
    }

    /// A file with this text, and the closure that removes it.
    static func file(_ text: String, name: String = "file") throws -> (path: String, remove: () -> Void) {
        let path = path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return (path, { try? FileManager.default.removeItem(atPath: path) })
    }
}
