import LoamStorage

// Optionals and the standard library's collections, seen through protocols where only a metatype is at hand.

/// Dictionaries are encoded as pairs of any key type, not through their own `Codable`, which knows two kinds of keys.
protocol EncodableDictionary {
    func encodePairs(_ body: (any Encodable, any Encodable) throws -> Void) throws
}

extension Dictionary: EncodableDictionary where Key: Encodable, Value: Encodable {
    func encodePairs(_ body: (any Encodable, any Encodable) throws -> Void) throws {
        for (key, value) in self { try body(key, value) }
    }
}

protocol DecodableDictionary: Decodable {
    /// Makes a dictionary of stored pairs. Throws what decoding throws, and where two keys become one.
    static func decode(_ pairs: [LoamStorage.Value: LoamStorage.Value], decoder: DecodedValue) throws -> Self
    /// Probes the types of keys and values.
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: Self)
}

extension Dictionary: DecodableDictionary where Key: Decodable, Value: Decodable {
    static func decode(
        _ pairs: [LoamStorage.Value: LoamStorage.Value], decoder: DecodedValue
    ) throws -> [Key: Value] {
        var result = [Key: Value](minimumCapacity: pairs.count)
        for (storedKey, storedValue) in pairs {
            let key = try decoder.element(storedKey, at: result.count).decode(Key.self)
            let value = try decoder.element(storedValue, at: result.count).decode(Value.self)
            guard result.updateValue(value, forKey: key) == nil else {
                throw decoder.corrupted("two keys of the stored dictionary are one key of \(Self.self)")
            }
        }
        return result
    }

    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: [Key: Value]) {
        let key = try probe.probe(Key.self)
        let value = try probe.probe(Value.self)
        guard !key.shape.isOptional else { throw NotProbeable("keys of a dictionary are optional") }
        let type = ValueType.dictionary(
            key: key.shape.type, value: value.shape.type, optional: value.shape.isOptional)
        return (ProbedShape(type), [key.value: value.value])
    }
}

/// Collections that are kept as arrays.
protocol ArrayLike: Decodable {
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: Self)
}

extension ArrayLike where Self: Sequence, Element: Decodable {
    /// Probes the element's type; the value has one element.
    static func probeElements(
        _ probe: TypeProbe, _ make: ([Element]) -> Self
    ) throws -> (shape: ProbedShape, value: Self) {
        let element = try probe.probe(Element.self)
        let type = ValueType.array(of: element.shape.type, optional: element.shape.isOptional)
        return (ProbedShape(type), make([element.value]))
    }
}

extension Array: ArrayLike where Element: Decodable {
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: [Element]) {
        try probeElements(probe) { $0 }
    }
}

extension ContiguousArray: ArrayLike where Element: Decodable {
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: ContiguousArray<Element>) {
        try probeElements(probe) { ContiguousArray($0) }
    }
}

extension Set: ArrayLike where Element: Decodable {
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: Set<Element>) {
        try probeElements(probe) { Set($0) }
    }
}

protocol DecodableOptional: Decodable {
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: Self)
}

extension Optional: DecodableOptional where Wrapped: Decodable {
    static func probe(_ probe: TypeProbe) throws -> (shape: ProbedShape, value: Wrapped?) {
        let wrapped = try probe.probe(Wrapped.self)
        return (ProbedShape(wrapped.shape.type, isOptional: true), wrapped.value)
    }
}
