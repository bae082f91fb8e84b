import Loam
import LoamUI

/// Views with a query each, of two models that no other view shows.
@MainActor final class ViewBoard {
    let count: Int
    private(set) var renders = 0
    /// When the last render was told.
    private(set) var rendered = ContinuousClock.now
    private var host: ViewHost?

    init(_ count: Int, in container: ModelContainer) {
        self.count = count
        host = ViewHost {
            PairViews(count: count).modelContainer(container)
        } onRender: { [weak self] _ in
            self?.renders += 1
            self?.rendered = .now
        }
    }

    /// How many of the views have been evaluated.
    var evaluations: Int { host?.evaluations(of: PairView.self) ?? 0 }

    func text(of number: Int) -> String { host?.root.children[number].description.value as? String ?? "" }
}

private struct PairViews: View {
    let count: Int

    var body: some View { ForEach(0..<count) { PairView(number: $0) } }
}

private struct PairView: View {
    @Query private var models: [Measurement]

    init(number: Int) {
        let (least, most) = (2 * number, 2 * number + 1)
        _models = Query(filter: #Predicate { $0.value >= least && $0.value <= most }, sort: \Measurement.value)
    }

    var body: some View { Line(text: models.map(\.name).joined(separator: " ")) }
}

private struct Line: PrimitiveView {
    let text: String
    var kind: NodeKind { "Line" }

    func describe(_ node: inout NodeDescription) { node.value = text }
}
