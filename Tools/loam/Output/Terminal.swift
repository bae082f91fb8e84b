import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The standard streams, as far as they are terminals.
enum Terminal {
    static let isOutput = isatty(1) == 1
    static let isError = isatty(2) == 1

    /// Colours: on a terminal that has them, unless `NO_COLOR` says otherwise (no-color.org).
    static let hasColours: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return isOutput && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
    }()

    /// Asks on the terminal; throws where there is nobody to ask.
    static func confirms(_ question: String) throws -> Bool {
        guard isatty(0) == 1 else { throw ArgumentError(.nobodyToAsk) }
        writeError("\(question) [y/N] ")
        return ["y", "yes"].contains(readLine()?.lowercased() ?? "")
    }

    /// Writes to standard error. What cannot be written there is lost.
    static func writeError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

/// The way in which text is set off, and whether it goes to a terminal.
struct Style {
    let hasColours: Bool
    var isTerminal = false

    static let standard = Style(hasColours: Terminal.hasColours, isTerminal: Terminal.isOutput)

    func bold(_ text: String) -> String { hasColours ? "\u{1B}[1m\(text)\u{1B}[0m" : text }
    func dim(_ text: String) -> String { hasColours ? "\u{1B}[2m\(text)\u{1B}[0m" : text }
}

/// Collects bytes on their way to a file or to standard output into large writes.
final class OutputStream {
    private let send: ([UInt8]) throws -> Void
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 16

    /// - Parameter send: takes some ten kilobytes at a time.
    init(_ send: @escaping ([UInt8]) throws -> Void) {
        self.send = send
    }

    static var standard: OutputStream {
        OutputStream { try OutputDescriptor.standard.write($0) }
    }

    func write(_ bytes: some Sequence<UInt8>) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    func write(_ text: String) throws { try write(text.utf8) }

    func flush() throws {
        guard !buffer.isEmpty else { return }
        try send(buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
