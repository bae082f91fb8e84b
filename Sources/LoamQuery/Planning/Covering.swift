import LoamStorage

/// Where in the entries of an index the values of key paths are found.
package struct Covering: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// The component at this position. Some values are not given back by a key; their record is read.
        case component(Int)
        /// The included field at this position, which is left out where it did not fit.
        case included(Int)
    }

    /// By path. Of a function that no component is, where its argument is found stands under the argument's path.
    package var sources: [PropertyPath: Source]

    /// Finds the paths in an index; nil when the index lacks one of them.
    init?(_ paths: some Collection<PropertyPath>, in index: Index) throws {
        sources = [:]
        for path in paths {
            if let source = try Self.source(of: path, in: index) {
                sources[path] = source
            } else if let argument = path.call?.argument, let source = try Self.source(of: argument, in: index) {
                sources[argument] = source
            } else {
                return nil
            }
        }
    }

    /// Whether the index has all of the paths that are read of a row itself.
    static func mayHold(_ paths: [PropertyPath], in index: Index) throws -> Bool {
        for path in paths {
            if let own = path.own, try source(of: own, in: index) == nil { return false }
        }
        return true
    }

    /// Whether the values of all paths follow from an entry, and from related rows.
    func holds(_ paths: [PropertyPath]) -> Bool {
        paths.allSatisfy { $0.own.map { key(of: $0) != nil } ?? true }
    }

    /// What is needed of it for some paths.
    func restricted(to paths: Set<PropertyPath>) -> Covering {
        let keys = Set(paths.compactMap(key))
        var restricted = self
        restricted.sources = sources.filter { keys.contains($0.key) }
        return restricted
    }

    /// The path in ``sources`` that a path's value follows from.
    private func key(of path: PropertyPath) -> PropertyPath? {
        if sources[path] != nil { return path }
        return path.call.flatMap { sources[$0.argument] == nil ? nil : $0.argument }
    }

    private static func source(of path: PropertyPath, in index: Index) throws -> Source? {
        if path.call == nil, let column = index.included.firstIndex(of: path.property) { return .included(column) }
        for (position, component) in index.components.enumerated() where component.isValue(of: path) {
            if try KeyComponent(component).decodesSome { return .component(position) }
        }
        return nil
    }
}
