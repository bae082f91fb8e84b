public import Foundation
import LoamLive
import LoamStorage

/// What changed in a ``ResultsObserver`` since the last difference of the same sequence: at one delivery, or at several
/// that nobody had taken.
///
/// It is applied in this order: rows that were deleted or moved are taken out at their old positions, from the last to
/// the first; deleted sections are taken out, from the last to the first (they are empty by then), and new ones put in;
/// then rows that were inserted or moved are put in at their new positions, in ascending order. Rows of deleted and new
/// sections are listed too. Positions are section and item; without sections the section is 0.
public struct ResultsDifference<SectionTitle: Hashable> {
    /// A section that was not in the results before.
    public struct SectionInsertion {
        /// The number that the section has now.
        public let section: Int
        /// What its models have in common.
        public let title: SectionTitle
    }

    /// A model that is new in the results.
    public struct Insertion: Hashable, Sendable {
        /// The position of the model in the new results.
        public let position: IndexPath
        /// The identifier of the model.
        public let identifier: PersistentIdentifier
    }

    /// A model that changed and therefore stands at another position.
    public struct Move: Hashable, Sendable {
        /// The position of the model in the old results.
        public let from: IndexPath
        /// The position of the model in the new results.
        public let to: IndexPath
        /// The identifier of the model.
        public let identifier: PersistentIdentifier
        let changes: ModelChanges

        /// The names of the properties that changed, as ``Update/changedProperties``.
        public var changedProperties: Set<String>? { changes.names }
    }

    /// A model that changed and kept its place among the others.
    public struct Update: Hashable, Sendable {
        /// The position of the model in the new results.
        public let position: IndexPath
        /// The identifier of the model.
        public let identifier: PersistentIdentifier
        let changes: ModelChanges

        /// The names of the properties whose values changed, or changed and were changed back. Of relationships those are
        /// named that the model's own record keeps: no to-many one, and no to-one whose other side keeps it. Empty where
        /// only others or related models changed, or what was shown unsaved was saved as it was; nil where it is not
        /// known, as for a model that was deleted and inserted again. O(properties).
        public var changedProperties: Set<String>? { changes.names }
    }

    /// Whether anything may be different: start over from the observer's results. Everything else is empty then.
    public let isReset: Bool
    /// Old numbers of sections that are gone, ascending.
    public private(set) var deletedSections: [Int] = []
    /// Sections that are new, by their new numbers, ascending.
    public private(set) var insertedSections: [SectionInsertion] = []
    /// Old positions of models that are gone, ascending.
    public private(set) var deletions: [IndexPath] = []
    /// Models that are new in the results, by their new positions, ascending.
    public private(set) var insertions: [Insertion] = []
    /// Models that changed and therefore stand at other positions, by their new positions, ascending.
    public private(set) var moves: [Move] = []
    /// Models that changed and kept their place among the others, by their new positions, ascending.
    public private(set) var updates: [Update] = []
}

extension ResultsDifference: Sendable where SectionTitle: Sendable {}
extension ResultsDifference: Equatable where SectionTitle: Equatable {}
extension ResultsDifference.SectionInsertion: Sendable where SectionTitle: Sendable {}
extension ResultsDifference.SectionInsertion: Equatable where SectionTitle: Equatable {}

extension ResultsDifference {
    /// - Parameters:
    ///   - change: the difference of the update.
    ///   - binding: of the rows of the update.
    init(
        _ change: LiveChange, by update: LiveUpdate, of binding: EntityBinding, title: (Value) -> SectionTitle
    ) {
        let origin = binding.origin
        guard case .difference(let difference) = change else {
            isReset = true
            return
        }
        isReset = false
        deletedSections = difference.deletedSections
        insertedSections = difference.insertedSections.map {
            SectionInsertion(section: $0.section, title: title($0.identifier))
        }
        deletions = difference.deletions.map(IndexPath.init)
        insertions = difference.insertions.map {
            Insertion(position: IndexPath($0.position), identifier: PersistentIdentifier(origin, row: $0.rowID))
        }
        moves = difference.moves.map {
            Move(
                from: IndexPath($0.from), to: IndexPath($0.to), identifier: PersistentIdentifier(origin, row: $0.rowID),
                changes: ModelChanges(fields: update.changedFields(of: $0.rowID), binding: binding))
        }
        updates = difference.updates.map {
            Update(
                position: IndexPath($0.position), identifier: PersistentIdentifier(origin, row: $0.rowID),
                changes: ModelChanges(fields: update.changedFields(of: $0.rowID), binding: binding))
        }
    }
}

/// Which properties of a model changed.
struct ModelChanges: Hashable, Sendable {
    /// Their positions in the entity; nil where they are not known.
    let fields: FieldMask?
    let binding: EntityBinding

    var names: Set<String>? {
        fields.map { fields in
            let properties = binding.model.properties
            return Set(
                properties.indices.lazy.filter { fields.contains(binding.positions[$0]) }.map { properties[$0].name })
        }
    }

    static func == (left: ModelChanges, right: ModelChanges) -> Bool {
        left.binding === right.binding ? left.fields == right.fields : left.names == right.names
    }

    func hash(into hasher: inout Hasher) { hasher.combine(fields == nil) }
}

extension IndexPath {
    init(_ position: ResultPosition) {
        self.init(indexes: [position.section, position.item])
    }
}
