package import LoamStorage

/// A row whose values can be asked for by key path: a record, an entry of an index, or plain values.
///
/// The typed accessors give nil for nil. They have slow forms for every row; a record overrides them.
package protocol RowValues: ~Escapable {
    var rowID: RowID { get }
    func value(of path: PropertyPath) throws -> Value
    /// For signed integers of any width.
    func signed(_ field: FilterField) throws -> Int64?
    /// For unsigned integers of any width.
    func unsigned(_ field: FilterField) throws -> UInt64?
    /// For doubles, floats (widened) and dates (in seconds).
    func floating(_ field: FilterField) throws -> Double?
    func isNull(_ field: FilterField) throws -> Bool
    /// Tests a string; false for nil.
    func text(_ field: FilterField, matches matcher: Unmanaged<TextMatcher>) throws -> Bool
    /// The value of a path, its text in the row or in the run's memory.
    func unboxed(_ field: FilterField, in run: inout FilterRun) throws -> UnboxedValue
    /// Whether an array holds an element that equals a value; false where it is nil.
    func array(
        _ field: FilterField, contains value: UnboxedValue, form: StringForm, in run: inout FilterRun
    ) throws -> Bool
    /// Appends a component of a key; false where nothing was appended, and the program takes a value.
    func append(_ number: Int, of program: PlacementProgram, to key: inout KeyBuffer) throws -> Bool
    /// The first bytes of the row's key, where they are known without making it.
    func prefix(of program: PlacementProgram) throws -> KeyPrefix?
}

extension RowValues where Self: ~Escapable {
    package func append(_ number: Int, of program: PlacementProgram, to key: inout KeyBuffer) throws -> Bool { false }

    package func prefix(of program: PlacementProgram) throws -> KeyPrefix? { nil }

    package func signed(_ field: FilterField) throws -> Int64? {
        try value(of: field.path).signed
    }

    /// The slow form, by way of the value: nil for nil and for a value that is no unsigned integer.
    ///
    /// - Throws: what ``value(of:)`` throws.
    package func unsigned(_ field: FilterField) throws -> UInt64? {
        try value(of: field.path).unsigned
    }

    /// The slow form, by way of the value: nil for nil and for a value that is no number of that kind.
    ///
    /// - Throws: what ``value(of:)`` throws.
    package func floating(_ field: FilterField) throws -> Double? {
        try value(of: field.path).floating
    }

    /// The slow form, by way of the value.
    ///
    /// - Throws: what ``value(of:)`` throws.
    package func isNull(_ field: FilterField) throws -> Bool {
        try value(of: field.path).isNull
    }

    /// The slow form, by way of the value: false for nil and for a value that is no string.
    ///
    /// - Throws: what ``value(of:)`` throws, and ``QueryError`` for a MATCHES that takes too much work.
    package func text(_ field: FilterField, matches matcher: Unmanaged<TextMatcher>) throws -> Bool {
        guard case .string(let text) = try value(of: field.path) else { return false }
        return try matcher.takeUnretainedValue().matches(text)
    }

    /// The slow form, by way of the value, whose text is copied.
    ///
    /// - Throws: what ``value(of:)`` throws.
    package func unboxed(_ field: FilterField, in run: inout FilterRun) throws -> UnboxedValue {
        run.keep(try value(of: field.path))
    }

    /// The slow form, by way of the value.
    ///
    /// - Throws: what ``value(of:)`` throws.
    package func array(
        _ field: FilterField, contains value: UnboxedValue, form: StringForm, in run: inout FilterRun
    ) throws -> Bool {
        guard case .array(let elements) = try self.value(of: field.path) else { return false }
        for element in elements where try run.keep(element).isTrue(.equal, value, form: form) { return true }
        return false
    }
}

extension RowValues where Self: ~Escapable {
    /// The value of a path that may lead through relationships.
    ///
    /// - Throws: what ``value(of:)`` and `related` throw.
    package func value(of path: PropertyPath, _ related: (any RelatedRows)?) throws -> Value {
        guard let expression = path.related else { return try value(of: path) }
        if let call = path.call { return call.function.result(of: try value(of: call.argument, related)) }
        guard let reference = path.own, let related else { return try expression.value(in: self, related) }
        let target = try value(of: reference)
        if let known = related.knownValue(of: path, target) { return known }
        let result = try expression.value(in: self, related)
        related.remember(result, of: path, target: target)
        return result
    }
}

/// A row as the values of all properties, in the entity's order.
package struct PlainRow: RowValues, Sendable {
    package let rowID: RowID
    package let values: [Value]

    package init(rowID: RowID, values: [Value]) {
        self.rowID = rowID
        self.values = values
    }

    package func value(of path: PropertyPath) -> Value {
        path.value(in: values)
    }
}

/// A key path as a filter keeps it; no function of one.
package final class FilterPath: Sendable {
    package let path: PropertyPath

    init(_ path: PropertyPath) {
        self.path = path
    }
}

/// A key path as a row is asked for it: plain numbers for a property itself, so that testing a row counts no
/// references. Whoever makes one keeps the ``FilterPath``.
package struct FilterField {
    package let position: Int
    /// Whether it is the property itself and no member inside it.
    package let isDirect: Bool
    package let isFloat: Bool
    /// The kind of the path's values.
    package let kind: FieldKind
    private let owner: Unmanaged<FilterPath>

    init(_ owner: FilterPath) {
        position = owner.path.position
        isDirect = owner.path.members.isEmpty
        isFloat = owner.path.type == .float
        kind = FieldKind(owner.path.type)
        self.owner = .passUnretained(owner)
    }

    package var path: PropertyPath { owner.takeUnretainedValue().path }

    /// The names of the members below the property.
    var members: [String] { owner._withUnsafeGuaranteedRef { $0.path.members } }
}
