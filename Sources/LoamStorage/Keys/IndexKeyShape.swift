/// The components of an index's keys, and what follows from them.
///
/// An entry's key is the components' bytes, then the row id: 8 bytes big endian, inverted when the last component is
/// descending.
package struct IndexKeyShape: Hashable, Sendable {
    package let components: [KeyComponent]
    /// Bytes of all components when each has a fixed width.
    package let stride: Int?
    package let invertsRowID: Bool

    /// The most bytes that all components may take together.
    package static let longestComponents = 480
    package static let rowIDWidth = 8

    /// - Throws: `StorageError.invalidIndex` when there is no component, when one cannot be a key, when together they
    ///   exceed ``longestComponents``, when a unique index has another than the exact form or a function with a
    ///   version, or when one of trigrams is of more than a text.
    package init(index: Index) throws {
        do {
            try self.init(components: index.components.map(KeyComponent.init))
            if index.kind == .unique && components.contains(where: { $0.form != .exact }) {
                throw StorageError(.invalidIndex("a unique index compares strings in their exact form only"))
            }
            if index.kind == .unique, let component = index.components.first(where: { $0.functionVersion != nil }) {
                let version = component.function?.timeZone == nil ? "another version of Unicode" : "a new law of time"
                throw StorageError(.invalidIndex("a unique index takes no function that \(version) may change"))
            }
            if index.kind == .trigrams, let fault = Index.trigramFault(of: index.definition, index.components) {
                throw StorageError(.invalidIndex(fault))
            }
        } catch var error as StorageError {
            error.index = index.name
            throw error
        }
    }

    /// The shape of keys with these components.
    ///
    /// - Throws: `invalidIndex` when there is no component, or when together they exceed ``longestComponents``.
    package init(components: [KeyComponent]) throws {
        guard let last = components.last else { throw StorageError(.invalidIndex("it has no components")) }
        guard components.reduce(0, { $0 + $1.share }) <= Self.longestComponents else {
            throw StorageError(.invalidIndex("its components exceed \(Self.longestComponents) bytes"))
        }
        let widths = components.compactMap(\.fixedWidth)
        self.components = components
        stride = widths.count == components.count ? widths.reduce(0, +) : nil
        invertsRowID = last.inverts
    }

    /// The component bytes of one entry.
    ///
    /// - Parameter values: one for each component.
    /// - Throws: as ``KeyComponent/append(_:to:)``.
    package func key(of values: [Value]) throws -> (bytes: [UInt8], isExact: Bool) {
        guard values.count == components.count else {
            throw StorageError(.typeMismatch(expected: "\(components.count) values", found: "\(values.count)"))
        }
        var bytes: [UInt8] = []
        var isExact = true
        for (component, value) in zip(components, values) {
            isExact = try component.append(value, to: &bytes) && isExact
        }
        return (bytes, isExact)
    }

    /// Reads component bytes back, strictly: every byte belongs to a component.
    ///
    /// - Returns: for each component what ``KeyComponent/decode(_:at:)`` gives.
    /// - Throws: `StorageError.damagedKey`.
    package func values(of key: RawSpan) throws -> [Value?] {
        var offset = 0
        var values: [Value?] = []
        for component in components { values.append(try component.decode(key, at: &offset)) }
        guard offset == key.byteCount else { throw StorageError(.damagedKey("bytes follow the last component")) }
        return values
    }

    /// Bytes of the leading component of a key.
    ///
    /// - Throws: `damagedKey` where the component has no end.
    package func leadingLength(of key: RawSpan) throws -> Int {
        try components[0].skip(key, from: 0)
    }

    /// Bytes of all components of a key that may be followed by its row id.
    ///
    /// - Throws: `damagedKey` where a component is missing or has no end.
    package func length(of key: RawSpan) throws -> Int {
        if let stride {
            guard key.byteCount >= stride else { throw StorageError(.damagedKey("a component is too short")) }
            return stride
        }
        return try components.reduce(0) { try $1.skip(key, from: $0) }
    }

    /// Appends a row id as entries end with it.
    package func append(rowID: RowID, to key: inout [UInt8]) {
        key.append(bigEndian: invertsRowID ? ~rowID : rowID)
    }

    /// Whether any component of a key was cut to its share.
    ///
    /// - Throws: `damagedKey` where a component is missing or has no end.
    package func isInexact(_ key: RawSpan) throws -> Bool {
        var offset = 0
        var isInexact = false
        for component in components {
            isInexact = try component.isCut(key, at: offset) || isInexact
            offset = try component.skip(key, from: offset)
        }
        return isInexact
    }
}
