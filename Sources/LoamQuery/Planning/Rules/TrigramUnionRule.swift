import LoamStorage

/// ORs of which a part asks for trigrams, as a search in several texts does, or one for a text or a number: of each part
/// the rows that have its rarest trigram, or those in the ranges that it and the other conjuncts make of another index,
/// each row once. All of the condition is tested on them.
enum TrigramUnionRule {
    /// Parts of an OR that is looked at.
    private static let partLimit = 16

    /// Cost: a few counts for each part, and where a part asks for no trigrams as many for it as ``UnionRule`` takes.
    static func candidates(_ context: PlanContext) throws -> [Candidate] {
        guard !context.shape.trigramIndexes.isEmpty else { return [] }
        return try context.conjuncts.indices.compactMap { position in
            guard case .or(let parts) = context.conjuncts[position], parts.count <= partLimit else { return nil }
            return try union(of: parts, at: position, context)
        }
    }

    private static func union(
        of parts: [TypedPredicate], at position: Int, _ context: PlanContext
    ) throws -> Candidate? {
        let rarest = try parts.map { try rarestTrigram(of: $0, context) }
        guard rarest.contains(where: { $0 != nil }) else { return nil }
        let others = context.allPositions.filter { $0 != position }
        var scans: [IndexScan] = []
        for (part, trigram) in zip(parts, rarest) {
            let range = try UnionRule.narrowest(of: part, others: others, context)?.scan
            guard let scan = [trigram, range].compactMap(\.self).min(by: { $0.entryCount < $1.entryCount }) else {
                return nil
            }
            if !scan.ranges.isEmpty { scans.append(scan) }
        }
        // Without trigrams it is the other rule's, and one scan is no union.
        guard scans.contains(where: \.isOfTrigram) else { return nil }
        return Candidate(
            accessPath: .union(scans), rows: scans.reduce(0) { $0 + $1.entryCount }, origin: position)
    }

    /// The scan of the rarest trigram that a part asks for; nil where it asks for none that an index knows.
    static func rarestTrigram(of part: TypedPredicate, _ context: PlanContext) throws -> IndexScan? {
        let conjuncts = part.conjuncts
        let scans = try conjuncts.enumerated().flatMap {
            try TrigramRule.scans(
                of: $0.element, at: $0.offset, in: conjuncts, context, counting: TrigramRule.partCountedLimit)
        }
        return scans.min { $0.entryCount < $1.entryCount }
    }
}
