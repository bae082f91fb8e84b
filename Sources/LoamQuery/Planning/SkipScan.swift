import LoamStorage

/// The scan of an index of whose first component nothing is asked: behind each of its values, the ranges that the
/// components behind it come to, or all of it where only the order of these is wanted. The values are looked for when the
/// plan is executed, each by a look-up. The ranges are read one after another, or merged into the order of what follows
/// the components that are single values in each.
package struct SkipScan: Hashable, Sendable {
    /// The scan without its ranges.
    package var scan: IndexScan
    /// About how many values the first component has.
    package var leadingCount: Int
    /// How many ranges there are behind each.
    package var rangeCount: Int

    /// What a value costs: a look-up for itself, and one for each range behind it.
    var costOfValue: Double { Double(1 + rangeCount) * Cost.range }

    /// The ranges behind a value of the first component.
    ///
    /// - Parameters:
    ///   - key: of the value.
    ///   - outline: this scan's.
    /// - Throws: `StorageError` for a component whose values have no order.
    func ranges(behind key: [UInt8], _ outline: ScanOutline) throws -> [KeyRange] {
        try BuiltScan.Builder(outline, behind: key, answering: scan.conjuncts).ranges
    }

    /// The components behind the first one, and what is asked of them.
    ///
    /// - Throws: `StorageError` for a component whose values have no order.
    var outline: ScanOutline {
        get throws { try ScanOutline(scan.index, paths: scan.conjuncts.map(\.onlyPath), from: 1) }
    }
}

extension IndexScan {
    /// A scan of ranges that are yet to be found: behind each value of the first component, those that `builder` has
    /// found behind one of them.
    init(behindEachOf index: SharedIndex, like builder: BuiltScan.Builder, entryCount: Int) {
        self.init(
            shared: index, ranges: [], equalityCount: 0, pointCount: 1 + builder.pointCount,
            conjuncts: builder.conjuncts, positions: builder.conditions, entryCount: entryCount, isInexact: false)
    }
}
