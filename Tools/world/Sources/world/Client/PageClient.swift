import Foundation
import WorldFaces

/// A page without a browser: keeps the tree that the server's events make.
final class PageClient {
    private let stream: SocketClient
    private let requests: SocketClient
    private let port: Int
    private let token: String
    private var rest: [UInt8] = []
    private(set) var tree: FaceNode?
    private(set) var page = ""

    /// Opens a page.
    ///
    /// - Throws: ``SocketClient/Closed`` where the server refuses.
    init(port: Int, token: String) throws {
        (self.port, self.token) = (port, token)
        stream = try SocketClient(port: port)
        requests = try SocketClient(port: port)
        try stream.send("GET", "/events", headers: Self.headers(port: port, token: token))
        guard try stream.answerHead().status == 200 else { throw SocketClient.Closed() }
    }

    /// What a browser sends along that has the cookie.
    static func headers(port: Int, token: String) -> [(String, String)] {
        [("Host", "127.0.0.1:\(port)"), ("Cookie", "world_\(port)=\(token)")]
    }

    /// Waits for the next event, and takes it in.
    @discardableResult func next() throws -> ServerSentEvent {
        while true {
            if let end = Self.end(of: rest) {
                let text = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeSubrange(..<(end + 2))
                guard let event = ServerSentEvent(lines: text.split(separator: "\n").map(String.init)) else { continue }
                take(event.message)
                return event
            }
            guard let chunk = try stream.chunk() else { throw SocketClient.Closed() }
            rest += chunk
        }
    }

    private static func end(of bytes: [UInt8]) -> Int? {
        bytes.indices.dropLast().first { bytes[$0] == 10 && bytes[$0 + 1] == 10 }
    }

    private func take(_ message: PageMessage) {
        switch message {
        case .tree(let page, let tree): (self.page, self.tree) = (page, tree)
        case .patch(let patch): tree = tree.map { patch.applied(to: $0) }
        }
    }

    /// Says that the page has an event.
    func acknowledge(_ event: ServerSentEvent) throws {
        _ = try post("receipts", JSONEncoder().encode(PageReceipt(received: event.number)))
    }

    /// Asks for an action; the status of the answer.
    func perform(_ node: Int, _ action: String, _ value: FaceValue? = nil) throws -> Int {
        try post("actions", JSONEncoder().encode(PageRequest(node: node, action: action, value: value)))
    }

    private func post(_ path: String, _ body: Data) throws -> Int {
        let headers =
            Self.headers(port: port, token: token) + [
                ("Origin", "http://127.0.0.1:\(port)"), ("Content-Type", "application/json"),
            ]
        try requests.send("POST", "/pages/\(page)/\(path)", headers: headers, body: Array(body))
        return try requests.answer().status
    }

    /// Takes in and acknowledges events until something holds for the tree.
    func follow(until holds: (FaceNode) -> Bool) throws {
        while !(tree.map(holds) ?? false) { try acknowledge(next()) }
    }

    /// Ends the connection.
    func close() { stream.shutDown() }
}

/// Runs code that waits on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
    }
}
