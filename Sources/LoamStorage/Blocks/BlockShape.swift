/// What the code of blocks has to know about an index: how its entries look, nothing about values or types.
///
/// An entry is ordered by its *full key*: the component bytes, then the row id, eight bytes big endian, inverted when
/// ``invertsRowID``. The component bytes of an index are prefix-free (none is a proper beginning of another), as
/// ordered keys are; so comparing full keys bytewise is comparing components first, row ids second.
package struct BlockShape: Hashable, Sendable {
    package var id: IndexID
    /// The width of the component bytes when every component is fixed-size, else nil.
    package var stride: Int?
    /// Whether the last component is descending, so that row ids count down among equal components.
    package var invertsRowID: Bool
    /// Included fields per entry, at most ``BlockFormat/maximumColumns``.
    package var includedCount: Int
    /// Whether splits prefer a change of the leading component.
    package var isSectioned: Bool
    package var leadingLength: LeadingLength

    package init(
        id: IndexID, stride: Int?, invertsRowID: Bool = false, includedCount: Int = 0, isSectioned: Bool = false,
        leadingLength: LeadingLength
    ) {
        self.id = id
        self.stride = stride
        self.invertsRowID = invertsRowID
        self.includedCount = includedCount
        self.isSectioned = isSectioned
        self.leadingLength = leadingLength
    }
}

extension BlockShape {
    /// The shape of a defined index's blocks.
    ///
    /// - Throws: `invalidIndex` when it has more included fields than a block has columns.
    package init(index: Index, keys: IndexKeyShape) throws {
        guard index.included.count <= BlockFormat.maximumColumns else {
            throw StorageError(
                .invalidIndex("it includes more than \(BlockFormat.maximumColumns) fields"), index: index.name)
        }
        let leading = keys.components[0]
        self.init(
            id: index.id, stride: keys.stride, invertsRowID: keys.invertsRowID, includedCount: index.included.count,
            isSectioned: index.isSectioned,
            leadingLength: leading.fixedWidth.map { .fixed($0) }
                ?? .variable(descending: leading.inverts, share: leading.share))
    }
}

/// Where the leading component of a key ends.
package enum LeadingLength: Hashable, Sendable {
    /// It ends after this many bytes, the tag included.
    case fixed(Int)
    /// It ends after its terminator (0x00, inverted 0xFF when descending), or after `share` bytes when it was cut. A
    /// nil is its tag alone, which has the terminator's value.
    case variable(descending: Bool, share: Int)

    /// The length of the leading component of `bytes`; nil when `bytes` ends before it does.
    func end(in bytes: UnsafeRawBufferPointer) -> Int? {
        switch self {
        case .fixed(let width):
            return bytes.count >= width ? width : nil
        case .variable(let descending, let share):
            let terminator: UInt8 = descending ? 0xFF : 0x00
            let limit = min(share, bytes.count)
            var at = 0
            while at < limit {
                if bytes[at] == terminator { return at + 1 }
                at += 1
            }
            return bytes.count >= share ? share : nil
        }
    }
}

/// Sizes that shape an index. Stores use ``standard``; tests use small ones to reach every case with few entries.
package struct BlockLimits: Hashable, Sendable {
    /// The most bytes of a block and its separator together; a block of one entry may be larger.
    package var blockBytes: Int
    /// A run of more blocks than this is split.
    package var largestRun: Int
    /// A run of fewer blocks than this, unless it is the index's last, is merged with the next.
    package var smallestRun: Int
    /// Blocks per run when an index is appended.
    package var appendedRun: Int

    package init(blockBytes: Int, largestRun: Int, smallestRun: Int, appendedRun: Int) {
        self.blockBytes = min(blockBytes, BlockFormat.largestBlock)
        self.largestRun = largestRun
        // Both halves of a run that is split just above the largest must be large enough.
        self.smallestRun = min(smallestRun, (largestRun + 1) / 2)
        self.appendedRun = appendedRun
    }

    package static let standard = BlockLimits(blockBytes: 1_960, largestRun: 256, smallestRun: 64, appendedRun: 128)

    /// Below this size, separator included, a block is merged with a neighbour when both fit into one.
    var mergesBelow: Int { blockBytes / 3 }
}
