/// Makes index entries from records: the one place where keys come from, for saves, builds, loads and checks alike.
extension IndexAccess {
    /// The entry of a row in this index.
    func entry(of image: RowImage) throws -> IndexEntry {
        var key: [UInt8] = []
        key.reserveCapacity(keyShape.stride ?? 48)
        var isExact = true
        for (component, value) in zip(keyShape.components, try componentValues(of: image)) {
            isExact = try component.append(value, to: &key) && isExact
        }
        return IndexEntry(
            key: key, rowID: image.rowID, isInexact: !isExact, included: try includedValues(of: image))
    }

    /// Appends the component bytes of a row's key, straight from the record's bytes where a component allows it.
    ///
    /// - Parameters:
    ///   - view: a record of the layout.
    ///   - value: gives a property's value by its position, for components that need one: nested members, functions,
    ///     decimals, long values, and properties that the record was written without.
    /// - Returns: whether the key is exact.
    func appendKey(
        of view: RecordView, _ layout: LayoutAccess, to key: inout KeyBuffer, value: (Int) throws -> Value
    ) throws -> Bool {
        var isExact = true
        for number in 0..<componentPositions.count {
            let position = componentPositions[number]
            let slot = layout.slots[position]
            guard slot >= 0, isDirect[number] else {
                let value = try componentValue(number, value)
                isExact = try keyShape.components[number].append(value, to: &key) && isExact
                continue
            }
            if let isWhole = try keyShape.components[number].append(slot, of: view, to: &key) {
                isExact = isWhole && isExact
            } else {
                isExact = try keyShape.components[number].append(value(position), to: &key) && isExact
            }
        }
        return isExact
    }

    /// What stands in the key for a component.
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
    func hasNil(_ view: RecordView, _ layout: LayoutAccess, value: (Int) throws -> Value) throws -> Bool {
        for number in 0..<componentPositions.count {
            let position = componentPositions[number]
            let slot = layout.slots[position]
            let isNil =
                try slot >= 0 && isDirect[number]
                ? view.isNull(slot) : componentValue(number, value).isNull
            if isNil { return true }
        }
        return false
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
