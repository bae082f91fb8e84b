/// A record copied out of the store, with what is needed to read its fields later and on any thread.
///
/// Its checksum was verified when it was made, so reading it cannot meet damage that the store could have noticed. One
/// word, one allocation; a copy shares the bytes.
package struct DetachedRecord: @unchecked Sendable {
    /// Written once, before anybody else sees it.
    private let storage: RecordStorage

    fileprivate init(_ storage: RecordStorage) { self.storage = storage }

    package var rowID: RowID { storage.withUnsafeMutablePointerToHeader { $0.pointee.rowID } }

    /// The record as it was stored. A copy: O(bytes).
    package var bytes: [UInt8] { withBytes(Array.init) }

    /// The number of the save that wrote it.
    package var save: UInt64 {
        withBytes { RecordHeader.save(of: RawSpan(_unsafeBytes: $0)) }
    }

    /// Whether the field differs in a record of the same entity, byte by byte where both have the same layout.
    ///
    /// - Throws: `damagedRecord` where the field's bytes are impossible in either record, which their checksums
    ///   exclude.
    package func differs(from other: DetachedRecord, at position: Int) throws -> Bool {
        let areEqual: Bool? = try read(position) { view, slot in
            try other.read(position) { otherView, otherSlot in
                guard view.frame == otherView.frame else { return nil }
                return try view.fieldBytesEqual(slot, other: otherView, otherSlot: otherSlot)
            } initial: { _ in
                nil
            }
        } initial: { _ in
            nil
        }
        if let areEqual { return !areEqual }
        return try content(position) != other.content(position)
    }

    /// What a field holds, whatever the layout: a long value is known by its length and hash.
    private enum Content: Equatable {
        case value(Value)
        case long(length: Int, hash: UInt64)
    }

    private func content(_ position: Int) throws -> Content {
        let long: Content? = try read(position) { view, slot in
            guard case .external(let length, let hash) = try view.field(slot) else { return nil }
            return .long(length: length, hash: hash)
        } initial: { _ in
            nil
        }
        return try long ?? .value(value(position))
    }

    @inline(__always)
    private func withBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try storage.withUnsafeMutablePointers { head, bytes in
            try body(UnsafeRawBufferPointer(start: bytes, count: head.pointee.byteCount))
        }
    }

    /// Calls the first closure with the record and the field's slot in it, or the second one with what the property at
    /// this position in `entity.properties` reads where the record was written before it was what it is.
    @inline(__always)
    private func read<R>(
        _ position: Int, _ body: (_ view: RecordView, _ slot: Int) throws -> R?, initial: (Value) throws -> R?
    ) throws -> R? {
        try storage.withUnsafeMutablePointers { head, bytes in
            let bytes = UnsafeRawBufferPointer(start: bytes, count: head.pointee.byteCount)
            let view = RecordView(opened: RawSpan(_unsafeBytes: bytes), frame: head.pointee.frame)
            guard let slot = head.pointee.slot(position, in: view) else {
                return try initial(head.pointee.olderValue(position, in: view))
            }
            return try body(view, slot)
        }
    }
}

/// Fields by the position of the property in `entity.properties`; nil where the property is nil. A type that is not
/// the property's throws `typeMismatch`; only where the record was written before the property was what it is, it
/// gives nil.
extension DetachedRecord {
    /// The value of a Bool property.
    ///
    /// - Throws: `typeMismatch` for a property of another type.
    package func bool(_ position: Int) throws -> Bool? {
        try read(position) { view, slot in
            try view.optionalBool(slot)
        } initial: {
            if case .bool(let value) = $0 { value } else { nil }
        }
    }

    /// A signed integer of any width.
    ///
    /// - Throws: `typeMismatch` for a property of another type, `damagedRecord` where the field's bytes are
    ///   impossible.
    package func int64(_ position: Int) throws -> Int64? {
        try read(position) { view, slot in
            try view.optionalInt64(slot)
        } initial: {
            if case .int(let value) = $0 { value } else { nil }
        }
    }

    /// An unsigned integer of any width.
    ///
    /// - Throws: `typeMismatch` for a property of another type, `damagedRecord` where the field's bytes are
    ///   impossible.
    package func uint64(_ position: Int) throws -> UInt64? {
        try read(position) { view, slot in
            try view.optionalUInt64(slot)
        } initial: {
            if case .uint(let value) = $0 { value } else { nil }
        }
    }

    /// The value of a Float property.
    ///
    /// - Throws: `typeMismatch` for a property of another type.
    package func float(_ position: Int) throws -> Float? {
        try read(position) { view, slot in
            try view.isNull(slot) ? nil : view.float(slot)
        } initial: {
            if case .float(let value) = $0 { value } else { nil }
        }
    }

    /// A Double, or a Date as its seconds.
    ///
    /// - Throws: `typeMismatch` for a property of another type.
    package func double(_ position: Int) throws -> Double? {
        try read(position) { view, slot in
            try view.optionalDouble(slot)
        } initial: {
            switch $0 {
            case .double(let value): value
            case .date(let value): value.seconds
            default: nil
            }
        }
    }

