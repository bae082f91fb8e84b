import CHeap
import Foundation
import Hummingbird
import LoamViews
import Logging
import NIOCore
import WorldFaces

/// A server on this machine whose pages show views.
struct WebServer: Sendable {
    let registry: PageRegistry
    private let gate = ServerGate(token: RandomToken.make())

    /// A server whose pages each show a view of their own.
    init(limits: PageLimits = PageLimits(), root: @escaping @MainActor @Sendable () -> AnyView) {
        registry = PageRegistry(limits: limits, root: root)
    }

    /// The secret that its address has.
    var token: String { gate.token }

    /// Serves until it is cancelled, on 127.0.0.1 alone.
    ///
    /// - Parameters:
    ///   - port: where; 0 for any free port.
    ///   - onListening: called with the port once requests are taken.
    func run(port: Int, onListening: @escaping @Sendable (Int) async -> Void) async throws {
        // What one thread frees, another asks for next.
        heap_limit_arenas(2)
        var logger = Logger(label: "world")
        logger.logLevel = .critical
        let application = Application(
            router: WebFace(registry: registry, gate: gate).router,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? port
                gate.open(port: port)
                await onListening(port)
            },
            logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [registry] in await registry.watch() }
            group.addTask { try await application.run() }
            defer { group.cancelAll() }
            do {
                _ = try await group.next()
            } catch {
                await registry.closeAll()
                throw error
            }
            await registry.closeAll()
        }
    }
}
