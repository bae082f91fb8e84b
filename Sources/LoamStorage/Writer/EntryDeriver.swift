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

    /// One tagged value per column; nil for nil. A scan decodes it with ``CompositeCodec``.
    private func includedValues(of image: RowImage) throws -> [[UInt8]?] {
        try includedPositions.map { position in
            let value = try image.value(position)
            return value.isNull
                ? nil : try CompositeCodec.encode(value, as: image.access.entity.properties[position].type)
        }
    }

    /// Whether a change of these properties can change the row's entry.
    func dependsOn(_ changed: Set<Int>) -> Bool {
        componentPositions.contains(where: changed.contains) || includedPositions.contains(where: changed.contains)
    }

    /// The component values, for comparing rows whose keys are cut.
    func componentValues(of image: RowImage) throws -> [Value] {
        try zip(index.components, componentPositions).map { component, position in
            try image.value(position).member(at: component.path)
        }
    }
}