    /// The value of a string property.
    ///
    /// - Throws: `longValueNotLoaded` for a string that lies outside the record, `typeMismatch` for a property of
    ///   another type than string or URL, `damagedRecord` where the field's bytes are impossible.
    package func string(_ position: Int) throws -> String? {
        let text = try read(position) { view, slot in
            try view.inlineText(slot)?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        } initial: { _ in
            nil
        }
        if let text { return text }
        guard case .string(let value) = try value(position) else { return nil }
        return value
    }

    /// The value of any property.
    ///
    /// - Throws: `longValueNotLoaded` for a value that lies outside the record, `damagedRecord` where the field's
    ///   bytes are impossible.
    package func value(_ position: Int) throws -> Value {
        try read(position) { view, slot in
            try view.value(slot)
        } initial: {
            $0
        } ?? .null
    }
}

extension DetachedRecord {
    /// The same record while somebody else keeps it: its fields are read without counting a reference.
    package struct Unretained {
        fileprivate let storage: Unmanaged<RecordStorage>

        @inline(__always)
        private func with<R>(_ body: (DetachedRecord) throws -> R) rethrows -> R {
            try storage._withUnsafeGuaranteedRef { try body(DetachedRecord($0)) }
        }

        /// As ``DetachedRecord/bool(_:)``.
        package func bool(_ position: Int) throws -> Bool? { try with { try $0.bool(position) } }

        /// As ``DetachedRecord/int64(_:)``.
        package func int64(_ position: Int) throws -> Int64? { try with { try $0.int64(position) } }

        /// As ``DetachedRecord/uint64(_:)``.
        package func uint64(_ position: Int) throws -> UInt64? { try with { try $0.uint64(position) } }

        /// As ``DetachedRecord/float(_:)``.
        package func float(_ position: Int) throws -> Float? { try with { try $0.float(position) } }

        /// As ``DetachedRecord/double(_:)``.
        package func double(_ position: Int) throws -> Double? { try with { try $0.double(position) } }

        /// As ``DetachedRecord/string(_:)``.
        package func string(_ position: Int) throws -> String? { try with { try $0.string(position) } }

        /// As ``DetachedRecord/value(_:)``.
        package func value(_ position: Int) throws -> Value { try with { try $0.value(position) } }
    }

    package var unretained: Unretained { Unretained(storage: .passUnretained(storage)) }
}

// MARK: Making them

extension DetachedRecord {
    /// Makes records of one entity, in one generation of the catalog.
    package struct Source {
        private let access: EntityAccess

        init(_ access: EntityAccess) { self.access = access }

        /// - Parameter catalog: the one of the snapshot that the bytes come from.
        /// - Throws: `unknownEntity` where the catalog has no such entity.
        package init(_ entity: EntityID, in catalog: Catalog) throws {
            access = try catalog.access(entity)
        }

        /// Copies a record. Records are checked here alone.
        ///
        /// - Throws: `damagedRecord` where header, layout, length or checksum are wrong, as they are in a record of
        ///   another entity. O(bytes).
        package func copy(_ bytes: UnsafeRawBufferPointer, rowID: RowID) throws -> DetachedRecord {
            let span = RawSpan(_unsafeBytes: bytes)
            try RecordHeader.verifyChecksum(record: span, rowID: rowID, entity: access.entity.id)
            let layout = try access.layout(RecordHeader.layout(of: span))
            _ = try RecordView(span, frame: layout.layout.frame)
            return DetachedRecord(RecordStorage.make(bytes, rowID: rowID, layout: layout))
        }

        /// Copies a record from an array of its bytes. O(bytes).
        ///
        /// - Throws: `damagedRecord`, as the form that takes borrowed bytes.
        package func copy(_ bytes: [UInt8], rowID: RowID) throws -> DetachedRecord {
            try bytes.withUnsafeBytes { try copy($0, rowID: rowID) }
        }
    }

}

/// What the bytes of a record mean.
private struct RecordHead {
    let layout: LayoutAccess
    let rowID: RowID
    let byteCount: Int
    /// These belong to the layout.
    let frame: UnsafeMutablePointer<RecordFrame>
    let slots: UnsafeMutablePointer<Int32>
    let slotCount: Int

    /// The slot of the property at a position in `entity.properties`; nil where ``olderValue(_:in:)`` is what the
    /// record reads.
    @inline(__always)
    func slot(_ position: Int, in view: RecordView) -> Int? {
        guard UInt(bitPattern: position) < UInt(bitPattern: slotCount) else { return nil }
        let slot = slots[position]
        if slot >= 0 { return Int(slot) }
        return slot == -1 ? nil : layout.olderSlot(position, in: view)
    }

    @inline(never)
    func olderValue(_ position: Int, in view: RecordView) throws -> Value {
        try layout.value(position, in: view, of: rowID)
    }
}

/// A record's bytes behind their description, in one allocation.
private final class RecordStorage: ManagedBuffer<RecordHead, UInt8> {
    static func make(_ bytes: UnsafeRawBufferPointer, rowID: RowID, layout: LayoutAccess) -> RecordStorage {
        let buffer = create(minimumCapacity: bytes.count) { _ in
            RecordHead(
                layout: layout, rowID: rowID, byteCount: bytes.count, frame: layout.layout.frame,
                slots: layout.slotTable, slotCount: layout.slots.count)
        }
        buffer.withUnsafeMutablePointerToElements { target in
            guard let start = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(target).copyMemory(from: start, byteCount: bytes.count)
        }
        return unsafeDowncast(buffer, to: RecordStorage.self)
    }
}
