import Foundation
import Testing
import WorldFaces

@testable import world

@Suite(.timeLimit(.minutes(30))) struct PageRouteTests {
    @Test("A page gets the whole tree, then differences; a reconnect gets the whole tree")
    func stream() async throws {
        let world = try SmallWorld(isHostile: true)
        let server = try await RunningServer(world)
        let (port, token) = (server.port, server.token)
        try await onThread {
            let page = try PageClient(port: port, token: token)
            let first = try page.next()
            #expect(page.tree?.texts.contains(SmallWorld.hostileName) == true)
            let toggle = try #require(Self.toggle(of: "Laos", in: page.tree))
            #expect(toggle.content.value == .flag(false))
            try page.acknowledge(first)
            #expect(try page.perform(toggle.id, "toggle") == 204)
            let second = try page.next()
            guard case .patch(let patch) = second.message else { throw SocketClient.Closed() }
            #expect(patch.changes.map(\.id) == [toggle.id])
            page.close()
            let again = try PageClient(port: port, token: token)
            let event = try again.next()
            #expect(event.number == 1)
            #expect(again.page != page.page)
            #expect(Self.toggle(of: "Laos", in: again.tree)?.content.value == .flag(true))
        }
        await server.wait(pages: 0)
        await server.stop()
    }

    private static func toggle(of name: String, in tree: FaceNode?) -> FaceNode? {
        tree?.first { $0.kind == "HStack" && $0.texts.contains(name) }?.first { $0.kind == "Toggle" }
    }

    @Test("Another process's save comes to every page")
    func anotherProcess() async throws {
        let world = try SmallWorld()
        let server = try await RunningServer(world)
        let (port, token) = (server.port, server.token)
        try await onThread {
            let pages = try (0..<3).map { _ in try PageClient(port: port, token: token) }
            for page in pages { try page.acknowledge(page.next()) }
            try world.visitElsewhere("LA")
            for page in pages { try page.follow { Self.toggle(of: "Laos", in: $0)?.content.value == .flag(true) } }
        }
        await server.stop()
    }

    @Test("Until a page has said that it has an event, it is sent no other; then one with all changes")
    func oneInFlight() async throws {
        let server = try await RunningServer(SmallWorld())
        let (port, token) = (server.port, server.token)
        let (waiting, first) = try await onThread {
            let page = try PageClient(port: port, token: token)
            let first = try page.next()
            return (Boxed(page), first)
        }
        for number in 0..<50 { try server.store.setCapital("Vientiane \(number)", of: "LA") }
        try await onThread {
            // Once another page shows the last change, the server has it.
            let other = try PageClient(port: port, token: token)
            try other.follow { $0.texts.contains("Vientiane 49") }
            let page = waiting.value
            try page.acknowledge(first)
            var events = 0
            while page.tree?.texts.contains("Vientiane 49") != true {
                try page.acknowledge(page.next())
                events += 1
            }
            #expect(events < 10)
        }
        await server.stop()
    }

    @Test("Nodes do what they declare; the rest is refused, and changes nothing")
    func actions() async throws {
        let server = try await RunningServer(SmallWorld())
        let (port, token) = (server.port, server.token)
        try await onThread {
            let page = try PageClient(port: port, token: token)
            try page.acknowledge(page.next())
            let field = try #require(page.tree?.front.belonging("SearchField"))
            #expect(try page.perform(field.id, "press") == 409)
            #expect(try page.perform(field.id, "set", .flag(true)) == 409)
            #expect(try page.perform(987_654_321, "press") == 409)
            #expect(try page.perform(field.id, "set", .text(String(repeating: "a", count: 1001))) == 400)
            #expect(try page.perform(field.id, "set", .text(String(repeating: "a", count: 9000))) == 413)
            let other = try PageClient(port: port, token: token)
            try other.next()
            #expect(try other.perform(field.id, "set", .text("x")) == 409)
            #expect(try page.perform(field.id, "set", .text("lao")) == 204)
            try page.follow { !$0.texts.contains("Chad") }
            #expect(page.tree?.texts.contains("Laos") == true)
        }
        await server.stop()
    }

    @Test("Posts by other pages, as other types, to pages that are none, and of what is no JSON are refused")
    func posts() async throws {
        let server = try await RunningServer(SmallWorld())
        let own = ("Origin", "http://127.0.0.1:\(server.port)")
        let json = ("Content-Type", "application/json")
        for path in ["/pages/0/actions", "/pages/0/receipts"] {
            let body = path.hasSuffix("actions") ? #"{"node":1,"action":"press"}"# : #"{"received":1}"#
            #expect(try await server.ask("POST", path, headers: [own, json], body: body).status == 404)
            #expect(try await server.ask("POST", path, headers: [json], body: body).status == 403)
            let others = [("Origin", "http://evil.example"), json]
            #expect(try await server.ask("POST", path, headers: others, body: body).status == 403)
            #expect(try await server.ask("POST", path, cookie: false, headers: [own, json], body: body).status == 403)
            let plain = [own, ("Content-Type", "text/plain")]
            #expect(try await server.ask("POST", path, headers: plain, body: body).status == 415)
            #expect(try await server.ask("POST", path, headers: [own, json], body: "{").status == 400)
        }
        await server.stop()
    }

    @Test("Pages are bounded: one more is 503, and a place is free when a connection ends")
    func bound() async throws {
        let server = try await RunningServer(SmallWorld(), limits: PageLimits(pages: 2))
        let (port, token) = (server.port, server.token)
        let pages = try await onThread {
            try (0..<2).map { _ in
                let page = try PageClient(port: port, token: token)
                try page.next()
                return Boxed(page)
            }
        }
        let refused = try await server.ask("GET", "/events")
        #expect(refused.status == 503)
        #expect(refused.text.contains("Too many pages are open"))
        pages[0].value.close()
        await server.wait(pages: 1)
        _ = try await onThread { try PageClient(port: port, token: token).next() }
        await server.wait(pages: 1)
        pages[1].value.close()
        await server.wait(pages: 0)
        await server.stop()
    }

    @Test("A page that does not answer is closed, and its views are unmounted")
    func silence() async throws {
        let server = try await RunningServer(SmallWorld(), limits: PageLimits(pages: 2, answer: .milliseconds(200)))
        let (port, token) = (server.port, server.token)
        try await onThread {
            let silent = try SocketClient(port: port, receiveBuffer: 4096)
            try silent.send("GET", "/events", headers: PageClient.headers(port: port, token: token))
            _ = try silent.answerHead()
            #expect(throws: SocketClient.Closed.self) { while try silent.chunk() != nil {} }
        }
        await server.wait(pages: 0)
        await server.stop()
    }

    @Test("A server that ends closes its pages")
    func end() async throws {
        let server = try await RunningServer(SmallWorld())
        let (port, token) = (server.port, server.token)
        let page = try await onThread { () -> Boxed in
            let page = try PageClient(port: port, token: token)
            try page.next()
            return Boxed(page)
        }
        await server.stop()
        #expect(await server.registry.count == 0)
        _ = try await onThread { #expect(throws: SocketClient.Closed.self) { while true { try page.value.next() } } }
    }
}

/// A client that one thread after another uses.
final class Boxed: @unchecked Sendable {
    // Guarded by the order of the calls: each thread ends before the next begins.
    let value: PageClient

    init(_ value: PageClient) { self.value = value }
}
