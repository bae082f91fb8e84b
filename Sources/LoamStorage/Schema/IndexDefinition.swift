/// The direction of an index component or of a sort key.
package enum SortDirection: String, Hashable, Sendable, Codable {
    case ascending, descending

    package var reversed: SortDirection { self == .ascending ? .descending : .ascending }

    /// Asked for each comparison of a sort. The one that the compiler makes for other modules compares raw values,
    /// which are strings, and without specialization.
    package static func == (left: SortDirection, right: SortDirection) -> Bool {
        switch (left, right) {
        case (.ascending, .ascending), (.descending, .descending): true
        case (.ascending, .descending), (.descending, .ascending): false
        }
    }
}

/// What an index is, by the names of properties: what a model declares, a dump writes, the tool takes and prints, and a
/// catalog keeps. ``Index`` is one with what a store has made of it.
package struct IndexDefinition: Hashable, Sendable {
    /// Unlike that of every other index of the entity.
    package var name: String
    package var kind: IndexKind
    /// Whether blocks are preferably cut where the leading component changes.
    package var isSectioned: Bool
    package var components: [Component]
    /// Names of properties whose values lie beside the entries, for scans that never touch a record.
    package var included: [String]
    /// What another version of Loam has written into the definition.
    var foreign = ForeignMembers()

    /// - Parameter name: nil names the index after its components, as `a,-b` or `fold(name)`; one of trigrams as
    ///   `trigrams(name)`.
    package init(
        _ components: [Component], name: String? = nil, kind: IndexKind = .ordered, isSectioned: Bool = false,
        included: [String] = []
    ) {
        self.name = name ?? Self.name(components, kind: kind)
        self.kind = kind
        self.isSectioned = isSectioned
        self.components = components
        self.included = included
    }

    /// The index of the trigrams of texts.
    ///
    /// - Parameter keyPath: as a component takes it.
    package static func trigrams(of keyPath: String) -> IndexDefinition {
        IndexDefinition([Component(keyPath, form: .caseAndDiacriticFolded)], kind: .trigrams)
    }

    private static func name(_ components: [Component], kind: IndexKind) -> String {
        guard kind == .trigrams else { return components.map(\.description).joined(separator: ",") }
        return "trigrams(" + components.map(\.written).joined(separator: ",") + ")"
    }

    /// One value of an index: what a key path leads to, or a function of that.
    package struct Component: Hashable, Sendable {
        /// The property's name, then those of members inside it, outermost first. A catalog's is never empty.
        package var names: [String]
        package var function: IndexFunction?
        package var direction: SortDirection
        package var form: StringForm
        /// What another version of Loam has written into the component.
        var foreign = ForeignMembers()

        package init(
            names: [String], function: IndexFunction? = nil, direction: SortDirection = .ascending,
            form: StringForm = .exact
        ) {
            self.names = names
            self.function = function
            self.direction = direction
            self.form = form
        }

        /// - Parameters:
        ///   - keyPath: a property's name, or names joined by dots that lead into a structured property.
        ///   - timeZone: for a function of dates; nil is UTC.
        package init(
            _ keyPath: String, direction: SortDirection = .ascending, function: Function? = nil,
            timeZone: String? = nil, form: StringForm = .exact
        ) {
            self.init(
                names: keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init),
                function: function.map { IndexFunction($0, timeZone: timeZone) }, direction: direction, form: form)
        }

        /// The names joined by dots.
        package var keyPath: String { names.joined(separator: ".") }
    }
}

/// A function of the value that a component's key path leads to, by the name that catalogs have: the raw value of a
/// ``Function``, or one that another version of Loam has.
package struct IndexFunction: Hashable, Sendable {
    package var name: String
    /// The identifier of the time zone in which it takes a date; nil for functions of other values.
    package var timeZone: String?
    /// What another version of Loam has written into it.
    var foreign = ForeignMembers()

    package init(_ name: String, timeZone: String? = nil) {
        self.name = name
        self.timeZone = timeZone
    }

    /// - Parameter timeZone: for a function of dates; nil is UTC.
    package init(_ function: Function, timeZone: String? = nil) {
        self.init(function.rawValue, timeZone: timeZone ?? (function.entry.takesTimeZone ? Zone.utc : nil))
    }
}

extension IndexDefinition {
    /// The properties that entries are made from: of each component, and the included ones.
    package var properties: [String] { components.map { $0.names.first ?? "" } + included }

    /// Whether it asks for the same entries in the same order as another one, whatever they are called and include. The
    /// index of a relationship is as good as an ordered one.
    package func isSame(as other: IndexDefinition, butForSections: Bool = false) -> Bool {
        (kind == other.kind || Set([kind, other.kind]) == [.ordered, .reference])
            && (butForSections || isSectioned == other.isSectioned)
            && components == other.components && foreign == other.foreign
    }

    /// Whether another version of Loam has written what this one cannot read.
    var isForeign: Bool {
        !foreign.isEmpty
            || components.contains { !$0.foreign.isEmpty || !($0.function?.foreign.isEmpty ?? true) }
    }
}

extension IndexDefinition.Component: CustomStringConvertible {
    /// The key path, in the function as the format grammar writes it: `lowercase(name)`.
    package var written: String {
        guard let function else { return keyPath }
        return "\(function)(\(keyPath)" + (function.timeZone.map { ", '\($0)'" } ?? "") + ")"
    }

    /// The component as the names of indexes have it: `-b`, `fold(name)`.
    package var description: String {
        let value = written
        let text =
            switch form {
            case .exact: value
            case .caseFolded: "case(\(value))"
            case .diacriticFolded: "diacritic(\(value))"
            case .caseAndDiacriticFolded: "fold(\(value))"
            case .localizedStandard: "localized(\(value))"
            case .localized: "\(form.rawValue)(\(value))"
            }
        return direction == .descending ? "-" + text : text
    }
}

extension IndexFunction: CustomStringConvertible {
    /// The function; nil where this version of Loam has none that is called so and takes one value, or where the system
    /// does not know the time zone.
    package var known: Function? {
        guard let function = named, timeZone == nil || zone != nil else { return nil }
        return function
    }

    /// The function, whether or not its time zone is known.
    var named: Function? {
        guard let function = Function(rawValue: name) else { return nil }
        let entry = function.entry
        return entry.takesOneValue && entry.takesTimeZone == (timeZone != nil) ? function : nil
    }

    /// The time zone in which it takes a date; nil where there is none, and where the system does not know it.
    package var zone: Zone? { timeZone.flatMap(Zone.init) }

    /// What the results depend on beside the values; nil where there is nothing.
    var version: String? { zone?.version ?? known?.version }

    /// The function's name as the format grammar has it, without a colon.
    package var description: String { named.map { String($0.entry.name.prefix { $0 != ":" }) } ?? name }
}
