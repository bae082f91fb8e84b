/// A secondary index as a catalog keeps it: its definition, and what the store has made of it.
///
/// An entry is the ordered key of its components, then the row id. The row id runs against the key's direction when
/// the last component is descending.
package struct Index: Hashable, Sendable {
    package var id: IndexID
    package private(set) var definition: IndexDefinition
    /// The definition's components, each with the property and the type that it leads to.
    package private(set) var components: [IndexComponent]
    /// The properties that the definition includes.
    package let included: [PropertyID]
    package var state: IndexState
    /// The version of the forms (the Unicode version of the ICU that made them), and for trigrams of the rule that makes
    /// entries of them; nil when every form is exact.
    package var formVersion: String?
    /// What another version of Loam has written beside the definition.
    let foreign: ForeignMembers
    /// Whether this version of Loam knows what the entries are: the kind, the functions, and all that was written of
    /// it; of trigrams the one shape that there is.
    package let isUnderstood: Bool
    /// Whether a component is a function of its property.
    let hasFunctions: Bool

    init(
        id: IndexID, _ definition: IndexDefinition, components: [IndexComponent], included: [PropertyID] = [],
        state: IndexState = .ready, formVersion: String? = nil, foreign: ForeignMembers = ForeignMembers()
    ) {
        self.id = id
        self.definition = definition
        self.components = components
        self.included = included
        self.state = state
        self.formVersion = formVersion
        self.foreign = foreign
        isUnderstood =
            definition.kind.isKnown && foreign.isEmpty && !definition.isForeign
            && definition.components.allSatisfy { $0.function.map { $0.known != nil } ?? true }
            && (definition.kind != .trigrams || Self.trigramFault(of: definition, components) == nil)
        hasFunctions = definition.components.contains { $0.function != nil }
    }

    package var kind: IndexKind { definition.kind }
    package var isSectioned: Bool { definition.isSectioned }

    package var name: String {
        get { definition.name }
        set { definition.name = newValue }
    }

    /// The properties that entries are made from.
    package var properties: [PropertyID] { components.map(\.property) + included }

    /// Why there are no trigrams in such a shape: of anything but one text, or with what their entries cannot give; nil
    /// where nothing is wrong with it.
    static func trigramFault(of definition: IndexDefinition, _ components: [IndexComponent]) -> String? {
        guard components.count == 1, let text = components.first else {
            return "one of trigrams is over one text; add an index for each"
        }
        return if text.type != .string || text.form != .caseAndDiacriticFolded {
            "one of trigrams is over a text without case and diacritics"
        } else if text.function != nil {
            "one of trigrams takes no function"
        } else if text.direction == .descending {
            "one of trigrams serves no order, and has no direction"
        } else if definition.isSectioned {
            "one of trigrams serves no sections"
        } else if !definition.included.isEmpty {
            "one of trigrams includes no fields"
        } else {
            nil
        }
    }

    /// Follows a property that is given another name.
    mutating func rename(_ property: PropertyID, to name: String) {
        for position in components.indices where components[position].property == property {
            definition.components[position].names[0] = name
            components[position].definition = definition.components[position]
        }
        for position in included.indices where included[position] == property { definition.included[position] = name }
    }

    /// Follows a property that may be nil from now on, or no longer may.
    mutating func setOptional(_ isOptional: Bool, ofComponent position: Int) {
        components[position].isOptional = isOptional
    }
}

package enum IndexState: String, Hashable, Sendable, Codable {
    /// Being built: saves maintain it, nobody reads it.
    case building
    case ready
    /// Made with another version of its string forms or functions: neither read nor maintained until it is rebuilt.
    case stale
}

/// One component of an index: a property or a member inside of one, or a function of that.
package struct IndexComponent: Hashable, Sendable {
    package internal(set) var definition: IndexDefinition.Component
    package let property: PropertyID
    /// Member names below the property, outermost first; empty for the property itself.
    package let path: [String]
    /// The type of the value in a key.
    package let type: ValueType
    package internal(set) var isOptional: Bool
    /// The most bytes of this component in a key, tag and terminator included.
    package let share: Int
    /// Whether what is cut ends with a hash of the whole value: in unique indexes, so that long values which begin
    /// alike are told apart without their records.
    package let hashesCut: Bool
    /// The version of the function; nil without one, and for a function that has none.
    package internal(set) var functionVersion: String?

    init(
        _ definition: IndexDefinition.Component, in kind: IndexKind, property: PropertyID, type: ValueType,
        isOptional: Bool, share: Int, functionVersion: String? = nil
    ) {
        self.definition = definition
        self.property = property
        path = Array(definition.names.dropFirst())
        self.type = type
        self.isOptional = isOptional
        self.share = share
        hashesCut = kind == .unique
        self.functionVersion = functionVersion
    }

    package var function: IndexFunction? { definition.function }

    /// Whether it is the value itself that names lead to below a property, and no function of it.
    package func isValue(of property: PropertyID, _ path: [String]) -> Bool {
        self.property == property && self.path == path && function == nil
    }

    package var direction: SortDirection { definition.direction }
    package var form: StringForm { definition.form }
}
