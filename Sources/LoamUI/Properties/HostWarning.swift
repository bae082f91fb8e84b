/// What a host has noticed and goes on in spite of. Nothing is printed: the host's owner reads them.
public enum HostWarning: Hashable, Sendable, CustomStringConvertible {
    /// Several views say that they are the source of one pair of a namespace and an identifier.
    case severalSources(namespace: Int, id: String)
    /// Several rows of one list have the same identifier; those after the first count as others.
    case repeatedIdentifier(String)
    /// A view changed what it reads while it was rendered, so often that the rest waits for the next turn.
    case endlessRender(view: String)

    /// What it is, and what to do.
    public var description: String {
        switch self {
        case .severalSources(let namespace, let id):
            "Several views with the identifier \(id) in the namespace \(namespace) are its source: "
                + "give isSource: false to all but one."
        case .repeatedIdentifier(let id): "Several rows have the identifier \(id): give each its own."
        case .endlessRender(let view): "\(view) changes in each render what it reads: change it in an action instead."
        }
    }
}
