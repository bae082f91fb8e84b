import Testing

@testable import WorldFaces

@Suite struct GateTests {
    private let gate = Gate(token: "0123456789abcdef", port: 8080)

    private func request(
        isPost: Bool = false, host: String? = "127.0.0.1:8080", origin: String? = nil, fetchSite: String? = nil,
        cookie: String? = "a=b; world_8080=0123456789abcdef"
    ) -> Gate.Request {
        Gate.Request(isPost: isPost, host: host, origin: origin, fetchSite: fetchSite, cookie: cookie)
    }

    @Test("A page of this server with the cookie passes, by both names of this machine")
    func passes() {
        #expect(gate.refusal(request()) == nil)
        #expect(gate.refusal(request(host: "LOCALHOST:8080")) == nil)
        #expect(gate.refusal(request(isPost: true, origin: "http://127.0.0.1:8080", fetchSite: "same-origin")) == nil)
    }

    @Test(
        "Another name of the host is refused",
        arguments: [nil, "", "127.0.0.1", "127.0.0.1:80", "evil.example:8080", "127.0.0.1:8080.evil.example"])
    func hosts(host: String?) {
        #expect(gate.refusal(request(host: host)) == .host)
        #expect(gate.refusalOfWay(request(host: host)) == .host)
    }

    @Test(
        "A post by another page, or by none, is refused",
        arguments: [
            nil, "null", "http://evil.example", "https://127.0.0.1:8080", "http://127.0.0.1:8081",
            "http://localhost:8080",
        ])
    func origins(origin: String?) {
        #expect(gate.refusal(request(isPost: true, origin: origin)) == .origin)
        if origin != nil { #expect(gate.refusal(request(origin: origin)) == .origin) }
        #expect(
            gate.refusal(request(isPost: true, origin: "http://127.0.0.1:8080", fetchSite: "cross-site")) == .origin)
    }

    @Test(
        "Without the cookie, or with another value, reads too are refused",
        arguments: [
            nil, "", "world_8080=", "world_8080=0123456789abcdeX", "world_8081=0123456789abcdef",
            "xworld_8080=0123456789abcdef", "world_8080",
        ])
    func cookies(cookie: String?) {
        #expect(gate.refusal(request(cookie: cookie)) == .token)
    }

    @Test("The cookie is strict, unseen by scripts, and the server's alone; tokens are equal or not")
    func cookie() {
        #expect(gate.cookie == "world_8080=0123456789abcdef; Path=/; HttpOnly; SameSite=Strict")
        #expect(gate.admits(token: "0123456789abcdef"))
        #expect(!gate.admits(token: "0123456789abcde"))
        #expect(!gate.admits(token: nil))
        #expect(Gate.areEqual("", ""))
    }
}
