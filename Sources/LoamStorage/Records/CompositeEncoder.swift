import Foundation

/// Writes a composite value in the encoding of ``CompositeTag``, checking it against its type.
struct CompositeEncoder {
    private(set) var bytes: [UInt8] = []

    /// Replaces the bytes by those of a value. O(bytes * depth). Throws `typeMismatch`, `missingValue` with the path of
    /// the member in `property`, or `valueTooDeep`.
    mutating func encode(_ value: Value, as type: ValueType) throws {
        bytes.removeAll(keepingCapacity: true)
        try append(value, type: type, isOptional: false, depth: 0)
    }

    /// Replaces the bytes by those of a value that need not be of any type: elements may differ, keys and elements be
    /// nil. O(bytes * depth). Throws as ``encode(_:as:)`` does.
    mutating func encode(_ value: Value) throws {
        bytes.removeAll(keepingCapacity: true)
        try append(value, type: nil, isOptional: true, depth: 0)
    }

    /// Appends a value of the type, or of any where there is none.
    private mutating func append(_ value: Value, type: ValueType?, isOptional: Bool, depth: Int) throws {
        if value.isNull {
            guard isOptional else { throw StorageError(.missingValue) }
            return append(.null)
        }
        guard let type else { return try append(untyped: value, depth: depth) }
        switch (type, value) {
        case (.array(let element, let optional), .array(let elements)):
            try appendContainer(.array, count: elements.count, depth: depth) { encoder in
                for member in elements {
                    try encoder.append(member, type: element, isOptional: optional, depth: depth + 1)
                }
            }
        case (.dictionary(let key, let element, let optional), .dictionary(let pairs)):
            try appendDictionary(pairs, key: key, element: element, optional: optional, depth: depth)
        case (.structure(let members), .structure(let values)):
            try appendStructure(values, members: members, depth: depth)
        default:
            try appendScalar(value, type: type)
        }
    }

    private mutating func append(untyped value: Value, depth: Int) throws {
        switch value {
        case .array(let elements):
            try appendContainer(.array, count: elements.count, depth: depth) { encoder in
                for member in elements { try encoder.append(member, type: nil, isOptional: true, depth: depth + 1) }
            }
        case .dictionary(let pairs): try appendDictionary(pairs, key: nil, element: nil, optional: true, depth: depth)
        case .structure(let members):
            try append(members.filter { !$0.value.isNull }.map { ($0.key, nil, $0.value) }, depth: depth)
        default: try appendScalar(value, type: value.scalarType ?? .data)
        }
    }

    // MARK: Containers

    /// Appends tag, length and count around what `body` appends.
    private mutating func appendContainer(
        _ tag: CompositeTag, count: Int, depth: Int, _ body: (inout CompositeEncoder) throws -> Void
    ) throws {
        guard depth < CompositeTag.maximumDepth else {
            throw StorageError(.valueTooDeep(limit: CompositeTag.maximumDepth))
        }
        append(tag)
        let start = bytes.count
        try appendLength(count)
        try body(&self)
        let length = try Self.length(bytes.count - start)
        bytes.insert(contentsOf: length, at: start)
    }

    private mutating func appendDictionary(
        _ pairs: [Value: Value], key: ValueType?, element: ValueType?, optional: Bool, depth: Int
    ) throws {
        var encoded: [(key: [UInt8], value: Value)] = []
        encoded.reserveCapacity(pairs.count)
        for (name, value) in pairs {
            var encoder = CompositeEncoder()
            try encoder.append(name, type: key, isOptional: key == nil, depth: depth + 1)
            encoded.append((encoder.bytes, value))
        }
        encoded.sort { $0.key.lexicographicallyPrecedes($1.key) }
        for (pair, next) in zip(encoded, encoded.dropFirst()) where pair.key == next.key {
            throw StorageError(.typeMismatch(expected: "different keys", found: "one key twice"))
        }
        try appendContainer(.dictionary, count: encoded.count, depth: depth) { encoder in
            for pair in encoded {
                encoder.bytes.append(contentsOf: pair.key)
                try encoder.append(pair.value, type: element, isOptional: optional, depth: depth + 1)
            }
        }
    }

