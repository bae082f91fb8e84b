import Foundation
import Testing
import WorldFaces

@testable import world

@Suite(.timeLimit(.minutes(30))) struct GateRouteTests {
    private static let paths = ["/", "/events", "/face.js", "/face.css", "/nothing"]

    @Test("Without the cookie, or by another name, every route is 403, reads too", arguments: paths)
    func refusals(path: String) async throws {
        let server = try await RunningServer(SmallWorld())
        #expect(try await server.ask("GET", path, cookie: false).status == 403)
        #expect(try await server.ask("GET", path, host: "evil.example:\(server.port)").status == 403)
        let wrong = ("Cookie", "world_\(server.port)=\(String(repeating: "0", count: 32))")
        #expect(try await server.ask("GET", path, cookie: false, headers: [wrong]).status == 403)
        #expect(
            try await server.ask("POST", path, headers: [("Content-Type", "application/json")], body: "{}").status
                == 403)
        #expect(server.registry.takenSeats == 0)
        await server.stop()
    }

    @Test("The printed address gives a strict cookie once the token is right, and leads on without it")
    func token() async throws {
        let server = try await RunningServer(SmallWorld())
        let answer = try await server.ask("GET", "/?token=\(server.token)", cookie: false)
        #expect(answer.status == 303)
        #expect(answer.headers["location"] == "/")
        #expect(
            answer.headers["set-cookie"]
                == "world_\(server.port)=\(server.token); Path=/; HttpOnly; SameSite=Strict")
        #expect(try await server.ask("GET", "/?token=0", cookie: false).status == 403)
        #expect(
            try await server.ask("GET", "/?token=\(server.token)", host: "evil.example", cookie: false).status == 403)
        #expect(try await server.ask("GET", "/face.js?token=\(server.token)", cookie: false).status == 403)
        await server.stop()
    }

    @Test("Every answer, refusals too, tells the browser what it may not do", arguments: paths + ["/?token=0"])
    func headers(path: String) async throws {
        let server = try await RunningServer(SmallWorld(), limits: PageLimits(pages: 0))
        for cookie in [true, false] {
            let headers = try await server.ask("GET", path, cookie: cookie).headers
            let policy = try #require(headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
            #expect(!policy.contains("unsafe"))
            #expect(headers["x-content-type-options"] == "nosniff")
            #expect(headers["cache-control"] == "no-store")
            #expect(headers["referrer-policy"] == "no-referrer")
        }
        await server.stop()
    }

    @Test("The page has no script within, and hostile texts only as references")
    func html() async throws {
        let server = try await RunningServer(SmallWorld(isHostile: true))
        let answer = try await server.ask("GET", "/")
        #expect(answer.status == 200)
        #expect(answer.text.contains("Laos"))
        #expect(answer.text.contains("&lt;/script&gt;&lt;b&gt;"))
        #expect(answer.text.components(separatedBy: "<script").count == 2)
        #expect(!answer.text.contains("<b>"))
        await server.stop()
    }
}
