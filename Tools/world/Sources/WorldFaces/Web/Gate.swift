/// Who may ask the server for something: pages that it served itself, in the browser that opened the printed address.
///
/// `Host` keeps out names that lead to this machine by a stranger's DNS, `Origin` pages of others that post here, and the
/// token everyone who did not see the address, other users of the machine among them.
public struct Gate: Sendable {
    /// What a request says of itself.
    public struct Request: Sendable {
        var isPost: Bool
        var host: String?
        var origin: String?
        var fetchSite: String?
        var cookie: String?

        /// A request by its method and headers; nil for headers that it does not have.
        public init(isPost: Bool, host: String?, origin: String?, fetchSite: String?, cookie: String?) {
            (self.isPost, self.host, self.origin, self.fetchSite, self.cookie) = (
                isPost, host, origin, fetchSite, cookie
            )
        }
    }

    /// Why a request is refused.
    public enum Refusal: String, Error, Sendable {
        case host = "This server is asked by another name."
        case origin = "The request comes from another page."
        case token = "Open the address that the program printed."
    }

    private let token: String
    private let port: Int

    /// The gate of a server at a port of this machine.
    public init(token: String, port: Int) { (self.token, self.port) = (token, port) }

    /// The cookie's name. Cookies are shared by all ports of a host, so the port is in it.
    public var cookieName: String { "world_\(port)" }

    /// The cookie: scripts do not see it, and no other site's pages make a browser send it.
    public var cookie: String { "\(cookieName)=\(token); Path=/; HttpOnly; SameSite=Strict" }

    private var authorities: [String] { ["127.0.0.1:\(port)", "localhost:\(port)"] }

    /// Whether the token of an address is the right one.
    public func admits(token given: String?) -> Bool { given.map { Self.areEqual($0, token) } ?? false }

    /// What is wrong with a request's way here; nil where nothing is. The token is not looked at.
    public func refusalOfWay(_ request: Request) -> Refusal? {
        guard let host = request.host?.lowercased(), authorities.contains(host) else { return .host }
        if let site = request.fetchSite, request.isPost, site != "same-origin" { return .origin }
        // Reads by other pages are refused by their cookie, which a strict one does not come with.
        guard request.isPost || request.origin != nil else { return nil }
        return request.origin?.lowercased() == "http://" + host ? nil : .origin
    }

    /// What is wrong with a request; nil where nothing is.
    public func refusal(_ request: Request) -> Refusal? {
        if let refusal = refusalOfWay(request) { return refusal }
        return admits(token: Self.value(of: cookieName, in: request.cookie ?? "")) ? nil : .token
    }

    private static func value(of name: String, in header: String) -> String? {
        for pair in header.split(separator: ";") {
            let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0] == name { return String(parts[1]) }
        }
        return nil
    }

    /// Compares in a time that depends on the lengths alone.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let (left, right) = (Array(left.utf8), Array(right.utf8))
        guard left.count == right.count else { return false }
        return zip(left, right).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
