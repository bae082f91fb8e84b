import Foundation
import LoamViews

/// The server in a program: it prints its address, and ends by a signal.
enum Serving {
    /// Serves the countries of a container until a signal comes, which is returned.
    @MainActor static func run(_ container: ModelContainer, port: Int) async throws -> Int32? {
        let inputs = InputReader.inputs(signals: try Signals.catchAll(), readsKeys: false)
        let server = WebServer { AnyView(ContentView().modelContainer(container)) }
        let serving = Task {
            try await server.run(port: port) { port in
                print("http://127.0.0.1:\(port)/?token=\(server.token)")
                fflush(nil)
            }
        }
        let watching = Task {
            for await input in inputs {
                if case .signal(let number) = input, Signals.ending.contains(number) {
                    serving.cancel()
                    return number as Int32?
                }
                if case .signal(SIGTSTP) = input { kill(getpid(), SIGSTOP) }
            }
            return nil
        }
        defer { Signals.endReading() }
        do { try await serving.value } catch is CancellationError {}
        return serving.isCancelled ? await watching.value : nil
    }
}
