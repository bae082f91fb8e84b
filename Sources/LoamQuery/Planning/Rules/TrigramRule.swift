import LoamStorage

/// Conditions on parts of a text that an index of trigrams narrows: each row that a condition holds for has all
/// trigrams of the part. Some others may have them too, so the condition is tested all the same.
enum TrigramRule {
    /// Trigrams of a condition that are counted; of more, so many spread over all are taken.
    private static let countedLimit = 16
    /// Trigrams that are counted of each part of an OR.
    static let partCountedLimit = 4
    /// The entries of texts that stand for every trigram.
    static let longTexts = KeyRange.prefix(TrigramSet.key(of: TrigramSet.every))

    /// For each trigram of the part that a condition asks for, the scan of its entries. None where no index helps, and
    /// for parts of fewer than three letters.
    ///
    /// Cost: a count for each, O(log n).
    ///
    /// - Parameter limit: how many are counted at most.
    static func scans(
        of condition: TypedPredicate, at position: Int, in conjuncts: [TypedPredicate], _ context: PlanContext,
        counting limit: Int = countedLimit
    ) throws -> [IndexScan] {
        guard let (path, trigrams) = condition.trigrams,
            let index = context.shape.trigramIndexes.first(where: { $0.components[0].concerns(path) })
        else { return [] }
        let shared = SharedIndex(index)
        let longTextCount = try context.longTextCount(in: index)
        return try trigrams.spread(over: limit).map { trigram in
            let range = KeyRange.prefix(TrigramSet.key(of: trigram))
            return IndexScan(
                shared: shared, ranges: [longTexts, range], equalityCount: 0, pointCount: 1, conjuncts: conjuncts,
                positions: [position],
                entryCount: longTextCount + (try context.statistics.count(in: index, range: range)), isInexact: false)
        }
    }
}

extension IndexScan {
    /// Whether it reaches the rows with one trigram, of which it answers nothing.
    var isOfTrigram: Bool { shared.isOfTrigrams }

    /// The trigram; nil for another scan.
    var trigram: String? {
        guard isOfTrigram, let key = ranges.last?.lower else { return nil }
        return TrigramSet.trigram(of: key).map(TrigramSet.text)
    }
}

extension TypedPredicate {
    /// Trigrams of a text that each row has for which the condition holds, and the path that leads to the text. Nil
    /// where nothing is known of it.
    var trigrams: (path: PropertyPath, trigrams: [UInt64])? {
        guard case .text(.property(let path), let text, .constant(.string(let operand)), let form) = self,
            path.related == nil
        else { return nil }
        let trigrams: [UInt64]
        switch text {
        case .contains, .beginsWith, .endsWith: trigrams = TrigramSet.trigrams(ofTextsWith: operand, form: form)
        // A wildcard may part what would be one letter.
        case .like where form != .diacriticFolded:
            trigrams = Set(LikePattern.literals(of: operand).flatMap(TrigramSet.inert)).sorted()
        case .like, .matches: return nil
        }
        return trigrams.isEmpty ? nil : (path, trigrams)
    }
}
