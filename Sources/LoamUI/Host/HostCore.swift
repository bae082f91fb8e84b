/// What all places of one host have in common.
@MainActor package final class HostCore {
    let queue: RenderQueue
    /// Nodes that this render has changed and not removed.
    private var changed: [Int: ViewNode] = [:]
    /// The nodes that are a source, by what they register.
    private var sources: [NodeRegistration: Set<Int>] = [:]
    private var unchecked: Set<NodeRegistration> = []
    /// The animations that places have in this render for what is inside. The places are held, so that none that comes
    /// is taken for one that has gone.
    private var animations: [ObjectIdentifier: (place: Mount, animation: Animation?)] = [:]
    /// Containers whose rows have to be laid out.
    private var behind: [RowWindow] = []
    /// What is done when the tree is complete: views have appeared, values have changed.
    private var afterwards: [() -> Void] = []
    private(set) var evaluations = 0
    private(set) var evaluationsByView: [ObjectIdentifier: Int] = [:]
    private(set) var warnings: [HostWarning] = []

    init(queue: RenderQueue) { self.queue = queue }

    /// Rounds in a row, each asked for by the one before, after which rows stay as they are laid out.
    private static let mostRounds = 100

    func note(behind window: RowWindow) { behind.append(window) }

    /// Lays out the rows of containers until all are. Rows that come may have containers and sections inside.
    func layOutRows() {
        var rounds = 0
        while !behind.isEmpty, rounds < Self.mostRounds {
            let windows = behind
            behind = []
            for window in windows { window.layOut() }
            rounds += 1
        }
    }

    func noteEvaluation(of type: Any.Type) {
        evaluations += 1
        evaluationsByView[ObjectIdentifier(type), default: 0] += 1
    }

    func note(changed node: ViewNode) { changed[node.id] = node }

    func note(removed node: ViewNode) {
        changed[node.id] = nil
        register([], of: node)
    }

    /// Takes in what a node registers, in the place of what it did.
    func register(_ registrations: [NodeRegistration], of node: ViewNode) {
        for old in node.description.registrations where old.isSource { sources[old]?.remove(node.id) }
        for new in registrations where new.isSource {
            sources[new, default: []].insert(node.id)
            unchecked.insert(new)
        }
    }

    /// Warns of pairs that have several sources now. O(registrations that are new in the render).
    func checkSources() {
        for registration in unchecked where sources[registration, default: []].count > 1 {
            guard let id = registration.id else { continue }
            report(.severalSources(namespace: registration.namespace, id: "\(id)"))
        }
        unchecked = []
    }

    /// Changes inside a place are shown over time in this render, or at once.
    func note(_ animation: Animation?, of mount: Mount) {
        animations[ObjectIdentifier(mount)] = (mount, animation)
    }

    /// The animations of nodes that places around them have in this render, by the nodes' ids: the innermost of each.
    /// O(1) where no place has one, else O(nodes · depth).
    func takeAnimations(of nodes: [ViewNode]) -> [Int: Animation?] {
        guard !animations.isEmpty else { return [:] }
        defer { animations = [:] }
        var found: [Int: Animation?] = [:]
        for node in nodes {
            var place = node.mount
            while let mount = place {
                if let inside = animations[ObjectIdentifier(mount)] {
                    found[node.id] = .some(inside.animation)
                    break
                }
                place = mount.parent
            }
        }
        return found
    }

    func takeChanged() -> [ViewNode] {
        defer { changed = [:] }
        return changed.sorted { $0.key < $1.key }.map(\.value)
    }

    package func afterRender(_ action: @escaping () -> Void) { afterwards.append(action) }

    /// Does what waits for the end of the render. Asking for more is for the render that it leads to.
    func runAfterwards() {
        let actions = afterwards
        afterwards = []
        for action in actions { action() }
    }

    /// Keeps a warning once. At most a hundred are kept.
    func report(_ warning: HostWarning) {
        if warnings.count < 100, !warnings.contains(warning) { warnings.append(warning) }
    }
}
