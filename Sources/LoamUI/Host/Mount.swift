/// A place in the tree of mounted views. What is here lasts from the first render of a view to its removal.
@MainActor package class Mount {
    package let host: HostCore
    private(set) weak var parent: Mount?
    let depth: Int
    package private(set) var isMounted = true
    /// What is inside, in its order.
    package var children: [Mount] { [] }

    init(under parent: Mount) {
        (host, self.parent, depth) = (parent.host, parent, parent.depth + 1)
    }

    init(root host: HostCore) { (self.host, parent, depth) = (host, nil, 0) }

    /// Evaluates again what something was read in that has changed.
    func evaluate() {}

    /// The environment around it has another value, and its view is the same.
    package func setEnvironment(_ environment: EnvironmentValues) {
        for child in children { child.setEnvironment(environment) }
    }

    /// Lets go of everything, what is inside first.
    package func unmount() {
        guard isMounted else { return }
        isMounted = false
        for child in children { child.unmount() }
    }

    /// The outermost nodes inside.
    func appendNodes(to nodes: inout [ViewNode]) { for child in children { child.appendNodes(to: &nodes) } }

    /// The node itself, where the mount is one.
    var node: ViewNode? { nil }

    /// What modifiers around a node add to it, the innermost first.
    package func modify(_ node: inout NodeDescription) {}

    /// The identifier that a place gives what is inside.
    var explicitID: AnyHashable? { nil }

    /// Views inside have come, gone or moved.
    final func noteStructure() {
        var place: Mount? = self
        while let mount = place {
            if let node = mount.node {
                node.forgetChildren()
                return host.note(changed: node)
            }
            place = mount.parent
        }
    }

    /// What modifiers say has changed: the nodes right inside say it anew.
    final func noteModifiers() {
        for child in children { child.describeNodes() }
    }

    func describeNodes() { for child in children { child.describeNodes() } }

    /// The window that the rows of a `ForEach` right inside belong to.
    var innerWindow: RowWindow? { parent?.innerWindow }

    /// The window that the rows of a `ForEach` within a row of this one belong to.
    var windowOfRows: RowWindow? { nil }

    /// The parts of a container's rows that are inside, in their order.
    func appendSegments(to segments: inout [any RowSegment]) {
        for child in children { child.appendSegments(to: &segments) }
    }

    /// Where the row that the mount is stands in its container.
    var rowPosition: Int? { nil }

    /// Where a row of this `ForEach` stands in its container, by where its element stands in the data.
    func rowPosition(of position: Int) -> Int? { nil }
}

/// The place of a view of one type.
package class TypedMount<Content: View>: Mount {
    /// A parent has made the view anew.
    package func update(_ view: Content, _ environment: EnvironmentValues) {}
}

extension Mount {
    /// Mounts a view.
    func mount<Content: View>(_ view: Content, _ environment: EnvironmentValues) -> TypedMount<Content> {
        if let view = view as? any StructuralView, let mount = structural(view, environment) as? TypedMount<Content> {
            return mount
        }
        if let view = view as? any PrimitiveView, let mount = primitive(view, environment) as? TypedMount<Content> {
            return mount
        }
        return BodyMount(view, under: self, environment)
    }

    private func structural<Content: StructuralView>(_ view: Content, _ environment: EnvironmentValues) -> Mount {
        view.makeMount(under: self, environment)
    }

    private func primitive<Content: PrimitiveView>(_ view: Content, _ environment: EnvironmentValues) -> Mount {
        PrimitiveMount(view, under: self, environment)
    }
}
