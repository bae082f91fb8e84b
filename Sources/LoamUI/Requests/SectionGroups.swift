import Loam
import Observation
import Synchronization

/// The models of a request in sections by any property, stored or computed.
///
/// A property is read once for each model, and again when something that it has read changes: O(n) at opening, and all
/// models of the result are kept, for an object that is let go tells nobody of its changes. After a
/// change of the result the positions are grouped anew, O(n) without reading a model that is known. Each identifier is one
/// section; sections come in the order of their first models.
@MainActor final class SectionGroups<Identifier: Hashable, Model: PersistentModel>: Observable {
    struct Group {
        let id: Identifier
        /// Positions in the result, ascending.
        var positions: [Int]
    }

    private var known: [PersistentIdentifier: (section: Identifier, model: Model)] = [:]
    private var made: (result: Int, groups: [Group])?
    private let changed = ChangedModels()
    private let registrar = PartRegistrar()
    /// How often a property has been read.
    private(set) var readCount = 0
    /// The property. With another all models are read anew.
    var property: KeyPath<Model, Identifier> {
        didSet {
            guard property != oldValue else { return }
            (known, made) = ([:], nil)
            tell()
        }
    }

    init(_ property: KeyPath<Model, Identifier>) { self.property = property }

    /// The sections of a result; `number` is another one for every other result.
    func groups(of models: FetchResultsCollection<Model>, number: Int) -> [Group] {
        registrar.access(\.sections)
        let stale = changed.take()
        for identifier in stale { known[identifier] = nil }
        if let made, made.result == number, stale.isEmpty { return made.groups }
        let groups = group(models)
        made = (number, groups)
        return groups
    }

    private func group(_ models: FetchResultsCollection<Model>) -> [Group] {
        var groups: [Group] = []
        var places: [Identifier: Int] = [:]
        var shown = known
        shown.removeAll(keepingCapacity: true)
        for (position, identifier) in models.identifiers.enumerated() {
            let entry = known[identifier] ?? read(models[position], identifier)
            shown[identifier] = entry
            let section = entry.section
            if let place = places[section] {
                groups[place].positions.append(position)
            } else {
                places[section] = groups.count
                groups.append(Group(id: section, positions: [position]))
            }
        }
        known = shown
        return groups
    }

    private func read(_ model: Model, _ identifier: PersistentIdentifier) -> (section: Identifier, model: Model) {
        readCount += 1
        let section = withObservationTracking {
            model[keyPath: property]
        } onChange: { [weak self, changed] in
            changed.insert(identifier)
            // The new value is there when the setter has returned.
            Task { @MainActor in self?.tell() }
        }
        return (section, model)
    }

    /// Has who asks told when the sections are others; reads no model.
    func track() { registrar.access(\.sections) }

    private func tell() { registrar.withMutation(of: \.sections) {} }
}

/// The models whose sections are to be read anew.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `identifiers` | its mutex | whoever changes a model; the sections take them | the sections go |
private final class ChangedModels: Sendable {
    private let identifiers = Mutex<Set<PersistentIdentifier>>([])

    func insert(_ identifier: PersistentIdentifier) { identifiers.withLock { _ = $0.insert(identifier) } }

    func take() -> Set<PersistentIdentifier> {
        identifiers.withLock { taken in
            defer { taken = [] }
            return taken
        }
    }
}
