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

    /// The number of a dictionary's keys. O(1).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value.
    var keyCount: Int {
        get throws {
            var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
            let tag = try reader.readTag()
            guard tag == .dictionary else { throw CompositeReader.damaged(CompositeReader.noCollection) }
            return try reader.enterContainer(tag)
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

    /// Calls a closure with each element of an array, or with each pair of a dictionary, until it returns false. Nil has
    /// none. O(bytes).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value; what the closure throws.
    package func forEachElementOrPair(_ body: (UnboxedValue) throws -> Bool) throws {
        guard !isNull else { return }
        let bytes = RawSpan(_unsafeBytes: try collection)
        var reader = CompositeReader(bytes)
        guard try reader.readTag() == .dictionary else { return try forEachElement(body) }
        for _ in 0..<(try reader.enterContainer(.dictionary)) {
            let start = reader.offset
            try reader.skip()
            try reader.skip()
            let pair = bytes.extracting(unchecked: start..<reader.offset).withUnsafeBytes { UnboxedValue.pair($0) }
            guard try body(pair) else { return }
        }
    }

    /// The number of elements of an array, or of pairs of a dictionary; nil for nil. O(1).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value.
    package var elementOrPairCount: Int? {
        get throws {
            guard !isNull else { return nil }
            var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
            return try reader.readTag() == .dictionary ? keyCount : elementCount
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
    /// before it). The byte of data at an index: O(1).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value but nil.
    func element(at key: UnboxedValue) throws -> UnboxedValue {
        guard !isNull else { return .null }
        if kind == .data {
            guard let index = key.integer.flatMap({ Int(exactly: $0) }), text.indices.contains(index) else {
                return .null
            }
            return .uint(UInt64(text[index]))
        }
        var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
        let tag = try reader.readTag()
        guard tag == .dictionary else {
            guard let integer = key.integer else { throw CompositeReader.damaged(CompositeReader.noCollection) }
            return try Int(exactly: integer).map { try element(at: $0) } ?? .null
        }
        for _ in 0..<(try reader.enterContainer(tag)) {
            if try reader.unboxed().isSameKey(as: key) { return try reader.unboxed() }
            try reader.skip()
        }
        return .null
    }

    /// The value of a structure's member; nil where it is absent. O(members before it).
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible, and for any other value but nil.
    func member(named name: UnboxedValue) throws -> UnboxedValue {
        guard !isNull else { return .null }
        var reader = CompositeReader(RawSpan(_unsafeBytes: try collection))
        guard try reader.enterMember(name.text) else { return .null }
        return try reader.unboxed()
    }

    /// The value at the end of a path of member names; nil where something on the way is nil or absent.
    ///
    /// - Throws: `typeMismatch` where the path leads through a value without members, `damagedRecord` where the bytes
    ///   are impossible.
    package func member(at path: [String]) throws -> UnboxedValue {
        guard let first = path.first, !isNull else { return self }
        if kind == .pair {
            // Most paths end here: nothing is copied for them.
            let part = try first == PairMember.key ? key : keyedValue
            return path.count == 1 ? part : try part.member(at: Array(path.dropFirst()))
        }
        guard kind == .composite else { throw CompositeReader.withoutMembers }
        let bytes = RawSpan(_unsafeBytes: text)
        guard let range = try CompositeReader.find(path, in: bytes) else { return .null }
        return try CompositeReader.unboxed(bytes.extracting(unchecked: range))
    }
}

// MARK: Pairs

/// The names by which a pair of a dictionary has its key and its value: those of the tuple in Swift.
package enum PairMember {
    package static let key = "key"
    package static let value = "value"
}

extension UnboxedValue {
    /// The key of a pair.
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible.
    var key: UnboxedValue {
        get throws {
            var reader = CompositeReader(RawSpan(_unsafeBytes: text))
            return try reader.unboxed()
        }
    }

    /// What a dictionary has for the key of a pair.
    ///
    /// - Throws: `damagedRecord` where the bytes are impossible.
    var keyedValue: UnboxedValue {
        get throws {
            var reader = CompositeReader(RawSpan(_unsafeBytes: text))
            try reader.skip()
            return try reader.unboxed()
        }
    }
}

// MARK: Equality

extension UnboxedValue {
    /// Whether two composite values have the same parts, each equal to the other's as a closure compares single values,
    /// of which nil is one. Elements of arrays have an order; dictionaries and structures have none.
    ///
    /// O(bytes). Nothing is taken from the heap where names and keys come in one order, as those do that have equal bytes,
    /// or are few.
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
        if left.kind == .pair || right.kind == .pair {
            for name in [PairMember.key, PairMember.value] {
                let (left, right) = (try left.member(at: [name]), try right.member(at: [name]))
                guard try haveEqualParts(left, right, depth: depth, where: areEqual) else { return false }
            }
            return true
        }
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

    /// Whether it is the same key of a dictionary: numbers are by their value, whatever their types, and every NaN is.
    ///
    /// - Parameter depth: of composite values around both.
    /// - Throws: `damagedRecord` for a string that is not UTF-8, and where values are nested too deeply.
    package func isSameKey(as other: UnboxedValue, depth: Int = 0) throws -> Bool {
        if isNumber, other.isNumber { return isSameNumber(as: other) }
        guard kind == other.kind else { return false }
        switch kind {
        case .null: return true
        case .bool, .uuid: return halves == other.halves
        case .date: return floating == other.floating || floating.isNaN && other.floating.isNaN
        case .int, .uint, .float, .double, .decimal: return isSameNumber(as: other)
        case .string:
            if StringForms.compare(text, other.text) == 0 { return true }
            return try StringForms.compare(self, other, form: .exact) == 0
        case .url, .data: return StringForms.compare(text, other.text) == 0
        case .composite, .pair: return try Self.haveEqualParts(self, other, depth: depth) { try $0.isSameKey(as: $1) }
        }
    }

    private var isNumber: Bool {
        switch kind {
        case .int, .uint, .float, .double, .decimal: true
        default: false
        }
    }

    private func isSameNumber(as other: UnboxedValue) -> Bool {
        if kind == .decimal || other.kind == .decimal {
            return Self.decimalOrder(self, other).map { $0 == 0 } ?? (isNaN && other.isNaN)
        }
        switch (integer, other.integer) {
        case (let left?, let right?): return left == right
        case (let left?, nil): return Int128(exactly: other.floating) == left
        case (nil, let right?): return Int128(exactly: floating) == right
        case (nil, nil): return floating == other.floating || floating.isNaN && other.floating.isNaN
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
        var search = NameSearch(tag, count: count, start: second.offset, depth: depth)
        for _ in 0..<count {
            let name = try first.name(in: tag)
            guard try second.find(name, &search), try areEqual(first.unboxed(), second.unboxed()) else { return false }
        }
        return true
    }

    /// How far the names of a container were looked through for those of another one.
    private struct NameSearch {
        let container: CompositeTag
        let count: Int
        /// Where the first name is.
        let start: Int
        /// Of composite values around the names.
        let depth: Int
        /// The number of names from the reader's place on.
        var rest: Int
        /// How many names may be passed before the places of all are taken down: as long as this costs as much.
        var mayPass: Int
        /// The places of the values by their names, once these were taken down.
        var places: [Value: Int]?

        init(_ container: CompositeTag, count: Int, start: Int, depth: Int) {
            (self.container, self.count, self.start, self.depth) = (container, count, start, depth)
            (rest, mayPass) = (count, 2 * count + 64)
        }
    }

    /// A member's name or a dictionary's key.
    private mutating func name(in container: CompositeTag) throws -> UnboxedValue {
        guard container == .structure else { return try unboxed() }
        let range = try readLengthAndBytes()
        return bytes.extracting(unchecked: range).withUnsafeBytes { .text(.string, $0) }
    }

    /// Moves to the value of a name, from where the reader is, and from the start on behind the last one.
    private mutating func find(_ name: UnboxedValue, _ search: inout NameSearch) throws -> Bool {
        if search.mayPass <= 0 { return try findByPlace(name, &search) }
        for _ in 0..<search.count {
            if search.rest == 0 {
                move(to: search.start)
                search.rest = search.count
            }
            search.rest -= 1
            if try self.name(in: search.container).isSameKey(as: name, depth: search.depth) { return true }
            try skip()
            search.mayPass -= 1
        }
        return false
    }

    private mutating func findByPlace(_ name: UnboxedValue, _ search: inout NameSearch) throws -> Bool {
        if search.places == nil { search.places = try places(of: search) }
        guard let place = search.places?[try name.boxed().asKey] else { return false }
        move(to: place)
        return true
    }

    private mutating func places(of search: NameSearch) throws -> [Value: Int] {
        var places = [Value: Int](minimumCapacity: search.count)
        move(to: search.start)
        for _ in 0..<search.count {
            let name = try name(in: search.container).boxed().asKey
            places[name] = offset
            try skip()
        }
        return places
    }
}
