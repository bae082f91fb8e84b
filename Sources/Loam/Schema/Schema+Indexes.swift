package import LoamStorage

/// What `#Index` or `#Unique` declares in a model. Part of the surface that generated code calls.
public protocol _IndexMetadata: Sendable {}

/// Indexes as a model declares them, by key paths.
package protocol IndexDeclaration {
    /// - Parameter name: gives the name of a property by its key path.
    func definitions(_ name: (AnyKeyPath) -> String) -> [IndexDefinition]
}

extension Schema {
    /// The indexes of a model, as `#Index` declares them.
    public struct Index<T: PersistentModel>: _IndexMetadata, IndexDeclaration, @unchecked Sendable {
        /// A list of properties with the kind of its index.
        public enum Types<P: PersistentModel> {
            /// Entries in the order of the properties: for equality, ranges and sorting.
            case binary([PartialKeyPath<P>])
            /// An ordered index, as `binary` makes it, kept so that the sections of equal values of the first
            /// property are counted fast.
            case sectioned([PartialKeyPath<P>])
            /// Strings without case and diacritics: for `localizedStandardStarts(with:)` and `[cd]` comparisons.
            case folded([PartialKeyPath<P>])
            /// Parts of a text, for `localizedStandardContains(_:)`, `contains(_:)` of a string and `CONTAINS[cd]` with at
            /// least three letters, where few objects have them: the list has one property with a string.
            ///
            /// Each three letters that follow each other in the text without case and diacritics have an entry, so a
            /// text of 30 letters costs 28, and a change of it the difference. Over the names of the 34,006 cities of
            /// `Tools/Samples` it takes 31 bytes a row, three times what an ordered index takes, and a save of them all
            /// takes two to three times as long as without an index over the name. It is asked where that costs less
            /// than testing all objects; orders, sections and equality are no matter of it. An OR over several texts
            /// needs such an index over each of them. Of a text of more than 64 KiB without case and diacritics, or with
            /// more than 8,192 of such threes, nothing is known: its object is tested in each search.
            case trigrams([PartialKeyPath<P>])
            /// An index over properties and functions of them; sectioned as `sectioned` makes it.
            case components([IndexComponent<P>], isSectioned: Bool)
            /// Not yet supported: `#Index` refuses it, and so does a container.
            case rtree([PartialKeyPath<P>])

            /// Entries in the order of properties and functions of them.
            public static func binary(_ components: [IndexComponent<P>]) -> Self {
                .components(components, isSectioned: false)
            }

            /// The same, kept so that the sections of equal values of the first component are counted fast, where that
            /// is a property itself: sections by a function are not yet supported.
            public static func sectioned(_ components: [IndexComponent<P>]) -> Self {
                .components(components, isSectioned: true)
            }
        }

        /// The lists of properties, each with its kind, as they were declared. Key paths are immutable.
        public let indices: [Types<T>]

        /// Declares an ordered index over each list of properties.
        public init(_ indices: [PartialKeyPath<T>]...) {
            self.indices = indices.map { Types.binary($0) }
        }

        /// Declares an ordered index over each list of properties and functions of them.
        public init(_ indices: [IndexComponent<T>]...) {
            self.indices = indices.map { .binary($0) }
        }

        /// Declares an index for each list, of the kind that it names.
        public init(_ indices: Types<T>...) {
            self.indices = indices
        }

        package func definitions(_ name: (AnyKeyPath) -> String) -> [IndexDefinition] {
            indices.map { index in
                switch index {
                case .binary(let keyPaths): .ordered(keyPaths.map(name))
                case .sectioned(let keyPaths): .sectioned(keyPaths.map(name))
                case .folded(let keyPaths): .ordered(keyPaths.map(name), form: .caseAndDiacriticFolded)
                case .trigrams(let keyPaths): .trigrams(keyPaths.map(name))
                case .components(let components, let isSectioned):
                    .ordered(components.map { $0.definition(name) }, isSectioned: isSectioned)
                case .rtree(let keyPaths): .ordered(keyPaths.map(name), kind: .unknown("rtree"))
                }
            }
        }
    }

    /// The uniqueness constraints of a model, as `#Unique` declares them.
    public struct Unique<T: PersistentModel>: _IndexMetadata, IndexDeclaration, @unchecked Sendable {
        /// The lists of properties, as they were declared. Key paths are immutable.
        public let constraints: [[PartialKeyPath<T>]]

        /// Constraints over lists of properties: no two models have the same values of all of a list. An empty list
        /// says nothing.
        public init(_ constraints: [PartialKeyPath<T>]...) {
            self.constraints = constraints.filter { !$0.isEmpty }
        }

        package func definitions(_ name: (AnyKeyPath) -> String) -> [IndexDefinition] {
            constraints.map { .unique($0.map(name)) }
        }
    }
}

extension IndexDefinition {
    /// A constraint of a model over the properties of these names.
    static func unique(_ names: [String]) -> IndexDefinition {
        IndexDefinition(names.map { .init(names: [$0]) }, name: "unique " + text(names), kind: .unique)
    }

    fileprivate static func ordered(
        _ names: [String], form: StringForm = .exact, kind: IndexKind = .ordered
    ) -> IndexDefinition {
        IndexDefinition(names.map { .init(names: [$0], form: form) }, kind: kind)
    }

    fileprivate static func trigrams(_ names: [String]) -> IndexDefinition {
        .ordered(names, form: .caseAndDiacriticFolded, kind: .trigrams)
    }

    fileprivate static func sectioned(_ names: [String]) -> IndexDefinition {
        .ordered(names.map { Component(names: [$0]) }, isSectioned: true)
    }

    fileprivate static func ordered(_ components: [Component], isSectioned: Bool) -> IndexDefinition {
        IndexDefinition(
            components, name: isSectioned ? "sections " + text(components.map(\.description)) : nil,
            isSectioned: isSectioned)
    }

    private static func text(_ names: [String]) -> String { names.joined(separator: ",") }
}

extension ModelType {
    /// Names of the properties of each constraint.
    var uniqueProperties: [[String]] { indexes.filter { $0.kind == .unique }.map(\.properties) }

    /// Names of the properties of each other index.
    var indexedProperties: [[String]] { indexes.filter { $0.kind != .unique }.map(\.properties) }
}
