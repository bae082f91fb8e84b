import Foundation

/// Writes a line to standard output at once and whole, from whatever thread: a line that the parent has read was
/// written.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    var written = 0
    while written < bytes.count {
        let count = bytes[written...].withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        written += count
    }
}

/// A seed for users who name none.
func freshSeed() -> UInt64 { UInt64.random(in: 0..<1 << 32) }
