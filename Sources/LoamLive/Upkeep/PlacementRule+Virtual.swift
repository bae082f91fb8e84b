import LoamQuery
import LoamStorage

extension PlacementRule {
    /// How the rows of a result can be found again by their place, as ``arrangement(in:)`` tells, also for a result that
    /// shows a window of the range, and for one with a section that takes in rows without a value: where these stand
    /// beside the others of it in the index.
    ///
    /// - Parameter asked: what the rule was made of.
    /// - Throws: ``QueryError`` for a query that cannot be run, `StorageError` for damage.
    func arrangement(for asked: Query, in snapshot: Snapshot) throws -> Arrangement {
        guard asked.limit != nil || asked.offset > 0 || asked.sectionOfNil != nil else {
            return try arrangement(in: snapshot)
        }
        var plain = asked
        (plain.limit, plain.offset, plain.sectionOfNil) = (nil, 0, nil)
        let rule = try PlacementRule(ResolvedQuery(plain, in: query.entity, schema: snapshot.schema))
        let found = try rule.arrangement(in: snapshot)
        if asked.sectionOfNil != nil, case .span(let span) = found, NilSection(query, in: span.index) == nil {
            return .none("a section takes in rows without a value, which stand elsewhere in the index")
        }
        return found
    }

    /// The sections of all rows that match, window left aside, those without a value in the one that takes them in.
    /// O(sections · log n).
    func sections(of span: IndexSpan, in snapshot: Snapshot) throws -> SectionTree {
        let found = try sections(in: snapshot)
        guard let identifier = query.sectionOfNil, let nils = found.firstIndex(where: \.value.isNull) else {
            return SectionTree(count: found.count) { LiveSection(found[$0]) }
        }
        var sections = found.map { LiveSection($0) }
        let section = sections.remove(at: nils)
        if let other = sections.firstIndex(where: { $0.identifier == identifier }) {
            sections[other].count += section.count
        } else if let head = NilSection(query, in: span.index)?.nilHead,
            let place = try placement(ofFirstEntry: .prefix(head), of: span, in: snapshot)
        {
            sections.insert(
                LiveSection(key: place.sectionKey, identifier: identifier, count: section.count), at: nils)
        }
        return SectionTree(sorted: sections)
    }

    /// The place of the first row in a part of a span.
    private func placement(
        ofFirstEntry range: KeyRange, of span: IndexSpan, in snapshot: Snapshot
    ) throws -> Placement? {
        let position = try snapshot.position(in: span.index, fullKey: range.intersection(span.range).lower)
        return try snapshot.rowID(in: span.index, at: position).flatMap { try placement(of: $0, in: snapshot) }
    }
}

extension LiveSection {
    fileprivate init(_ found: FoundSection) {
        self.init(key: found.key.withoutZerosAtItsEnd, identifier: found.value, count: found.count)
    }
}
