import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import WorldFaces

/// What a request comes with: its connection, which a page closes.
struct ConnectionContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    var maxUploadSize: Int { PageRequest.longestBody }
}

/// The gate of a server, once it is known at which port that is.
final class ServerGate: Sendable {
    let token: String
    private let gate = Mutex<Gate?>(nil)

    init(token: String) { self.token = token }

    /// The server listens.
    func open(port: Int) { gate.withLock { $0 = Gate(token: token, port: port) } }

    var value: Gate? { gate.withLock { $0 } }
}

/// Lets in what the gate admits, and gives every answer the headers that keep a browser from more than it is meant to do.
struct GateMiddleware: RouterMiddleware {
    let gate: ServerGate

    func handle(
        _ request: Request, context: ConnectionContext, next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            if let answer = admit(request) { response = answer } else { response = try await next(request, context) }
        } catch let error as any HTTPResponseError {
            response = try error.response(from: request, context: context)
        }
        for (name, value) in Self.headers { response.headers[name] = value }
        return response
    }

    /// The answer at the gate; nil where the request may pass.
    private func admit(_ request: Request) -> Response? {
        guard let gate = gate.value else { return Response(status: .serviceUnavailable) }
        let asked = Gate.Request(
            isPost: request.method != .get, host: request.head.authority, origin: request.headers[.origin],
            fetchSite: HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] },
            cookie: request.headers[.cookie])
        if request.method == .get, request.uri.path == "/", let token = request.uri.queryParameters.get("token") {
            if let refusal = gate.refusalOfWay(asked) { return Self.refuse(refusal) }
            guard gate.admits(token: token) else { return Self.refuse(.token) }
            return Response(status: .seeOther, headers: [.location: "/", .setCookie: gate.cookie])
        }
        return gate.refusal(asked).map(Self.refuse)
    }

    private static func refuse(_ refusal: Gate.Refusal) -> Response {
        Response(
            status: .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: refusal.rawValue + "\n")))
    }

    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'none'"

    private static let headers: [(HTTPField.Name, String)] = [
        (.contentSecurityPolicy, policy), (.cacheControl, "no-store"), (.xContentTypeOptions, "nosniff"),
        (named("Referrer-Policy"), "no-referrer"), (named("X-Frame-Options"), "DENY"),
        (named("Cross-Origin-Resource-Policy"), "same-origin"), (named("Cross-Origin-Opener-Policy"), "same-origin"),
    ].compactMap { name, value in name.map { ($0, value) } }

    private static func named(_ name: String) -> HTTPField.Name? { HTTPField.Name(name) }
}
