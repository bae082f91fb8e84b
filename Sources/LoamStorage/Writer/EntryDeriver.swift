/// Makes index entries from records: the one place where keys come from, for saves, builds, loads and checks alike.
extension IndexAccess {
    /// The entry of a row in this index, which is none of trigrams.
    func entry(of image: RowImage) throws -> IndexEntry {
        var key = KeyBuffer(capacity: keyShape.stride ?? IndexKeyShape.longestComponents)
        let isExact = try appendKey(of: image, to: &key)
        return IndexEntry(
            key: Array(key.pointer), rowID: image.rowID, isInexact: !isExact, included: try includedValues(of: image))
    }

    /// Calls a closure with each entry of a row, in no order.
    ///
    /// - Throws: what the closure throws, and what is wrong with the record.
    func forEachEntry(of image: RowImage, _ body: (IndexEntry) throws -> Void) throws {
        guard hasTrigrams else { return try body(try entry(of: image)) }
        var set = TrigramSet()
        try takeTrigrams(of: image, into: &set)
        for trigram in set.trigrams {
            try body(
                IndexEntry(key: TrigramSet.key(of: trigram), rowID: image.rowID, isInexact: false, included: []))
        }
    }

    /// The trigrams of a row's text; none where that is nil.
    func takeTrigrams(of image: RowImage, into set: inout TrigramSet) throws {
        let layout = image.layout
        try image.withView { try takeTrigrams(of: $0, layout, into: &set, value: image.value) }
    }

    /// The trigrams of a row's text, straight from the record's bytes where it lies there; the parameters are those of
    /// ``appendKey(of:_:to:value:)``.
    func takeTrigrams(
        of view: RecordView, _ layout: LayoutAccess, into set: inout TrigramSet, value: (Int) throws -> Value
    ) throws {
        set.removeAll()
        if let slot = layout.slot(program.field(0), in: view), let text = try view.unboxed(slot) {
            if text.kind == .string { try set.take(text.text, isPlain: text.isPlain) }
        } else if case .string(let text) = try componentValue(0, value) {
            set.take(text)
        }
    }

    /// Calls a closure with the component bytes of each trigram of a row's text, which are gone when it returns.
    func forEachTrigramKey(
        of view: RecordView, _ layout: LayoutAccess, key: inout KeyBuffer, value: (Int) throws -> Value,
        _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try takeTrigrams(of: view, layout, into: &key.trigrams, value: value)
        for position in key.trigrams.trigrams.indices {
            let trigram = key.trigrams.trigrams[position]
            key.removeAll()
            TrigramSet.append(trigram, to: &key)
            try body(key.pointer)
        }
    }

    /// Appends the component bytes of a row's key.
    ///
    /// - Returns: whether the key is exact.
    func appendKey(of image: RowImage, to key: inout KeyBuffer) throws -> Bool {
        let layout = image.layout
        return try image.withView { try appendKey(of: $0, layout, to: &key, value: image.value) }
    }

    /// Appends the component bytes of a row's key, straight from the record's bytes where a component allows it.
    ///
    /// - Parameters:
    ///   - view: a record of the layout.
    ///   - value: gives a property's value by its position, for components that need one: nested members, long values,
    ///     and properties that the record was written without.
    /// - Returns: whether the key is exact.
    func appendKey(
        of view: RecordView, _ layout: LayoutAccess, to key: inout KeyBuffer, value: (Int) throws -> Value
    ) throws -> Bool {
        var isExact = true
        for number in 0..<program.count {
            if let slot = layout.slot(program.field(number), in: view),
                let isWhole = try program.append(number, slot: slot, of: view, to: &key)
            {
                isExact = isWhole && isExact
            } else {
                isExact = try program.append(componentValue(number, value), as: number, to: &key) && isExact
            }
        }
        return isExact
    }

    /// Appends the component bytes of a row's key.
    ///
    /// - Returns: whether the key is exact.
    func appendKey(of row: borrowing StoredRow, to key: inout KeyBuffer) throws -> Bool {
        var isExact = true
        for number in 0..<program.count {
            if let slot = row.slot(program.field(number)),
                let isWhole = try program.append(number, slot: slot, of: row.view, to: &key)
            {
                isExact = isWhole && isExact
            } else {
                let value = try row.value(componentPositions[number])
                isExact = try program.append(componentValue(number) { _ in value }, as: number, to: &key) && isExact
            }
        }
        return isExact
    }

    /// The value that a component of the key is made from: a property, a member inside it, or a function of either.
    ///
    /// - Parameter value: gives a property's value by its position.
    private func componentValue(_ number: Int, _ value: (Int) throws -> Value) throws -> Value {
        let value = try value(componentPositions[number]).member(at: index.components[number].path)
        return functions[number]?.result(of: value) ?? value
    }

    /// One tagged value per column; nil for nil. A scan decodes it with ``CompositeCodec``.
    private func includedValues(of image: RowImage) throws -> [[UInt8]?] {
        try included(value: image.value, of: image.access)
    }

    func included(value: (Int) throws -> Value, of access: EntityAccess) throws -> [[UInt8]?] {
        try includedPositions.map { position in
            let value = try value(position)
            return value.isNull ? nil : try CompositeCodec.encode(value, as: access.entity.properties[position].type)
        }
    }

    /// Whether a component of a row's key is nil; the parameters are those of ``appendKey(of:_:to:value:)``.
    func hasNil(_ view: RecordView, layout: LayoutAccess, value: (Int) throws -> Value) throws -> Bool {
        for number in 0..<program.count {
            // A function may have no result for a value that is there.
            let slot = program.isFunction(number) ? nil : layout.slot(program.field(number), in: view)
            let isNil = try slot.map { try view.isNull($0) } ?? componentValue(number, value).isNull
            if isNil { return true }
        }
        return false
    }

    /// Whether a component of a row's key is nil.
    func hasNil(_ image: RowImage) throws -> Bool {
        let layout = image.layout
        return try image.withView { try hasNil($0, layout: layout, value: image.value) }
    }

    /// Whether a change of these properties can change the row's entry.
    func dependsOn(_ changed: FieldMask) -> Bool {
        componentPositions.contains(where: changed.contains) || includedPositions.contains(where: changed.contains)
    }

    /// The component values, for comparing rows whose keys are cut.
    func componentValues(of image: RowImage) throws -> [Value] {
        try componentPositions.indices.map { try componentValue($0, image.value) }
    }
}
