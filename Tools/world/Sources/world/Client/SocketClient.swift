import Foundation

/// A connection to the server as a browser has it, with calls that wait: for tests and the soak, on threads of theirs.
final class SocketClient {
    /// An answer.
    struct Answer {
        var status: Int
        var headers: [String: String]
        var body: [UInt8] = []

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Says that a connection ended or was refused.
    struct Closed: Error {}

    private let descriptor: Int32
    private var read: [UInt8] = []
    private var position = 0

    /// Connects to a port of this machine.
    ///
    /// - Parameter receiveBuffer: the size of the socket's buffer in bytes, for clients that do not read; 0 for the system's.
    init(port: Int, receiveBuffer: Int32 = 0) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Closed() }
        var size = receiveBuffer
        if size > 0 { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size)) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(clamping: port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw Closed()
        }
    }

    deinit { close(descriptor) }

    /// Ends the connection in both directions: calls that wait on other threads return.
    func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends a request as it is given.
    func send(_ method: String, _ path: String, headers: [(String, String)], body: [UInt8]? = nil) throws {
        var text = "\(method) \(path) HTTP/1.1\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        var rest = (Array((text + "\r\n").utf8) + (body ?? []))[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Closed() }
            rest = rest.dropFirst(count)
        }
    }

    private func byte() throws -> UInt8 {
        if position == read.count {
            var bytes = [UInt8](repeating: 0, count: 65536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            guard count > 0 else { throw Closed() }
            (read, position) = (Array(bytes.prefix(count)), 0)
        }
        defer { position += 1 }
        return read[position]
    }

    private func bytes(_ count: Int) throws -> [UInt8] { try (0..<count).map { _ in try byte() } }

    private func line() throws -> String {
        var bytes: [UInt8] = []
        while true {
            let next = try byte()
            if next == UInt8(ascii: "\n") { break }
            if next != UInt8(ascii: "\r") { bytes.append(next) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The head of an answer; names of headers are in small letters.
    func answerHead() throws -> Answer {
        let words = try line().split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else { throw Closed() }
        var headers: [String: String] = [:]
        while case let line = try line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count == 2 { headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " }) }
        }
        return Answer(status: status, headers: headers)
    }

    /// One piece of a body that comes in pieces; nil at its end.
    func chunk() throws -> [UInt8]? {
        guard let size = Int(try line(), radix: 16) else { throw Closed() }
        let bytes = try bytes(size)
        _ = try line()
        return size == 0 ? nil : bytes
    }

    /// A whole answer.
    func answer() throws -> Answer {
        var answer = try answerHead()
        if let length = answer.headers["content-length"].flatMap({ Int($0) }) {
            answer.body = try bytes(length)
        } else if answer.headers["transfer-encoding"] == "chunked" {
            while let chunk = try chunk() { answer.body += chunk }
        }
        return answer
    }
}
