import LoamStorage

/// Where in the entries of an index the values of key paths are found.
package struct Covering: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// The component at this position. Some values are not given back by a key; their record is read.
        case component(Int)
        /// The included field at this position, which is left out where it did not fit.
        case included(Int)
    }

    package var sources: [PropertyPath: Source]

    /// Finds the paths in an index; nil when the index lacks one of them.
    init?(_ paths: some Collection<PropertyPath>, in index: Index) throws {
        sources = [:]
        for path in paths {
            guard let source = try Self.source(of: path, in: index) else { return nil }
            sources[path] = source
        }
    }

    /// Whether the values of all paths follow from an entry, and from related rows.
    func holds(_ paths: [PropertyPath]) -> Bool {
        paths.allSatisfy { $0.own.map { sources[$0] != nil } ?? true }
    }

    private static func source(of path: PropertyPath, in index: Index) throws -> Source? {
        if let column = index.included.firstIndex(of: path.property) { return .included(column) }
        for (position, component) in index.components.enumerated()
        where component.isValue(of: path.property, path.members) {
            if try KeyComponent(component).decodesSome { return .component(position) }
        }
        return nil
    }
}
