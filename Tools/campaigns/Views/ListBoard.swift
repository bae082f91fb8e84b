import Loam
import LoamViews

/// A list over all models of a store, of which it mounts the rows that are shown.
@MainActor final class ListBoard {
    private(set) var renders = 0
    /// When the last render was told.
    private(set) var rendered = ContinuousClock.now
    private var host: ViewHost?
    private var query: QueryRequest<FetchResultsCollection<Measurement>>?

    init(in container: ModelContainer) {
        host = ViewHost { [weak self] in
            MeasurementList { self?.query = $0 }.modelContainer(container)
        } onRender: { [weak self] _ in
            self?.renders += 1
            self?.rendered = .now
        }
    }

    /// How many rows have been evaluated.
    var evaluations: Int { host?.evaluations(of: MeasurementRow.self) ?? 0 }

    /// How many records the list's query has read.
    var readRecords: Int { query?.readRecordCount ?? 0 }

    private var list: ViewNode? { host?.root.descendant { $0.kind == "List" } }

    var rowCount: Int { list?.rowCount ?? 0 }
    var shownRows: Range<Int> { list?.shownRows ?? 0..<0 }

    /// The texts of the rows that are mounted.
    var texts: [String] {
        (list?.rows ?? []).map { row in
            guard case .text(let text)? = row.nodeValue else { return "" }
            return text
        }
    }

    func show(rows: Range<Int>) {
        list?.show(rows: rows)
        host?.render()
    }
}

private struct MeasurementList: View {
    @Query(sort: \Measurement.value) private var models: FetchResultsCollection<Measurement>

    let tell: @MainActor (QueryRequest<FetchResultsCollection<Measurement>>) -> Void

    init(tell: @escaping @MainActor (QueryRequest<FetchResultsCollection<Measurement>>) -> Void) { self.tell = tell }

    var body: some View { List(models) { MeasurementRow(model: $0) }.onAppear { tell(_models.request) } }
}

private struct MeasurementRow: View {
    let model: Measurement

    var body: some View { Text("\(model.value) \(model.name)") }
}
