public import Foundation
public import Loam

/// The sections of a ``SectionedFetchRequest``, as they are when the value is first read, and what is asked for, to be set.
@MainActor public struct SectionedFetchResults<SectionIdentifier: Hashable, Result: PersistentModel> {
    private let core: FetchRequestCore<Result>
    private let groups: SectionGroups<SectionIdentifier, Result>
    /// Setting alone reads no models: several settings are one fetch.
    private let shown: ShownSections<SectionIdentifier, Result>

    init(_ request: SectionedFetchRequestCore<SectionIdentifier, Result>) {
        (core, groups) = (request.fetch, request.groups)
        shown = ShownSections(core, groups)
    }

    /// The models of a section, in order. A model is made when it is asked for.
    public struct Section: Identifiable, RandomAccessCollection {
        /// What the models have in common.
        public let id: SectionIdentifier
        private let positions: [Int]
        private let models: FetchResultsCollection<Result>

        init(_ group: SectionGroups<SectionIdentifier, Result>.Group, of models: FetchResultsCollection<Result>) {
            (id, positions, self.models) = (group.id, group.positions, models)
        }

        /// The first position, which is 0.
        public var startIndex: Int { 0 }
        /// The number of models.
        public var endIndex: Int { positions.count }

        /// The model at a position. Traps where there is no such position.
        public subscript(position: Int) -> Result { models[positions[position]] }
    }

    /// The property that sections have in common. With another every model is read once, O(n).
    public var sectionIdentifier: KeyPath<Result, SectionIdentifier> {
        get { groups.property }
        nonmutating set { groups.property = newValue }
    }

    /// The condition; nil for all models.
    public var nsPredicate: NSPredicate? {
        get { core.configuration.nsPredicate }
        nonmutating set { core.configuration.nsPredicate = newValue }
    }

    /// The order.
    public var nsSortDescriptors: [NSSortDescriptor] {
        get { core.configuration.nsSortDescriptors }
        nonmutating set { core.configuration.nsSortDescriptors = newValue }
    }

    /// The order. Descriptors that are about no attribute of the model are left out when it is read.
    public var sortDescriptors: [SortDescriptor<Result>] {
        get { core.configuration.sortDescriptors() }
        nonmutating set { core.configuration.nsSortDescriptors = newValue.map { NSSortDescriptor($0) } }
    }

    /// Why the models are not those that are asked for; nil where they are.
    public var fetchError: (any Error)? { core.fetchError }
}

extension SectionedFetchResults: @MainActor RandomAccessCollection {
    /// The first position, which is 0.
    public var startIndex: Int { 0 }
    /// The number of sections.
    public var endIndex: Int { shown.groups.count }

    /// The section at a position. Traps where there is no such position.
    public subscript(position: Int) -> Section { Section(shown.groups[position], of: shown.models) }
}

extension SectionedFetchResults.Section: RowSection, RowLocating {
    package func position(ofRow element: Any) -> Int? {
        guard let model = element as? Result, let position = models.index(of: model.persistentModelID) else {
            return nil
        }
        let index = positions.endIndex(upTo: position)
        return index < positions.count && positions[index] == position ? index : nil
    }

    package func expect(_ expected: Range<Int>) {
        let wanted = positions[expected.clamped(to: positions.indices)]
        guard let first = wanted.first, let last = wanted.last else { return }
        models.expect(first..<last + 1)
    }
}

/// The sections of a request, from the first reading on.
@MainActor private final class ShownSections<Identifier: Hashable, Model: PersistentModel> {
    private let core: FetchRequestCore<Model>
    private let source: SectionGroups<Identifier, Model>
    private lazy var result = core.models
    var models: FetchResultsCollection<Model> { result.all }
    lazy var groups = source.groups(of: result.all, number: result.number)

    init(_ core: FetchRequestCore<Model>, _ groups: SectionGroups<Identifier, Model>) {
        (self.core, source) = (core, groups)
    }
}