    private mutating func appendStructure(
        _ values: [String: Value], members: [ValueType.Member], depth: Int
    ) throws {
        var present: [PresentMember] = []
        present.reserveCapacity(members.count)
        var named = 0
        for member in members {
            let value = values[member.name]
            if value != nil { named += 1 }
            if let value, !value.isNull {
                present.append((member.name, member.type, value))
            } else if !member.isOptional {
                throw StorageError(.missingValue, property: member.name)
            }
        }
        guard named == values.count else {
            throw StorageError(.typeMismatch(expected: "the structure's members", found: "a member of another name"))
        }
        try append(present, depth: depth)
    }

    private typealias PresentMember = (name: String, type: ValueType?, value: Value)

    private mutating func append(_ members: [PresentMember], depth: Int) throws {
        let members = members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        try appendContainer(.structure, count: members.count, depth: depth) { encoder in
            for (name, type, value) in members {
                do {
                    try encoder.appendBytes(of: name)
                    try encoder.append(value, type: type, isOptional: false, depth: depth + 1)
                } catch var error as StorageError {
                    error.property = error.property.map { "\(name).\($0)" } ?? name
                    throw error
                }
            }
        }
    }

    // MARK: Scalars

    private mutating func appendScalar(_ value: Value, type: ValueType) throws {
        switch try Scalar(value, as: FieldKind(type)) {
        case .bool(let value): append(value ? .true : .false)
        case .int(let value): appendNarrowest(value)
        case .uint(let value): appendNarrowest(value)
        case .float(let value): append(.float, number: value.bitPattern)
        case .double(let value): append(type == .date ? .date : .double, number: value.bitPattern)
        case .uuid(let value):
            append(.uuid)
            withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
        case .decimal(let parts):
            append(.decimal)
            try parts.withBytes { try appendBytes($0) }
        case .string(let value):
            var value = value
            try value.withUTF8 { text in
                let text = UnsafeRawBufferPointer(text)
                append(PlainText.isPlain(text) ? .plainString : .string)
                try appendBytes(text)
            }
        case .url(let value):
            append(.url)
            try appendBytes(of: value)
        case .data(let value):
            append(.data)
            try value.withUnsafeBytes { try appendBytes($0) }
        }
    }

    private mutating func appendNarrowest(_ value: Int64) {
        if let value = Int8(exactly: value) { return append(.int8, number: value) }
        if let value = Int16(exactly: value) { return append(.int16, number: value) }
        if let value = Int32(exactly: value) { return append(.int32, number: value) }
        append(.int64, number: value)
    }

    private mutating func appendNarrowest(_ value: UInt64) {
        if let value = UInt8(exactly: value) { return append(.uint8, number: value) }
        if let value = UInt16(exactly: value) { return append(.uint16, number: value) }
        if let value = UInt32(exactly: value) { return append(.uint32, number: value) }
        append(.uint64, number: value)
    }

    // MARK: Bytes

    private mutating func append(_ tag: CompositeTag) { bytes.append(tag.rawValue) }

    private mutating func append(_ tag: CompositeTag, number: some FixedWidthInteger) {
        append(tag)
        bytes.append(littleEndian: number)
    }

    private mutating func appendBytes(of text: String) throws {
        var text = text
        try text.withUTF8 { try appendBytes(UnsafeRawBufferPointer($0)) }
    }

    private mutating func appendBytes(_ content: UnsafeRawBufferPointer) throws {
        try appendLength(content.count)
        bytes.append(contentsOf: content)
    }

    private mutating func appendLength(_ length: Int) throws {
        if length < 0x80 { bytes.append(UInt8(length)) } else { bytes.append(contentsOf: try Self.length(length)) }
    }

    /// A length in LEB128. Throws `valueTooLong` above 2^32 - 1.
    private static func length(_ length: Int) throws -> [UInt8] {
        guard var rest = UInt32(exactly: length) else { throw StorageError(.valueTooLong(limit: Int(UInt32.max))) }
        var result: [UInt8] = []
        while rest >= 0x80 {
            result.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        result.append(UInt8(rest))
        return result
    }
}
