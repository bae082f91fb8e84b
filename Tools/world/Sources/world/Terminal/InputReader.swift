import Foundation
import WorldFaces

/// What happens to a program from outside.
enum ProgramInput: Sendable {
    case key(Key)
    case signal(Int32)
    /// The keyboard is gone.
    case end
}

/// A thread that waits for keys and signals.
enum InputReader {
    /// How long the rest of a key's bytes may take, in milliseconds: after that an escape byte is the escape key.
    private static let pause: Int32 = 40

    /// What comes, until a byte that is no signal is in the pipe, or the keyboard is gone.
    ///
    /// - Parameters:
    ///   - signals: where signals are read from.
    ///   - readsKeys: whether standard input is read.
    static func inputs(signals: Int32, readsKeys: Bool) -> AsyncStream<ProgramInput> {
        let (stream, continuation) = AsyncStream.makeStream(of: ProgramInput.self)
        Thread.detachNewThread {
            var decoder = KeyDecoder()
            while wait(signals, readsKeys, &decoder, continuation) {}
            continuation.finish()
        }
        return stream
    }

    /// Waits once. Whether there may be more.
    private static func wait(
        _ signals: Int32, _ readsKeys: Bool, _ decoder: inout KeyDecoder,
        _ continuation: AsyncStream<ProgramInput>.Continuation
    ) -> Bool {
        var waits = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
        if readsKeys { waits.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
        let ready = poll(&waits, nfds_t(waits.count), decoder.isPending ? pause : -1)
        if ready < 0 { return errno == EINTR }
        if ready == 0 {
            for key in decoder.flush() { continuation.yield(.key(key)) }
            return true
        }
        if waits[0].revents != 0 {
            let numbers = read(from: signals)
            for number in numbers where number != 0 { continuation.yield(.signal(Int32(number))) }
            if numbers.contains(0) { return false }
        }
        guard readsKeys, waits[1].revents != 0 else { return true }
        let bytes = read(from: STDIN_FILENO)
        if bytes.isEmpty { continuation.yield(.end) }
        for key in decoder.decode(bytes) { continuation.yield(.key(key)) }
        return !bytes.isEmpty
    }

    private static func read(from descriptor: Int32) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(descriptor, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }
}
