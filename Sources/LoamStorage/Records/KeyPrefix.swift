/// The first bytes of a key, as far as they are known without making all of it: what tells most rows that come behind
/// others without a key of their own.
package struct KeyPrefix: Hashable, Sendable {
    /// The bytes, the first one on top; zeros behind them.
    let bytes: UInt64
    /// A bit for each bit of the bytes that are known.
    let mask: UInt64

    init(_ bytes: UInt64, count: Int) {
        mask = count >= 8 ? .max : ~(.max >> UInt64(8 * count))
        self.bytes = bytes & mask
    }

    /// Whether the key comes behind one that begins with these eight bytes, or is these and zeros behind its end.
    @inline(__always)
    package func isBehind(_ other: UInt64) -> Bool { bytes > other & mask }
}

extension PlacementProgram {
    /// The first bytes of a row's key where its leading component is a text that lies in a record.
    ///
    /// - Returns: nil where making the key costs no more, or is the only way to know them.
    /// - Throws: `damagedRecord` where the bytes are not a value of the type.
    @inline(__always)
    func prefix(slot: Int, of view: RecordView) throws -> KeyPrefix? {
        guard count > 0, !isFunction(0) else { return nil }
        return try leading.prefix(slot, of: view)
    }
}

extension KeyComponent {
    func prefix(_ slot: Int, of view: RecordView) throws -> KeyPrefix? {
        guard kind == .string || kind == .url || kind == .data, !form.isCollated else { return nil }
        let location = try view.location(slot)
        guard location.kind.isVariable, !view.isNull(location) else { return nil }
        let field = try view.variable(location)
        guard !field.isExternal else { return nil }
        return view.bytes.extracting(unchecked: field.range).withUnsafeBytes { prefix(of: $0, isPlain: field.isPlain) }
    }

    /// The tag and up to seven bytes of content: up to one that is escaped, or that a form may change.
    private func prefix(of content: UnsafeRawBufferPointer, isPlain: Bool) -> KeyPrefix {
        var bytes: UInt64 = 0x01
        var count = 1
        let folds = form == .caseFolded || form == .caseAndDiacriticFolded
        while count < 8, count - 1 < content.count {
            var byte = content[count - 1]
            guard byte > 1 else { break }
            if kind == .string, !isPlain {
                // A letter may be composed with marks behind it.
                guard byte < 0x80, count >= content.count || content[count] < 0x80 else { break }
            }
            if folds, byte &- 0x41 < 26 { byte |= 0x20 }
            bytes = bytes << 8 | UInt64(byte)
            count += 1
        }
        bytes <<= UInt64(64 - 8 * count)
        return KeyPrefix(inverts ? ~bytes : bytes, count: count)
    }
}
