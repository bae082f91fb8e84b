/// A value that carries a checksum in front of its content, over its key too: what long values and the history lie in.
///
/// Eight bytes, big endian, then the content.
enum SealedChunk {
    static let headerBytes = 8

    static func seal(_ content: ArraySlice<UInt8>, key: [UInt8]) -> [UInt8] {
        var chunk: [UInt8] = []
        chunk.reserveCapacity(headerBytes + content.count)
        chunk += [UInt8](bigEndian: checksum(content, key: key))
        chunk += content
        return chunk
    }

    /// The content; nil where the checksum is not that of content and key.
    static func content(of chunk: [UInt8], key: [UInt8]) -> ArraySlice<UInt8>? {
        guard chunk.count >= headerBytes else { return nil }
        let stored = chunk.withUnsafeBytes { $0.bigEndian(at: 0, as: UInt64.self) }
        let content = chunk[headerBytes...]
        return checksum(content, key: key) == stored ? content : nil
    }

    private static func checksum(_ content: ArraySlice<UInt8>, key: [UInt8]) -> UInt64 {
        let seed = key.withUnsafeBytes { Checksum.hash64($0, seed: 0) }
        return content.withUnsafeBytes { Checksum.hash64($0, seed: seed) }
    }
}
