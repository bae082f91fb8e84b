/// Makes the bytes that place a row: the key of an index entry, a sort key, a place in a live result.
///
/// A program is compiled once for the components of a key, and run for every row. A component that is a field of the
/// row, or a function of one, is made from the bytes of a record, or copied from an entry of an index, with no ``Value``
/// in between; nothing is allocated unless a string has to be normalized. For the others (members of structures, what
/// lies along relationships, long values) whoever runs the program gives the value.
///
///     for number in 0..<program.count {
///         if try row.append(number, of: program, to: &key) { continue }
///         try program.append(row.value(...), as: number, to: &key)
///     }
///
/// The bytes are those of ``KeyComponent``. The key of an index is cut at the components' shares; one by which rows are
/// sorted in memory is whole, however long it is.
package final class PlacementProgram: Sendable {
    private struct Step {
        let component: KeyComponent
        /// The position in `entity.properties` of the property whose field the component is made from; -1 where it takes
        /// a value.
        let field: Int
        /// What makes the component of the field; nil where that is the component.
        let function: TypedFunction?
    }

    package let components: [KeyComponent]
    /// Whether a component ends at its share.
    let cuts: Bool
    /// One for each component; allocated once, never written again, so that running counts no references.
    nonisolated(unsafe) private let steps: UnsafeMutablePointer<Step>

    package let count: Int

    /// Wide enough for most values of a key that is not cut: a longer one is written again with more room.
    package static let usualShare = 480

    /// - Parameters:
    ///   - fields: for each component the position in `entity.properties` of the property whose value it is, or is a
    ///     function of; nil where it is another value.
    ///   - functions: for each component what makes it of the field; empty where each is the field itself.
    ///   - cuts: whether a component ends at its share.
    package init(_ components: [KeyComponent], fields: [Int?], functions: [TypedFunction?] = [], cuts: Bool) {
        precondition(
            components.count == fields.count && (functions.isEmpty || components.count == functions.count),
            "Each component of a key comes from somewhere")
        self.components = components
        self.cuts = cuts
        count = components.count
        steps = .allocate(capacity: max(components.count, 1))
        for (number, component) in components.enumerated() {
            let function = functions.isEmpty ? nil : functions[number]
            (steps + number).initialize(
                to: Step(component: component, field: fields[number] ?? -1, function: function))
        }
    }

    deinit {
        steps.deinitialize(count: count)
        steps.deallocate()
    }

    /// The position in `entity.properties` of the property whose field a component is made from; -1 where it takes a
    /// value.
    @inline(__always)
    func field(_ number: Int) -> Int {
        assert(number >= 0 && number < count)
        return steps[number].field
    }

    /// Whether a component is a function of a field.
    @inline(__always)
    func isFunction(_ number: Int) -> Bool { steps[number].function != nil }

    /// The component that comes first; there has to be one.
    @inline(__always)
    var leading: KeyComponent { steps[0].component }

    /// Appends a component from a field of a record.
    ///
    /// - Parameter slot: of the field that ``field(_:)`` leads to.
    /// - Returns: whether the key holds the whole value; nil for a long value, of which nothing is appended.
    /// - Throws: as ``KeyComponent/append(_:of:to:)``.
    @inline(__always)
    func append(_ number: Int, slot: Int, of view: RecordView, to key: inout KeyBuffer) throws -> Bool? {
        let start = key.count
        if let function = steps[number].function {
            guard let isExact = try steps[number].component.append(function, of: slot, of: view, to: &key) else {
                return nil
            }
            if isExact || cuts { return isExact }
            try appendWhole(number, from: start, to: &key) {
                try $0.append(function, of: slot, of: view, to: &$1) ?? true
            }
            return true
        }
        guard let isExact = try steps[number].component.append(slot, of: view, to: &key) else { return nil }
        if isExact || cuts { return isExact }
        try appendWhole(number, from: start, to: &key) { try $0.append(slot, of: view, to: &$1) ?? true }
        return true
    }

    /// Appends a component that is a function of a field, from the field's value where that lies; see
    /// ``argumentField(_:)``. Nothing is taken from the heap unless the function does so.
    ///
    /// - Returns: false where nothing was appended: the component takes a value.
    /// - Throws: `damagedRecord` for a string that is not UTF-8, and as ``KeyComponent/append(_:to:)``.
    package func append(
        functionOf argument: UnboxedValue, as number: Int, to key: inout KeyBuffer
    ) throws -> Bool {
        guard let function = steps[number].function else { return false }
        let start = key.count
        guard let isExact = try steps[number].component.append(function, of: argument, to: &key) else { return false }
        if isExact || cuts { return true }
        try appendWhole(number, from: start, to: &key) { try $0.append(function, of: argument, to: &$1) ?? true }
        return true
    }

    /// The position in `entity.properties` of the property of whose field a component is a function; nil where it is the
    /// field itself, or takes a value.
    package func argumentField(_ number: Int) -> Int? {
        let field = field(number)
        return isFunction(number) && field >= 0 ? field : nil
    }

    /// Appends a component from a value, which of a function is the result.
    ///
    /// - Returns: whether the key holds the whole value, as it does where nothing is cut.
    /// - Throws: as ``KeyComponent/append(_:to:)``.
    @discardableResult
    package func append(_ value: Value, as number: Int, to key: inout KeyBuffer) throws -> Bool {
        let start = key.count
        let isExact = try steps[number].component.append(value, to: &key)
        if isExact || cuts { return isExact }
        try appendWhole(number, from: start, to: &key) { try $0.append(value, to: &$1) }
        return true
    }

    /// Appends a component again, with as much room as it needs.
    @inline(never)
    private func appendWhole(
        _ number: Int, from start: Int, to key: inout KeyBuffer,
        _ body: (KeyComponent, inout KeyBuffer) throws -> Bool
    ) throws {
        var share = steps[number].component.share
        repeat {
            key.truncate(to: start)
            share *= 4
        } while try !body(steps[number].component.withShare(share), &key)
    }

    /// Whether another key's component has the same bytes for the same values, or has all their bits inverted. Of a
    /// function the other component has to be the same function's.
    package func canCopy(_ number: Int, from other: KeyComponent) -> Bool {
        let component = steps[number].component
        return component.kind == other.kind && component.form == other.form
    }

    /// Appends a component from another key.
    ///
    /// - Parameters:
    ///   - bytes: all of the other key's component, which was not cut.
    ///   - other: a component of which ``canCopy(_:from:)`` is true.
    @inline(__always)
    package func append(
        copying bytes: UnsafeRawBufferPointer, of other: KeyComponent, as number: Int, to key: inout KeyBuffer
    ) {
        if steps[number].component.inverts == other.inverts {
            key.append(contentsOf: bytes)
        } else {
            key.append(inverting: bytes)
        }
    }

    /// The bytes of a key's leading component.
    ///
    /// - Throws: `StorageError.damagedKey` for bytes that the program has not made.
    package func leadingLength(of key: UnsafeRawBufferPointer) throws -> Int {
        guard count > 0 else { return 0 }
        let leading = leading
        return try leading.withShare(max(leading.share, key.count)).skip(RawSpan(_unsafeBytes: key), from: 0)
    }
}
