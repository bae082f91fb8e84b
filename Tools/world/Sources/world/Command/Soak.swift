import ArgumentParser
import Foundation
import LoamViews
import WorldFaces

/// Many pages, one of them never reading, and many saves: what the server's memory does, and whether pages stay current.
struct Soak: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serves pages to clients in this process, one of which never reads, and saves meanwhile.")

    @OptionGroup var place: StoreOptions
    @Option(help: "How many pages there are, with the one that never reads.") var pages = 100
    @Option(help: "How many saves there are.") var saves = 10_000
    @Option(help: "By how many MiB the heap may grow after a tenth; what is resident by half of it in the second half.")
    var growth = 16

    @Option(help: "In how many seconds a page has to answer; the silent one is closed then.") var answer = 30

    func validate() throws {
        guard pages >= 2, saves >= 10 else { throw ValidationError("At least 2 pages and 10 saves make a soak.") }
        guard answer > 0 else { throw ValidationError("A page needs a second at least to answer.") }
    }

    @MainActor func run() async throws {
        let store = try place.open()
        defer { store.remove() }
        let container = store.container
        let server = WebServer(limits: PageLimits(pages: pages, answer: .seconds(answer))) {
            AnyView(ContentView().modelContainer(container))
        }
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let serving = Task { try await server.run(port: 0) { continuation.yield($0) } }
        defer { serving.cancel() }
        for await port in ports {
            try await SoakRun(
                container: container, server: server, port: port, pages: pages, saves: saves, growth: growth
            )
            .run()
            break
        }
    }
}

/// One soak.
@MainActor private struct SoakRun {
    let container: ModelContainer
    let server: WebServer
    let port: Int
    let pages: Int
    let saves: Int
    let growth: Int

    func run() async throws {
        let (port, token) = (port, server.token)
        // Its connection stays open until the server closes it.
        let silent = try SocketClient(port: port, receiveBuffer: 4096)
        try silent.send("GET", "/events", headers: PageClient.headers(port: port, token: token))
        let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)
        let readers = (1..<pages).map { _ in
            Task {
                try await onThread {
                    let client: PageClient
                    do {
                        // One that fails is not waited for either.
                        defer { arrival.yield() }
                        client = try PageClient(port: port, token: token)
                        try client.follow { $0.first { $0.kind == "Section" } != nil }
                    }
                    try client.follow { $0.texts.contains(Self.last) }
                    return true
                }
            }
        }
        for await _ in arrivals.prefix(pages - 1) {}
        print("The reading pages show their rows; \(server.registry.takenSeats) pages are open.")
        let (settled, end) = try await save()
        var (currentPages, failures) = (0, [:] as [String: Int])
        for reader in readers {
            do { currentPages += try await reader.value ? 1 : 0 } catch { failures["\(error)", default: 0] += 1 }
        }
        await server.registry.waitForAllSeats()
        print("\(currentPages) of \(pages - 1) reading pages showed the last save; the silent one was closed.")
        for (failure, count) in failures.sorted(by: { $0.key < $1.key }) { print("\(count) failed: \(failure)") }
        print("in use after a tenth, resident after half: \(settled); at the end: \(end)")
        guard currentPages == pages - 1, end.isWithin(growth, of: settled) else { throw ExitCode.failure }
        _ = silent
    }

    /// The capital's name in the last save.
    private nonisolated static var last: String { "the last capital" }

    private func save() async throws -> (settled: MemoryUse, end: MemoryUse) {
        let container = container
        let (saves, start) = (saves, ContinuousClock.now)
        var settled = MemoryUse.measured()
        var end = settled
        for tenth in 1...10 {
            let isLast = tenth == 10
            try await onThread {
                let context = ModelContext(container)
                let countries = try context.fetch(FetchDescriptor<Country>(sortBy: [SortDescriptor(\.code)]))
                for number in 0..<(saves / 10) where !countries.isEmpty {
                    countries[number % countries.count].capital = "capital \(tenth) \(number)"
                    try context.save()
                }
                if isLast, let first = countries.first {
                    first.capital = Self.last
                    try context.save()
                }
            }
            end = MemoryUse.measured()
            if tenth == 1 { settled = end }
            // Free memory that the heap keeps has got its size by then.
            if tenth == 5 { settled.resident = end.resident }
            print("\(saves / 10 * tenth) saves, \(end), \(start.duration(to: .now))")
        }
        return (settled, end)
    }
}
