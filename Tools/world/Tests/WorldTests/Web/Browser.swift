import Foundation
import Testing

/// A headless Chromium, spoken to by its debugging pipe: messages of JSON that end with a zero byte.
final class Browser {
    /// Says that the browser ended, or what it answered in place of a result.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The installed program; nil where there is none.
    static let program: String? = {
        let names = ["chromium", "chromium-browser", "google-chrome"]
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let paths = folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
        return paths.first(where: FileManager.default.isExecutableFile)
    }()

    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private let profile: URL
    private var read: [UInt8] = []
    private var lastID = 0
    private var session: String?

    /// Starts the browser with a profile of its own, and opens an empty page.
    init(_ program: String) throws {
        profile = FileManager.default.temporaryDirectory.appending(path: "world-browser-\(UUID().uuidString)")
        var (toBrowser, fromBrowser): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&toBrowser) == 0, pipe(&fromBrowser) == 0 else { throw Failure(description: "There is no pipe.") }
        for end in [toBrowser[1], fromBrowser[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (input, output) = (toBrowser[1], fromBrowser[0])
        // The browser has its ends as descriptors 3 and 4, which may be taken here: they are moved out of the way first.
        let reading = fcntl(toBrowser[0], F_DUPFD_CLOEXEC, 100)
        let writing = fcntl(fromBrowser[1], F_DUPFD_CLOEXEC, 100)
        close(toBrowser[0])
        close(fromBrowser[1])
        defer {
            close(reading)
            close(writing)
        }
        process = try Self.spawn(program, profile: profile, reading: reading, writing: writing)
        let target = try call("Target.createTarget", ["url": "about:blank"])
        let attached = try call("Target.attachToTarget", ["targetId": target["targetId"] ?? "", "flatten": true])
        session = attached["sessionId"] as? String
    }

    private static func spawn(_ program: String, profile: URL, reading: Int32, writing: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, reading, 3)
        posix_spawn_file_actions_adddup2(&actions, writing, 4)
        for descriptor in [Int32(0), 1, 2] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let arguments = [
            program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--remote-debugging-pipe", "--user-data-dir=\(profile.path)",
        ]
        var words = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        guard posix_spawn(&process, program, &actions, nil, &words, environ) == 0 else {
            throw Failure(description: "\(program) does not start.")
        }
        return process
    }

    deinit {
        close(input)
        close(output)
        kill(process, SIGKILL)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        try? FileManager.default.removeItem(at: profile)
    }

    /// Calls a method of the browser's protocol, and waits for its result.
    @discardableResult func call(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
        lastID += 1
        var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
        if let session { message["sessionId"] = session }
        let bytes = Array(try JSONSerialization.data(withJSONObject: message)) + [0]
        guard write(input, bytes, bytes.count) == bytes.count else { throw Failure(description: "The browser ended.") }
        while true {
            let answer = try next()
            guard answer["id"] as? Int == lastID else { continue }
            guard let result = answer["result"] as? [String: Any] else { throw Failure(description: "\(answer)") }
            return result
        }
    }

    private func next() throws -> [String: Any] {
        while true {
            if let end = read.firstIndex(of: 0) {
                let data = Data(read[..<end])
                read.removeSubrange(...end)
                return try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
            }
            var bytes = [UInt8](repeating: 0, count: 65536)
            let count = Foundation.read(output, &bytes, bytes.count)
            guard count > 0 else { throw Failure(description: "The browser ended.") }
            read += bytes.prefix(count)
        }
    }

    /// Opens an address.
    func open(_ address: String) throws { try call("Page.navigate", ["url": address]) }

    /// The value of an expression in the page, as a text.
    func evaluate(_ expression: String) throws -> String {
        let result = try call("Runtime.evaluate", ["expression": "String(\(expression))", "returnByValue": true])
        return (result["result"] as? [String: Any])?["value"] as? String ?? ""
    }

    /// Waits until an expression is true in the page.
    func wait(until expression: String) throws {
        while try evaluate(expression) != "true" { sched_yield() }
    }

    /// The page as a picture.
    func picture() throws -> Data {
        Data(base64Encoded: try call("Page.captureScreenshot")["data"] as? String ?? "") ?? Data()
    }
}
