import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import WorldFaces

/// The routes of a server whose pages show views.
///
/// | route | what it does |
/// |---|---|
/// | `GET /` | the page: what is shown first, a script and a style |
/// | `GET /events` | mounts a host, and sends its tree and its differences, until the connection ends |
/// | `POST /pages/ID/receipts` | the page has an event: the next one may come |
/// | `POST /pages/ID/actions` | one of a node's actions, with a value |
struct WebFace: Sendable {
    let registry: PageRegistry
    let gate: ServerGate

    var router: Router<ConnectionContext> {
        let router = Router(context: ConnectionContext.self)
        router.add(middleware: GateMiddleware(gate: gate))
        router.get("/") { _, _ in
            Self.response(PageSource.html(content: await registry.firstHTML()), type: "text/html")
        }
        router.get("/face.js") { _, _ in Self.response(PageSource.script, type: "text/javascript") }
        router.get("/face.css") { _, _ in Self.response(PageSource.style, type: "text/css") }
        router.get("/events") { request, context in try events(request, context) }
        router.post("/pages/:page/receipts") { request, context in
            let json = try await Self.json(of: request)
            guard let receipt = try? JSONDecoder().decode(PageReceipt.self, from: json) else {
                throw HTTPError(.badRequest)
            }
            try await page(context).acknowledge(receipt.received)
            return Response(status: .noContent)
        }
        router.post("/pages/:page/actions") { request, context in
            guard let action = PageRequest(json: try await Self.json(of: request)) else { throw HTTPError(.badRequest) }
            return Response(status: try await page(context).perform(action) ? .noContent : .conflict)
        }
        return router
    }

    private static func response(_ text: String, type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type + "; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    /// Forms of other sites cannot say that they send JSON.
    private static func json(of request: Request) async throws -> Data {
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw HTTPError(.unsupportedMediaType)
        }
        var request = request
        return Data((try await request.collectBody(upTo: PageRequest.longestBody)).readableBytesView)
    }

    private func page(_ context: ConnectionContext) async throws -> Page {
        guard let page = await registry.page(try context.parameters.require("page")) else { throw HTTPError(.notFound) }
        return page
    }

    private func events(_ request: Request, _ context: ConnectionContext) throws -> Response {
        guard let seat = registry.takeSeat() else {
            throw HTTPError(
                .serviceUnavailable, headers: [.retryAfter: "5"], message: "Too many pages are open. Close one.")
        }
        // A response that is never written lets go of the seat with its body.
        let body = ResponseBody { [registry] writer in
            defer { withExtendedLifetime(seat) {} }
            let page = await registry.open(over: context.channel)
            do {
                try await request.body.consumeWithCancellationOnInboundClose { _ in
                    for await event in page.events {
                        try await writer.write(ByteBuffer(string: try event.encoded()))
                    }
                }
            } catch {
                await registry.end(page)
                throw error
            }
            await registry.end(page)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }
}
