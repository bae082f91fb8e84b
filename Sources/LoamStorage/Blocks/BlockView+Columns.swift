/// The columns of included fields, which follow the keys.
extension BlockView {
    /// Where one included field of all entries lies.
    struct Column {
        /// The code of all entries; nil when each has its own.
        let uniformCode: UInt8?
        let codesStart: Int
        let dataStart: Int

        /// Bytes of a field with this code.
        @inline(__always)
        static func length(_ code: UInt8) -> Int { Int(code) <= BlockFormat.maximumIncluded ? Int(code) : 0 }

        @inline(__always)
        static func isKnown(_ code: UInt8) -> Bool {
            Int(code) <= BlockFormat.maximumIncluded || code >= BlockFormat.nullCode
        }
    }

    /// Fills `columns` with the outline of all columns, every code and every length checked. O(entries) where codes
    /// differ.
    func readColumns(into columns: inout [Column]) throws(StorageError) {
        columns.removeAll(keepingCapacity: true)
        var at = entriesEnd
        for _ in 0..<shape.includedCount {
            guard at + 2 <= byteCount else { throw BlockFormat.damaged("it ends before its columns") }
            let mode = base.load(fromByteOffset: at, as: UInt8.self)
            at += 1
            let codesStart = at
            if mode == BlockFormat.uniformColumn {
                let code = base.load(fromByteOffset: at, as: UInt8.self)
                guard Column.isKnown(code) else { throw BlockFormat.damaged("an included field has a wrong length") }
                at += 1
                columns.append(Column(uniformCode: code, codesStart: codesStart, dataStart: at))
                at += count * Column.length(code)
            } else {
                guard mode == BlockFormat.mixedColumn, at + count <= byteCount else {
                    throw BlockFormat.damaged("a column is wrong")
                }
                at += count
                columns.append(Column(uniformCode: nil, codesStart: codesStart, dataStart: at))
                for index in 0..<count {
                    let code = base.load(fromByteOffset: codesStart + index, as: UInt8.self)
                    guard Column.isKnown(code) else {
                        throw BlockFormat.damaged("an included field has a wrong length")
                    }
                    at += Column.length(code)
                }
            }
        }
        guard at == byteCount else { throw BlockFormat.damaged("its columns do not end where it does") }
    }

    /// The code of an entry, which must exist.
    @inline(__always)
    func code(at index: Int, in column: Column) -> UInt8 {
        column.uniformCode ?? base.load(fromByteOffset: column.codesStart + index, as: UInt8.self)
    }
}
