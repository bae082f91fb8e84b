import LoamStorage

/// A structure that is being encoded.
struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let target: EncodedValue

    var codingPath: [any CodingKey] { target.codingPath }

    private func set(_ value: Value, key: Key) { target.set(.value(value), named: key.stringValue) }

    mutating func encodeNil(forKey key: Key) throws { set(.null, key: key) }
    mutating func encode(_ value: Bool, forKey key: Key) throws { set(.bool(value), key: key) }
    mutating func encode(_ value: String, forKey key: Key) throws { set(.string(value), key: key) }
    mutating func encode(_ value: Double, forKey key: Key) throws { set(.double(value), key: key) }
    mutating func encode(_ value: Float, forKey key: Key) throws { set(.float(value), key: key) }
    mutating func encode(_ value: Int, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: Int8, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: Int16, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: Int32, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: Int64, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: UInt, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: UInt8, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: UInt16, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: UInt32, forKey key: Key) throws { set(value.storedValue, key: key) }
    mutating func encode(_ value: UInt64, forKey key: Key) throws { set(value.storedValue, key: key) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
        set(try target.encode(value, at: .member(key, of: target.path)), key: key)
    }

    private func child(_ key: any CodingKey) -> EncodedValue {
        let child = target.child(.member(key, of: target.path))
        target.set(.unfinished(child), named: key.stringValue)
        return child
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        child(key).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        child(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { child(PlainKey.superclass) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { child(key) }
}

/// An array that is being encoded.
struct EncodedElements: UnkeyedEncodingContainer {
    let target: EncodedValue

    var codingPath: [any CodingKey] { target.codingPath }
    var count: Int { target.elements.count }

    mutating func encodeNil() throws { target.append(.value(.null)) }

    mutating func encode<T: Encodable>(_ value: T) throws {
        target.append(.value(try target.encode(value, at: .element(count, of: target.path))))
    }

    private func child() -> EncodedValue {
        let child = target.child(.element(count, of: target.path))
        target.append(.unfinished(child))
        return child
    }

    mutating func nestedContainer<NestedKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        child().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { child().unkeyedContainer() }
    mutating func superEncoder() -> any Encoder { child() }
}

/// A value that another type encodes in its place, such as the raw value of an enum.
struct EncodedSingle: SingleValueEncodingContainer {
    let target: EncodedValue

    var codingPath: [any CodingKey] { target.codingPath }

    mutating func encodeNil() throws { target.set(.null) }
    mutating func encode<T: Encodable>(_ value: T) throws { target.set(try target.encodeInPlace(value)) }
}
