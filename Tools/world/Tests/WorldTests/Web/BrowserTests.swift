import Foundation
import Testing

@testable import world

@Suite(.timeLimit(.minutes(30)), .enabled(if: Browser.program != nil, "There is no Chromium.")) struct BrowserTests {
    /// The switch of a country's row, as a script finds it.
    private static func toggle(_ name: String) -> String {
        "[...document.querySelectorAll('#face .k-HStack')].find(e => e.textContent.includes('\(name)'))"
            + "?.querySelector('input')"
    }

    @Test("In a browser the search filters, a mark is saved, and another process's save appears")
    func page() async throws {
        let world = try SmallWorld(isHostile: true)
        let server = try await RunningServer(world)
        let (port, token, program) = (server.port, server.token, try #require(Browser.program))
        try await onThread {
            let browser = try Browser(program)
            try browser.open("http://127.0.0.1:\(port)/?token=\(token)")
            try browser.wait(until: "\(Self.toggle("Laos"))?.disabled === false")
            #expect(try browser.evaluate("location.search + document.cookie") == "")

            try world.visitElsewhere("LA")
            try browser.wait(until: "\(Self.toggle("Laos")).checked")

            // A hostile name is a text: no element, no script, whole.
            #expect(try browser.evaluate("document.querySelectorAll('#face script, #face b').length") == "0")
            #expect(try browser.evaluate("document.body.textContent.includes('</script><b>')") == "true")

            let field = "document.querySelector('.k-SearchField')"
            try browser.call("Runtime.evaluate", ["expression": "\(field).focus()"])
            try browser.call("Input.insertText", ["text": "cha"])
            try browser.wait(until: "\(Self.toggle("Laos")) === undefined && \(Self.toggle("Chad")) !== undefined")
            try browser.call("Runtime.evaluate", ["expression": "\(Self.toggle("Chad")).click()"])
            try browser.call("Runtime.evaluate", ["expression": "document.querySelector('.k-NavigationLink').click()"])
            try browser.wait(until: "document.querySelector('.k-Page:last-child h1')?.textContent === 'Chad'")
            if let file = ProcessInfo.processInfo.environment["WORLD_PICTURE"] {
                try browser.picture().write(to: URL(fileURLWithPath: file))
            }
            try browser.call(
                "Runtime.evaluate", ["expression": "document.querySelector('.k-Page:last-child > .k-back').click()"])
            try browser.wait(until: "document.querySelectorAll('.k-Page').length === 1")
            try browser.wait(until: "\(Self.toggle("Chad")).checked")
        }
        await server.wait(pages: 0)
        await server.stop()
    }

    @Test("A browser that loses its server says so, and without the cookie there is nothing to see")
    func lost() async throws {
        let server = try await RunningServer(SmallWorld())
        let (port, token, program) = (server.port, server.token, try #require(Browser.program))
        let browser = try await onThread {
            let browser = try Browser(program)
            try browser.open("http://127.0.0.1:\(port)/")
            try browser.wait(until: "document.body.textContent.includes('Open the address')")
            try browser.open("http://127.0.0.1:\(port)/?token=\(token)")
            try browser.wait(until: "\(Self.toggle("Laos"))?.disabled === false")
            return BoxedBrowser(browser)
        }
        await server.stop()
        try await onThread {
            try browser.value.wait(until: "document.getElementById('status').textContent.startsWith('Not connected')")
        }
    }
}

/// A browser that one thread after another uses.
private final class BoxedBrowser: @unchecked Sendable {
    // Guarded by the order of the calls: each thread ends before the next begins.
    let value: Browser

    init(_ value: Browser) { self.value = value }
}
