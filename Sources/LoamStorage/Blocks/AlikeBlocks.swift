/// How many neighbours among the separators of some blocks begin with the same bytes, by how many bytes these are.
///
/// What begins with so many bytes and lies in several blocks stands at the beginning of the separators between them. So
/// where no neighbours begin alike, no such beginning is that of more entries than two blocks hold.
struct AlikeBlocks: Sendable {
    /// Longer beginnings are taken to be so long.
    static let mostBytes = 24

    /// Neighbours that begin alike, one behind the other.
    fileprivate struct Stretches {
        /// From the first separator on.
        var leading = 0
        var longest = 0
        /// Up to the last separator.
        var trailing = 0
    }

    /// By the number of bytes.
    private let stretches: [Stretches]
    private let pairCount: Int

    /// - Parameters:
    ///   - separators: in order, one after another.
    ///   - ends: of each of them among the bytes.
    init(separators: [UInt8], ends: [Int]) {
        var stretches = Array(repeating: Stretches(), count: Self.mostBytes + 1)
        pairCount = max(0, ends.count - 1)
        for pair in 0..<pairCount {
            let left = separators[(pair == 0 ? 0 : ends[pair - 1])..<ends[pair]]
            let right = separators[ends[pair]..<ends[pair + 1]]
            let common = zip(left, right).prefix { $0 == $1 }.count
            for bytes in stretches.indices { stretches[bytes].add(isAlike: bytes <= common, at: pair) }
        }
        self.stretches = stretches
    }

    /// The most neighbours in a row that begin alike, in some runs one behind the other. Where a run begins, what is
    /// before it is taken to begin alike.
    static func longest(in runs: some Sequence<AlikeBlocks>, bytes: Int) -> Int {
        var (longest, current) = (0, 0)
        for (number, run) in runs.enumerated() {
            if number > 0 { current += 1 }
            let stretches = run.stretches[min(bytes, mostBytes)]
            longest = max(longest, current + stretches.leading, stretches.longest)
            current = stretches.trailing == run.pairCount ? current + run.pairCount : stretches.trailing
        }
        return max(longest, current)
    }
}

extension AlikeBlocks.Stretches {
    fileprivate mutating func add(isAlike: Bool, at pair: Int) {
        guard isAlike else { return trailing = 0 }
        if leading == pair { leading += 1 }
        trailing += 1
        longest = max(longest, trailing)
    }
}

/// The most entries of an index that can begin with the same bytes, by how many bytes these are.
final class AlikeEntries: Sendable {
    let most: [Int]

    fileprivate init(_ outlines: [RunOutline]) {
        let inBlock = outlines.reduce(0) { max($0, $1.mostEntriesOfABlock) }
        most = (0...AlikeBlocks.mostBytes).map { bytes in
            (AlikeBlocks.longest(in: outlines.lazy.map(\.alike), bytes: bytes) + 2) * inBlock
        }
    }
}

/// Keeps the bounds for one state of an index.
struct KeptAlikeEntries: ~Copyable, Sendable {
    private let entries = KeptObject<AlikeEntries>()
    /// Of an index with more runs, nobody looks whether all outlines are known.
    private static let mostRuns = 64

    /// - Returns: nil where the outline of a run is not known, or there are many runs.
    fileprivate func most(of sums: IndexSums) -> [Int]? {
        if let known = entries.known { return known.most }
        guard sums.runCount > 0, sums.runCount <= Self.mostRuns else { return nil }
        var outlines: [RunOutline] = []
        for run in 0..<sums.runCount {
            guard let outline = sums.outline(ofRun: run).known else { return nil }
            outlines.append(outline)
        }
        return entries.keep(AlikeEntries(outlines)).most
    }
}

extension IndexSums {
    /// About how many entries lie in several ranges together, where each is all keys that begin with some bytes and they are
    /// sure to hold no more than so many together; nil where that is not known. O(ranges) in memory: no range is looked
    /// for.
    func fewEntries(in ranges: [KeyRange], atMost limit: Int) -> Int? {
        guard ranges.count > 1, let most = alikeEntries.most(of: self) else { return nil }
        var shortest = AlikeBlocks.mostBytes
        for range in ranges {
            guard let count = range.prefixCount else { return nil }
            shortest = min(shortest, count)
        }
        let (bound, overflow) = most[shortest].multipliedReportingOverflow(by: ranges.count)
        guard !overflow, bound <= limit else { return nil }
        return ranges.count * max(1, total.entries / max(1, total.blocks) / 2)
    }
}
