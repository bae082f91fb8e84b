import Foundation

/// This program, started once more beside the first: another process with the store open.
enum AnotherProcess {
    /// Has it delete a city, and returns when it has ended.
    static func delete(_ name: String, of store: URL, samples: URL) async throws {
        guard let program = Bundle.main.executableURL else { throw AnotherProcessError(status: nil) }
        let process = Process()
        process.executableURL = program
        process.arguments = [store.path, samples.path, "--delete", name]
        let status = try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { waiting.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { waiting.resume(throwing: error) }
        }
        if status != 0 { throw AnotherProcessError(status: status) }
    }
}

/// Says that the other process could not do its work.
struct AnotherProcessError: Error, CustomStringConvertible {
    /// What it ended with; nil where it did not begin.
    let status: Int32?

    var description: String {
        status.map { "The other process ended with status \($0)." } ?? "The program does not find its own file."
    }
}
