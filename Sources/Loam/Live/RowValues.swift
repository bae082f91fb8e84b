import LoamLive
import LoamQuery
import LoamStorage

/// Values of the models of a result, or their identifiers alone.
///
/// Values are kept by row: those of the rows that a change names are read, and no others. Of identifiers nothing is kept.
/// Where each combination of values comes once, or values lie in related models and one of these changed, all are read.
///
/// Confined to the isolation of its observer, which keeps it.
final class RowValues<Element: PersistentModel>: ValuesSource {
    weak var listener: (any ValuesListener)?
    private let observer: ResultsObserver<Element, Never>
    private let asked: FetchDescriptor<Element>
    /// A path that is nil stands for the identifier.
    private let paths: [String?]
    private let isDistinct: Bool
    private var values: [RowID: [Value]] = [:]
    private var made: [ValuesRow]?
    private var update: LiveUpdate?
    private var readError: (any Error)?
    /// Tells of unsaved changes where values lie in related models: the result may be as it was.
    private var route: DeliveryRoute?
    private var seen: UnsavedWatch.Version?
    /// Rows whose values were read: work that tests count.
    private(set) var readRows = 0

    init(
        _ descriptor: FetchDescriptor<Element>, paths: [String?], distinct: Bool, context: ModelContext,
        isolation: (any Actor)?
    ) throws {
        (asked, self.paths) = (descriptor, paths)
        // With the identifier no two are the same.
        isDistinct = distinct && !paths.contains(nil)
        var followed = descriptor
        // Which models are behind the limit follows from all of them.
        if isDistinct { (followed.fetchLimit, followed.fetchOffset) = (nil, nil) }
        observer = try ResultsObserver(
            followed, section: nil, context: context, isolation: isolation, columns: paths.compactMap(\.self))
        observer.listener = self
        if try readsRelated() { follow(on: isolation) }
        try readAll()
    }

    private func readsRelated() throws -> Bool {
        let query = Query(entity: ModelType.of(Element.self).entityName, columns: paths.compactMap(\.self))
        return try store.store.read { snapshot in
            let entity = try snapshot.entity(named: query.entity)
            return try ResolvedQuery(query, in: entity, schema: snapshot.schema).columns.contains { $0.related != nil }
        }
    }

    private func follow(on isolation: (any Actor)?) {
        let route = DeliveryRoute(isolation: isolation, target: self)
        self.route = route
        seen = store.unsaved.look()
        store.unsaved.add(route)
    }

    var error: (any Error)? { observer.fetchError ?? readError }

    func refresh() {
        observer.refresh()
        takeDeliveries()
    }

    var rows: [ValuesRow] {
        if let made { return made }
        let rowIDs = observer.shown.state.rowIDs
        let rows =
            readsNothing
            ? rowIDs.map { ValuesRow(rowID: $0, values: []) }
            : rowIDs.compactMap { id in values[id].map { ValuesRow(rowID: id, values: $0) } }
        made = rows
        return rows
    }

    private var readsNothing: Bool { paths.allSatisfy { $0 == nil } }
    private var store: StoreContext { observer.shown.store }

    // MARK: Reading

    private func readAll() throws {
        guard !readsNothing else { return }
        guard !isDistinct else {
            var all: [ValuesRow] = []
            let columnCount = paths.count { $0 != nil }
            try store.forEachRow(of: asked, at: paths, distinct: true) { rows, values in
                for (index, row) in rows.enumerated() {
                    let values = values[index * columnCount..<(index + 1) * columnCount]
                    all.append(ValuesRow(rowID: row, values: try values.map { try $0.boxed() }))
                }
            } boxed: { row, values in
                all.append(ValuesRow(rowID: row, values: values))
            }
            readRows += all.count
            made = all
            return
        }
        values = [:]
        try read(asked.query(in: store.containerStore.id))
    }

    /// Reads the values of some rows, as they are stored now, with what is unsaved of them. O(rows · log n).
    private func read(_ rowIDs: [RowID]) throws {
        for rowID in rowIDs { values[rowID] = nil }
        for start in stride(from: 0, to: rowIDs.count, by: 1_024) {
            let part = rowIDs[start..<min(start + 1_024, rowIDs.count)]
            try read(
                Query(
                    entity: ModelType.of(Element.self).entityName,
                    predicate: .isIn(.identifier, .list(part.map { .constant(.uint($0)) }), .none)))
        }
    }

    private func read(_ query: Query) throws {
        var query = query
        query.columns = paths.compactMap(\.self)
        let overlay = asked.includePendingChanges ? try store.overlay() : nil
        try store.store.read { snapshot in
            var work = Work()
            try Planner.plan(query, in: snapshot).execute(in: snapshot, overlay: overlay, work: &work) {
                row, read, _ in
                readRows += 1
                values[row] = read
                return true
            }
        }
    }

    private func follow(_ update: LiveUpdate) throws {
        made = nil
        guard !readsNothing else { return }
        guard !isDistinct, !update.isReset else { return try readAll() }
        var wanted = update.changedRowIDs.map(Set.init) ?? []
        // Where rows cross an end of the window, or only the end state is known, the change does not name them.
        let isWindow = asked.fetchLimit != nil || (asked.fetchOffset ?? 0) > 0
        if isWindow || update.changedRowIDs == nil {
            wanted.formUnion(update.namedRowIDs)
            for rowID in update.new.rowIDs where values[rowID] == nil { wanted.insert(rowID) }
        }
        try read(Array(wanted))
        guard values.count > 2 * update.new.count + 64 else { return }
        let shown = Set(update.new.rowIDs)
        values = values.filter { shown.contains($0.key) }
    }
}

extension RowValues: ResultsListener {
    func resultsWillChange(by update: LiveUpdate) { self.update = update }

    func resultsDidChange() {
        guard let update = update.take() else { return }
        showing { if readError == nil { try follow(update) } else { try startOver() } }
    }

    private func showing(_ read: () throws -> Void) {
        do {
            try read()
        } catch {
            readError = SwiftDataError(error)
            listener?.errorDidChange()
        }
        listener?.rowsDidChange()
    }

    private func startOver() throws {
        made = nil
        try readAll()
        guard readError != nil else { return }
        readError = nil
        listener?.errorDidChange()
    }

    func errorDidChange() { listener?.errorDidChange() }
}

extension RowValues: DeliveryTarget {
    /// Unsaved changes may have changed related models.
    func takeDeliveries() {
        guard route != nil, seen != store.unsaved.version else { return }
        seen = store.unsaved.look()
        showing { try startOver() }
    }
}
