import LoamStorage

/// What of a scan follows from the shape of the conjuncts that it answers, whatever their constants: which component
/// of the index is asked for by which of them.
///
/// An object, so that passing it on copies nothing.
final class ScanOutline: Sendable {
    /// A component that is asked for. An object too: it is handed on for every range.
    final class Step: Sendable {
        let component: ComponentConditions
        /// The conjuncts that are about this component alone, by position.
        let conjuncts: [Int]

        init(component: ComponentConditions, conjuncts: [Int]) {
            (self.component, self.conjuncts) = (component, conjuncts)
        }
    }

    let shared: SharedIndex
    var index: Index { shared.index }
    /// The leading components, up to the first that no conjunct is about alone.
    let steps: [Step]
    /// The step where there is one, and one conjunct is about it; nil otherwise.
    let onlyStep: Step?
    /// Whether all components lie in ``steps``, none of them can be nil, and no two rows have the same in all.
    let findsOneRow: Bool

    /// - Parameters:
    ///   - paths: for each conjunct all that it reads (``TypedPredicate/onlyPath``).
    ///   - first: the component that the steps begin with.
    ///   - order: the keys that the predicate leaves open, where scans are asked whether they follow them.
    /// - Throws: `StorageError` for a component whose values have no order.
    init(_ index: Index, paths: [PropertyPath?], from first: Int = 0, order: [ResolvedSortKey] = []) throws {
        shared = SharedIndex(index, order: order)
        var steps: [Step] = []
        for component in index.components.dropFirst(first) {
            let concerned = paths.indices.filter { paths[$0].map(component.concerns) ?? false }
            guard !concerned.isEmpty else { break }
            steps.append(Step(component: try ComponentConditions(component), conjuncts: concerned))
        }
        self.steps = steps
        onlyStep = steps.count == 1 && steps[0].conjuncts.count == 1 ? steps[0] : nil
        findsOneRow =
            index.kind == .unique && steps.count == index.components.count
            && index.components.allSatisfy { !$0.isOptional }
    }
}

extension IndexComponent {
    /// Whether the component's values follow from the path's.
    func concerns(_ path: PropertyPath) -> Bool {
        path.property == property && path.members == self.path
    }
}
