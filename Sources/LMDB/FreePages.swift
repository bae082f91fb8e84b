/// Reads LMDB's list of free pages out of the file itself, for a file that is shorter than its last page.
///
/// The list is a tree of its own: transaction numbers to arrays of page numbers, the count first. Source: mdb.c 0.9.24,
/// `MDB_page`, `MDB_node`, `MDB_IDL`. Whatever does not add up means that the pages are not all free.
enum FreePages {
    private static let headerSize = 16
    private static let branch: UInt16 = 0x01
    private static let leaf: UInt16 = 0x02
    private static let overflow: UInt16 = 0x04
    private static let bigData: UInt16 = 0x01

    /// Whether every page of a range is free. Cost: the size of the list of free pages.
    static func cover(_ range: ClosedRange<UInt64>, meta: MetaPages.Meta, in file: PageFile) throws(LMDBError) -> Bool {
        guard meta.freeRoot != .max else { return false }
        var search = Search(range: range, meta: meta, file: file)
        guard try search.visit(meta.freeRoot, depth: meta.freeDepth) else { return false }
        return search.missing == 0
    }

    private struct Search {
        let range: ClosedRange<UInt64>
        let meta: MetaPages.Meta
        let file: PageFile
        var found: Set<UInt64> = []
        var visited: Set<UInt64> = []

        var missing: UInt64 { range.upperBound - range.lowerBound + 1 - UInt64(found.count) }

        /// Reads a page of the tree and what is below. False when it makes no sense.
        mutating func visit(_ number: UInt64, depth: Int) throws(LMDBError) -> Bool {
            guard depth > 0, let page = try page(number), visited.insert(number).inserted else { return false }
            let flags = page.uint16(10)
            let nodeCount = (Int(page.uint16(12)) - headerSize) / 2
            guard nodeCount >= 0, headerSize + nodeCount * 2 <= page.count else { return false }
            for index in 0..<nodeCount {
                let node = Int(page.uint16(headerSize + index * 2))
                guard node + 8 <= page.count else { return false }
                if flags & branch != 0 {
                    guard try visit(child(node, in: page), depth: depth - 1) else { return false }
                } else if flags & leaf != 0 {
                    guard let list = try list(node, in: page) else { return false }
                    collect(list)
                } else {
                    return false
                }
            }
            return true
        }

        private func page(_ number: UInt64) throws(LMDBError) -> [UInt8]? {
            guard number < range.lowerBound else { return nil }
            let bytes = try file.read(at: Int(number) * meta.pageSize, count: meta.pageSize)
            return bytes.count == meta.pageSize && bytes.uint64(0) == number ? bytes : nil
        }

        private func child(_ node: Int, in page: [UInt8]) -> UInt64 {
            UInt64(page.uint16(node)) | UInt64(page.uint16(node + 2)) << 16 | UInt64(page.uint16(node + 4)) << 32
        }

        /// The bytes of a node's array, which may lie on pages of its own.
        private func list(_ node: Int, in page: [UInt8]) throws(LMDBError) -> [UInt8]? {
            let size = Int(page.uint16(node)) | Int(page.uint16(node + 2)) << 16
            let start = node + 8 + Int(page.uint16(node + 6))
            if page.uint16(node + 4) & bigData == 0 {
                return start + size <= page.count ? Array(page[start..<start + size]) : nil
            }
            guard start + 8 <= page.count else { return nil }
            let number = page.uint64(start)
            guard try size <= file.size(), let first = try self.page(number), first.uint16(10) & overflow != 0 else {
                return nil
            }
            let bytes = try file.read(at: Int(number) * meta.pageSize + headerSize, count: size)
            return bytes.count == size ? bytes : nil
        }

        private mutating func collect(_ list: [UInt8]) {
            guard list.count >= 8 else { return }
            let count = min(Int(clamping: list.uint64(0)), list.count / 8 - 1)
            for index in 0..<max(count, 0) {
                let number = list.uint64(8 + index * 8)
                if range.contains(number) { found.insert(number) }
            }
        }
    }
}

extension [UInt8] {
    /// A number at an offset that the caller has checked; 0 beyond the end.
    fileprivate func uint16(_ offset: Int) -> UInt16 {
        guard offset + 2 <= count else { return 0 }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
    }

    /// A number at an offset that the caller has checked; 0 beyond the end.
    fileprivate func uint64(_ offset: Int) -> UInt64 {
        guard offset + 8 <= count else { return 0 }
        return withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    }
}
