import Synchronization

/// The blocks of a run in one state of the store: where each begins, and how many entries lie before it. With it a
/// range is told to a block without a look at the file.
///
/// Some 40 bytes for each block.
final class RunOutline: Sendable {
    /// The first eight bytes of each block's separator, which decide most comparisons.
    private let prefixes: [UInt64]
    /// The blocks' separators, one after another, and where each ends.
    private let separators: [UInt8]
    private let ends: [Int]
    /// Entries of the run before each block, and at last all.
    private let entriesBefore: [Int]
    /// How many neighbouring blocks begin alike.
    let alike: AlikeBlocks

    init(separators: [UInt8], ends: [Int], entriesBefore: [Int]) {
        self.separators = separators
        self.ends = ends
        self.entriesBefore = entriesBefore
        prefixes = separators.withUnsafeBytes { separators in
            ends.indices.map { block in
                let start = block == 0 ? 0 : ends[block - 1]
                return UnsafeRawBufferPointer(rebasing: separators[start..<ends[block]]).firstWord
            }
        }
        alike = AlikeBlocks(separators: separators, ends: ends)
    }

    /// The most entries that a block has. O(blocks).
    var mostEntriesOfABlock: Int {
        zip(entriesBefore.dropFirst(), entriesBefore).reduce(0) { max($0, $1.0 - $1.1) }
    }

    var blockCount: Int { ends.count }

    /// Entries of the run before block `index`, which may be the one behind the last.
    func entries(before index: Int) -> Int { entriesBefore[index] }

    /// Lends the lower bound of a block.
    func withSeparator<R>(_ index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let start = index == 0 ? 0 : ends[index - 1]
        return try separators.withUnsafeBytes {
            try body(UnsafeRawBufferPointer(rebasing: $0[start..<ends[index]]))
        }
    }

    /// The last block that begins at `bound` or before; nil where the first one begins behind it. O(log blocks).
    func block(containing bound: UnsafeRawBufferPointer) -> Int? {
        let prefix = bound.firstWord
        let behind = prefixes.withUnsafeBufferPointer { prefixes in
            (0..<prefixes.count).partitionPoint { block in
                if prefixes[block] != prefix { return prefixes[block] < prefix }
                return withSeparator(block) { !bound.isBelow($0) }
            }
        }
        return behind > 0 ? behind - 1 : nil
    }

    /// The block that holds an entry of the run; nil where the run has none so far behind. O(log blocks).
    func block(holdingEntry position: Int) -> Int? {
        entriesBefore.withUnsafeBufferPointer { entriesBefore in
            let behind = entriesBefore.indices.partitionPoint { entriesBefore[$0] <= position }
            return behind > 0 && behind < entriesBefore.count ? behind - 1 : nil
        }
    }

    /// Whether a range ends behind the beginning of a block.
    ///
    /// - Parameter end: the range's ``KeyRange/endWord``.
    func isReached(_ block: Int, by range: KeyRange, end: UInt64?) -> Bool {
        guard let end else { return true }
        let prefix = prefixes[block]
        return prefix == end ? withSeparator(block, range.endsBehind) : prefix < end
    }
}

/// Keeps the outline of a run, and its sections, for all states of the store that have the run with the same blocks.
///
/// The outline is read when the run has been asked for so often that this pays: a walk over the headers of its blocks
/// costs as much as some 30 questions.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `outline` | itself | whoever reads it first | nobody keeps the run's sums |
/// | `sections` | itself | whoever walks through the run first | nobody keeps the run's sums |
/// | `questions` | itself | whoever asks | the outline is read |
final class KeptOutline: Sendable {
    private let outline = KeptObject<RunOutline>()
    let sections = KeptObject<RunSections>()
    private let questions = Atomic<Int>(0)
    private static let fewQuestions = 32

    var known: RunOutline? { outline.known }

    /// Lends the outline, if it was read, without counting a reference.
    @inline(__always)
    func withKnown<R>(_ body: (RunOutline?) throws -> R) rethrows -> R { try outline.withKnown(body) }

    /// Counts a question that the outline would have answered; returns whether to read it now.
    func isWanted() -> Bool {
        known == nil && questions.wrappingAdd(1, ordering: .relaxed).newValue > Self.fewQuestions
    }

    func keep(_ new: RunOutline) { outline.keep(new) }
}

/// A block among all entries of its index.
struct BlockPlace: Equatable {
    /// Entries before it.
    var before: Int
    /// Entries in it.
    var count: Int
}

/// The blocks in which a range begins and ends. Where it is open, that is an end of the index, at which there is none.
struct RangePlaces {
    var first: BlockPlace
    var last: BlockPlace

    /// The entries of all blocks that it reaches.
    var mostEntries: Int { last.before + last.count - first.before }

    /// Whether it ends so few blocks behind its first that these have to be looked at to tell its size.
    var isShort: Bool { last.before - first.before < 4 * max(first.count, last.count) }

    /// Its entries, if it began and ended in the middle of a block.
    var estimatedCount: Int {
        first == last
            ? max(1, first.count / 2) : max(1, last.before + last.count / 2 - first.before - first.count / 2)
    }
}
