/// Where the parts of a layout's records start, as far as the layout alone says it.
struct RecordSections: Sendable {
    let bitCount: Int
    let integerCount: Int
    let variableCount: Int
    let widthsStart: Int
    let wideStart: Int
    /// Where the offset table starts.
    let tableStart: Int

    private let optionalCount: Int
    private let boolCount: Int

    static var bitsStart: Int { RecordHeader.byteCount }

    init(_ fields: [RecordLayout.Field]) {
        let kinds = fields.map { FieldKind($0.type) }
        optionalCount = fields.count(where: \.isOptional)
        boolCount = kinds.count { $0 == .bool }
        bitCount = optionalCount + boolCount + kinds.count { $0 == .string }
        integerCount = kinds.count(where: \.isInteger)
        variableCount = kinds.count(where: \.isVariable)
        widthsStart = Self.bitsStart + (bitCount + 7) / 8
        wideStart = widthsStart + IntegerWidths.byteCount(of: integerCount)
        tableStart = wideStart + fields.reduce(0) { $0 + (FieldKind($1.type).isWide ? $1.type.fixedWidth ?? 0 : 0) }
    }

    /// Bytes of the bits that say which fields are external, in a record that has them.
    var externalByteCount: Int { (variableCount + 7) / 8 }

    /// The fewest bytes of a record.
    var leastByteCount: Int { tableStart + variableCount }

    /// The most bytes that lie before the first variable field.
    var mostBytesBeforeVariable: Int { tableStart + 4 * variableCount + externalByteCount + 8 * integerCount }

    /// The locations of the fields, by slot.
    func locations(of fields: [RecordLayout.Field]) -> [FieldLocation] {
        var (nilBit, boolBit, plainBit) = (0, optionalCount, optionalCount + boolCount)
        var (integer, wide, variable) = (0, wideStart, 0)
        func next(_ bit: inout Int) -> (byte: UInt16, mask: UInt8) {
            defer { bit += 1 }
            return (UInt16(Self.bitsStart + bit / 8), 1 << UInt8(bit % 8))
        }
        return fields.map { field in
            let kind = FieldKind(field.type)
            var location = FieldLocation(
                offset: 0, nilByte: 0, bitByte: 0, nilMask: 0, bitMask: 0,
                width: UInt8(kind.isVariable || kind == .bool ? 0 : field.type.fixedWidth ?? 0), kind: kind)
            if field.isOptional { (location.nilByte, location.nilMask) = next(&nilBit) }
            if kind == .bool { (location.bitByte, location.bitMask) = next(&boolBit) }
            if kind == .string { (location.bitByte, location.bitMask) = next(&plainBit) }
            if kind.isInteger {
                let group = IntegerWidths.group(of: integer, start: widthsStart, count: integerCount)
                (location.offset, location.bitByte) = (UInt32(group.offset), UInt16(integer))
                location.bitMask = UInt8(group.shift)
                integer += 1
            } else if kind.isWide {
                location.offset = UInt32(wide)
                wide += Int(location.width)
            } else if kind.isVariable {
                location.offset = UInt32(variable)
                variable += 1
            }
            return location
        }
    }
}

/// The numbers of a layout that every access to a record needs, side by side.
struct RecordFrame {
    let locations: UnsafeMutablePointer<FieldLocation>
    let slotCount: UInt32
    let entity: EntityID
    let leastByteCount: UInt32
    let widthsStart: UInt32
    let tableStart: UInt32
    let variableCount: UInt32
    let externalByteCount: UInt32
    let integerCount: UInt32
    /// Where the width table's last word is loaded from, and how far to the right it is shifted then.
    let lastGroup: UInt32
    let lastGroupShift: UInt16
    let id: LayoutID
    /// The layout, which holds this frame.
    let layout: Unmanaged<RecordLayout>

    init(
        locations: UnsafeMutablePointer<FieldLocation>, slotCount: UInt32, id: LayoutID, entity: EntityID,
        sections: RecordSections, layout: Unmanaged<RecordLayout>
    ) {
        self.locations = locations
        self.slotCount = slotCount
        self.id = id
        self.entity = entity
        leastByteCount = UInt32(sections.leastByteCount)
        widthsStart = UInt32(sections.widthsStart)
        tableStart = UInt32(sections.tableStart)
        variableCount = UInt32(sections.variableCount)
        externalByteCount = UInt32(sections.externalByteCount)
        integerCount = UInt32(sections.integerCount)
        let last = IntegerWidths.group(
            of: max(sections.integerCount - 1, 0), start: sections.widthsStart, count: max(sections.integerCount, 1))
        lastGroup = UInt32(last.offset)
        lastGroupShift = UInt16(last.shift)
        self.layout = layout
    }
}
