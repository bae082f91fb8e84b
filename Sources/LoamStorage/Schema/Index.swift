/// The direction of an index component or of a sort key.
package enum SortDirection: String, Hashable, Sendable, Codable {
    case ascending, descending

    package var reversed: SortDirection { self == .ascending ? .descending : .ascending }
}

/// The form in which a string stands in a key.
package enum StringForm: String, Hashable, Sendable, Codable {
    /// NFC: equality is Swift's, order is that of the NFC bytes.
    case exact
    /// Case folded, then NFC: what `[c]` compares.
    case caseFolded
    /// Case folded and without diacritics: what `[cd]` compares.
    case caseAndDiacriticFolded
    /// Without diacritics: what `[d]` compares.
    case diacriticFolded
    /// An ICU collation key of the root locale, digits by value.
    case localizedStandard
}

/// The definition of a secondary index.
///
/// An entry is the ordered key of its components, then the row id. The row id runs against the key's direction when
/// the last component is descending.
package struct Index: Hashable, Sendable, Codable {
    package var id: IndexID
    package var name: String
    package var components: [IndexComponent]
    package var isUnique: Bool
    /// Whether blocks are preferably cut where the leading component changes.
    package var isSectioned: Bool
    /// Properties whose values lie beside the entry, for scans that never touch a record.
    package var included: [PropertyID]
    package var state: IndexState
    /// The version of the forms (the Unicode version of the ICU that made them); nil when every form is exact.
    package var formVersion: String?

    package init(
        id: IndexID, name: String, components: [IndexComponent], isUnique: Bool = false, isSectioned: Bool = false,
        included: [PropertyID] = [], state: IndexState = .ready, formVersion: String? = nil
    ) {
        self.id = id
        self.name = name
        self.components = components
        self.isUnique = isUnique
        self.isSectioned = isSectioned
        self.included = included
        self.state = state
        self.formVersion = formVersion
    }
}

package enum IndexState: String, Hashable, Sendable, Codable {
    /// Being built: saves maintain it, nobody reads it.
    case building
    case ready
    /// Made with another version of its string forms: neither read nor maintained until it is rebuilt.
    case stale
}

/// One component of an index: a property, or a member inside a structured property.
package struct IndexComponent: Hashable, Sendable, Codable {
    package var property: PropertyID
    /// Member names below the property, outermost first; empty for the property itself.
    package var path: [String]
    /// The type of the value that the path leads to.
    package var type: ValueType
    package var isOptional: Bool
    package var direction: SortDirection
    package var form: StringForm
    /// The most bytes of this component in a key, tag and terminator included.
    package var share: Int
    /// Whether what is cut ends with a hash of the whole value: in unique indexes, so that long values which begin alike
    /// are told apart without their records.
    package var hashesCut: Bool

    package init(
        property: PropertyID, path: [String] = [], type: ValueType, isOptional: Bool,
        direction: SortDirection = .ascending, form: StringForm = .exact, share: Int, hashesCut: Bool = false
    ) {
        self.property = property
        self.path = path
        self.type = type
        self.isOptional = isOptional
        self.direction = direction
        self.form = form
        self.share = share
        self.hashesCut = hashesCut
    }
}
