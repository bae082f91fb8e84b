import Foundation

/// What an encoded array, dictionary or structure has, where it lies: nothing is decoded beside what is asked for, and
/// nothing is taken from the heap.
extension UnboxedValue {
    /// The number of elements of an array; nil for nil.
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value.
    package var elementCount: Int? {
        get throws {
            guard !isNull else { return nil }
            var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
            return try reader.enterArray()
        }
    }

    /// Calls a closure with each element of an array, until it returns false. Nil has none. O(bytes).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value; what the closure throws.
    package func forEachElement(_ body: (UnboxedValue) throws -> Bool) throws {
        guard !isNull else { return }
        var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
        for _ in 0..<(try reader.enterArray()) {
            guard try body(reader.unboxed()) else { return }
        }
    }

    /// The bytes of an array or a dictionary.
    ///
    /// - Throws: `damagedRecord` for a single value.
    private var collection: UnsafeRawBufferPointer {
        get throws {
            guard kind == .composite else { throw CompositeReader.damaged(CompositeReader.noCollection) }
            return text
        }
    }

    /// The element of an array at an index from 0; nil where there is none. O(elements before it).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value but nil.
    func element(at index: Int) throws -> UnboxedValue {
        guard !isNull else { return .null }
        var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
        guard try (0..<reader.enterArray()).contains(index) else { return .null }
        for _ in 0..<index { try reader.skip() }
        return try reader.unboxed()
    }

    /// The element of an array at an index, or what a dictionary has for a key; nil where there is none. O(elements
    /// before it).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value but nil.
    func element(at key: UnboxedValue) throws -> UnboxedValue {
        guard !isNull else { return .null }
        var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
        let tag = try reader.readTag()
        guard tag == .dictionary else {
            guard let integer = key.integer else { throw CompositeReader.damaged(CompositeReader.noCollection) }
            return try Int(exactly: integer).map { try element(at: $0) } ?? .null
        }
        for _ in 0..<(try reader.enterContainer(tag)) {
            if try reader.unboxed().isKey(key) { return try reader.unboxed() }
            try reader.skip()
        }
        return .null
    }

    /// The value at the end of a path of member names; nil where something on the way is nil or absent.
    ///
    /// - Throws: `typeMismatch` where the path leads through a value without members, `damagedRecord` where the bytes
    ///   are impossible.
    package func member(at path: [String]) throws -> UnboxedValue {
        guard !path.isEmpty, !isNull else { return self }
        guard kind == .composite else { throw CompositeReader.withoutMembers }
        let bytes = RawSpan(_unsafeBytes: text)
        guard let range = try CompositeReader.find(path, in: bytes) else { return .null }
        return try CompositeReader.unboxed(bytes.extracting(unchecked: range))
    }
}

// MARK: Equality

extension UnboxedValue {
    /// Whether a dictionary's key is meant by another value: integers are by their value, whatever their types.
    private func isKey(_ other: UnboxedValue) throws -> Bool {
        if let own = integer, let integer = other.integer { return own == integer }
        return try isSame(as: other)
    }

    /// Whether two composite values have the same parts, each equal to the other's as a closure compares single values,
    /// of which nil is one. Elements of arrays have an order; dictionaries and structures have none.
    ///
    /// O(bytes) where names and keys come in one order, as those do that have equal bytes.
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and what the closure throws.
    package static func haveEqualParts(
        _ left: UnboxedValue, _ right: UnboxedValue, where areEqual: (UnboxedValue, UnboxedValue) throws -> Bool
    ) throws -> Bool {
        try haveEqualParts(left, right, depth: 0, where: areEqual)
    }

    private static func haveEqualParts(
        _ left: UnboxedValue, _ right: UnboxedValue, depth: Int,
        where areEqual: (UnboxedValue, UnboxedValue) throws -> Bool
    ) throws -> Bool {
        guard left.kind == .composite, right.kind == .composite else { return try areEqual(left, right) }
        guard depth < CompositeTag.maximumDepth else {
            throw CompositeReader.damaged("values are nested too deeply")
        }
        return try CompositeReader.haveEqualParts(
            RawSpan(_unsafeBytes: left.text), RawSpan(_unsafeBytes: right.text), depth: depth + 1
        ) {
            try haveEqualParts($0, $1, depth: depth + 1, where: areEqual)
        }
    }

    /// Whether it is the same value, as two ``Value``s are: every NaN is, and numbers of two types are not.
    ///
    /// - Parameter depth: of composite values around both.
    /// - Throws: `damagedRecord` for a string that is not UTF-8, and where values are nested too deeply.
    package func isSame(as other: UnboxedValue, depth: Int = 0) throws -> Bool {
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .bool, .int, .uint, .uuid: return halves == other.halves
        case .float, .double, .date: return floating == other.floating || floating.isNaN && other.floating.isNaN
        case .decimal:
            return Self.decimalOrder(self, other).map { $0 == 0 } ?? (decimal.isNaN && other.decimal.isNaN)
        case .string:
            if StringForms.compare(text, other.text) == 0 { return true }
            return try StringForms.compare(self, other, form: .exact) == 0
        case .url, .data: return StringForms.compare(text, other.text) == 0
        case .composite: return try Self.haveEqualParts(self, other, depth: depth) { try $0.isSame(as: $1) }
        }
    }
}

extension CompositeReader {
    /// - Parameters:
    ///   - depth: of the parts, of which keys can be composite values, too.
    ///   - areEqual: compares two parts.
    fileprivate static func haveEqualParts(
        _ left: RawSpan, _ right: RawSpan, depth: Int, where areEqual: (UnboxedValue, UnboxedValue) throws -> Bool
    ) throws -> Bool {
        var (first, second) = (CompositeReader(left), CompositeReader(right))
        let tag = try first.readTag()
        guard try second.readTag() == tag else { return false }
        let count = try first.enterContainer(tag)
        guard try second.enterContainer(tag) == count else { return false }
        guard tag != .array else {
            for _ in 0..<count where try !areEqual(first.unboxed(), second.unboxed()) { return false }
            return true
        }
        let start = second.offset
        var rest = count
        for _ in 0..<count {
            let name = try first.name(in: tag)
            guard try second.find(name, in: tag, depth: depth, count: count, start: start, rest: &rest),
                try areEqual(first.unboxed(), second.unboxed())
            else { return false }
        }
        return true
    }

    /// A member's name or a dictionary's key.
    private mutating func name(in container: CompositeTag) throws -> UnboxedValue {
        guard container == .structure else { return try unboxed() }
        let range = try readLengthAndBytes()
        return bytes.extracting(unchecked: range).withUnsafeBytes { .text(.string, $0) }
    }

    /// Moves to the value of a name, from where the reader is, and from the start on behind the last one.
    ///
    /// - Parameter rest: the number of names from the reader's place on.
    private mutating func find(
        _ name: UnboxedValue, in container: CompositeTag, depth: Int, count: Int, start: Int, rest: inout Int
    ) throws -> Bool {
        for _ in 0..<count {
            if rest == 0 {
                move(to: start)
                rest = count
            }
            rest -= 1
            if try self.name(in: container).isSame(as: name, depth: depth) { return true }
            try skip()
        }
        return false
    }
}
