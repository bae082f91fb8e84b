import Foundation
import Loam
import LoamUI

/// Views with a query each, of one row that few others show or none.
@MainActor
final class MountedViews {
    private let arrival: Arrival
    private var host: ViewHost?
    /// Whether all are mounted: renders are changes from then on.
    private var isOpen = false

    nonisolated init(_ arrival: Arrival) { self.arrival = arrival }

    /// Mounts a view for each row by its code, once.
    func mount(codes: [String], in container: ModelContainer) {
        guard host == nil else { return }
        host = ViewHost {
            QuakeViews(codes: codes).modelContainer(container)
        } onRender: { [weak self] _ in
            if let self, isOpen { arrival.arrive() }
        }
        isOpen = true
    }

    func unmount() {
        host?.unmount()
        host = nil
    }
}

private struct QuakeViews: View {
    let codes: [String]

    var body: some View { ForEach(codes, id: \.self) { QuakeView(code: $0) } }
}

private struct QuakeView: View {
    @Query private var quakes: [Earthquake]

    init(code: String) { _quakes = Query(filter: #Predicate { $0.code == code }) }

    var body: some View { QuakeLine(text: quakes.map { "\($0.magnitude)" }.joined()) }
}

private struct QuakeLine: PrimitiveView {
    let text: String
    var kind: NodeKind { "QuakeLine" }

    func describe(_ node: inout NodeDescription) { node.value = text }
}
