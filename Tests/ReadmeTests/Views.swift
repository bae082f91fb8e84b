import Loam
import LoamUI

struct Line: PrimitiveView {
    let text: String
    var kind: NodeKind { "Line" }

    func describe(_ node: inout NodeDescription) { node.value = text }
}

struct LargeCities: View {
    @Query(filter: #Predicate { $0.population > 1_000_000 }, sort: \.name) private var cities: [City]

    var body: some View {
        Line(text: "\(cities.count) large cities")
        ForEach(cities) { Line(text: $0.name) }
    }
}

@MainActor func show(_ container: ModelContainer, _ draw: @escaping ([String]) -> Void) -> ViewHost {
    ViewHost {
        LargeCities().modelContainer(container)
    } onRender: { render in
        draw(render.root.children.compactMap { $0.description.value as? String })
    }
}
