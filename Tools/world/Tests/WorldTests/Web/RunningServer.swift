import Foundation
import LoamViews
import Testing

@testable import world

/// A server in the program of the tests, on a free port.
final class RunningServer: Sendable {
    let port: Int
    let token: String
    let registry: PageRegistry
    let store: WorldStore
    private let serving: Task<Void, any Error>
    /// Keeps the store's folder.
    private let world: SmallWorld

    init(_ world: SmallWorld, limits: PageLimits = PageLimits()) async throws {
        let store = try world.open()
        let container = store.container
        let server = WebServer(limits: limits) { AnyView(ContentView().modelContainer(container)) }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let serving = Task {
            defer { continuation.finish() }
            try await server.run(port: 0) { continuation.yield($0) }
        }
        var iterator = ports.makeAsyncIterator()
        port = try #require(await iterator.next())
        (token, registry, self.store, self.serving) = (server.token, server.registry, store, serving)
        self.world = world
    }

    /// Ends the server, and waits until it has ended.
    func stop() async {
        serving.cancel()
        _ = await serving.result
    }

    deinit { serving.cancel() }

    /// Sends a request on a connection of its own.
    func ask(
        _ method: String, _ path: String, host: String? = nil, cookie: Bool = true, headers: [(String, String)] = [],
        body: String? = nil
    ) async throws -> (status: Int, headers: [String: String], text: String) {
        var all = [("Host", host ?? "127.0.0.1:\(port)")] + headers
        if cookie { all.append(("Cookie", "world_\(port)=\(token)")) }
        let sent = all
        return try await onThread { [port] in
            let client = try SocketClient(port: port)
            try client.send(method, path, headers: sent, body: body.map { Array($0.utf8) })
            let answer = try client.answer()
            return (answer.status, answer.headers, answer.text)
        }
    }

    /// Waits until a number of pages are mounted.
    func wait(pages: Int) async {
        while await registry.count != pages || registry.takenSeats != pages { await Task.yield() }
    }
}
