/// What `#Index` or `#Unique` declares in a model. Part of the surface that generated code calls.
public protocol _IndexMetadata: Sendable {
    var _definitions: [_IndexDefinition] { get }
}

/// One index over properties of a model, by key path.
public struct _IndexDefinition: @unchecked Sendable {
    package enum Kind: Hashable, Sendable { case plain, sectioned, folded, unique, rtree }

    package let keyPaths: [AnyKeyPath]
    package let kind: Kind
}

extension Schema {
    /// The indexes of a model, as `#Index` declares them.
    public struct Index<T: PersistentModel>: _IndexMetadata {
        /// The kinds of index.
        public enum Types<P: PersistentModel> {
            /// Entries in the order of the properties: for equality, ranges and sorting.
            case binary([PartialKeyPath<P>])
            /// As binary, kept so that the runs of equal values of the first property are counted fast.
            case sectioned([PartialKeyPath<P>])
            /// Strings without case and diacritics: for `localizedStandardStarts(with:)` and `[cd]` comparisons.
            case folded([PartialKeyPath<P>])
            /// Not yet supported: `#Index` refuses it, and so does a container.
            case rtree([PartialKeyPath<P>])
        }

        /// One for each list of properties.
        public let _definitions: [_IndexDefinition]

        /// The lists of properties, each with its kind, as they were declared.
        public var indices: [Types<T>] {
            _definitions.map { definition in
                let keyPaths = definition.keyPaths.compactMap { $0 as? PartialKeyPath<T> }
                return switch definition.kind {
                case .plain, .unique: .binary(keyPaths)
                case .sectioned: .sectioned(keyPaths)
                case .folded: .folded(keyPaths)
                case .rtree: .rtree(keyPaths)
                }
            }
        }

        /// Indexes over lists of properties.
        public init(_ indices: [PartialKeyPath<T>]...) {
            _definitions = indices.map { _IndexDefinition(keyPaths: $0, kind: .plain) }
        }

        /// Indexes of several kinds.
        public init(_ indices: Types<T>...) {
            _definitions = indices.map {
                switch $0 {
                case .binary(let keyPaths): _IndexDefinition(keyPaths: keyPaths, kind: .plain)
                case .sectioned(let keyPaths): _IndexDefinition(keyPaths: keyPaths, kind: .sectioned)
                case .rtree(let keyPaths): _IndexDefinition(keyPaths: keyPaths, kind: .rtree)
                case .folded(let keyPaths): _IndexDefinition(keyPaths: keyPaths, kind: .folded)
                }
            }
        }
    }

    /// The uniqueness constraints of a model, as `#Unique` declares them.
    public struct Unique<T: PersistentModel>: _IndexMetadata {
        /// One for each list of properties.
        public let _definitions: [_IndexDefinition]

        /// The lists of properties, as they were declared.
        public var constraints: [[PartialKeyPath<T>]] {
            _definitions.map { $0.keyPaths.compactMap { $0 as? PartialKeyPath<T> } }
        }

        /// Constraints over lists of properties: no two models have the same values of all of a list. An empty list
        /// says nothing.
        public init(_ constraints: [PartialKeyPath<T>]...) {
            _definitions = constraints.filter { !$0.isEmpty }.map { _IndexDefinition(keyPaths: $0, kind: .unique) }
        }
    }
}
