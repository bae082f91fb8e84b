import LoamStorage

/// Stored values that a type may not have: those of a newer version of it.
extension CodableStorage {
    /// The value that was stored; nil where the type does not decode it.
    ///
    /// - Throws: `StorageError` where the stored bytes are damaged.
    static func readIfDecodable<T: Codable>(_ type: T.Type, stored: Value) throws -> T? {
        do {
            return try read(type, stored: stored)
        } catch let error as StorageError {
            throw error
        } catch {
            return nil
        }
    }

    /// What the `init(from:)` of an enum makes of a raw value that none of its cases has; nil where it throws, as the
    /// one does that Swift writes.
    static func decodedCase<T: RawRepresentable & Decodable>(_ type: T.Type, raw: T.RawValue) -> T?
    where T.RawValue: Encodable {
        guard let stored = try? ValueEncoder.encode(raw) else { return nil }
        return try? ValueDecoder.decode(type, from: stored)
    }

    /// What a property of a type reads of a stored value that is not nil; nil where the type has no such value.
    static func propertyValue(_ type: any Any.Type, of stored: Value) -> Any? {
        if let wrapped = (type as? any OptionalType.Type)?.wrappedType { return propertyValue(wrapped, of: stored) }
        if let raw = type as? any (RawRepresentable & Codable).Type, storesRawValue(raw) {
            return rawCase(raw, of: stored)
        }
        guard let codable = type as? any Codable.Type else { return nil }
        func open<T: Codable>(_ type: T.Type) -> Any? { try? read(type, stored: stored) }
        return open(codable)
    }

    private static func storesRawValue<T: RawRepresentable>(_ type: T.Type) -> Bool {
        T.RawValue.self is any _Attribute.Type
    }

    private static func rawCase<T: RawRepresentable & Decodable>(_ type: T.Type, of stored: Value) -> Any? {
        func open<R: _Attribute>(_ rawType: R.Type) -> T? {
            guard let raw = try? ValueDecoder.decode(rawType, from: stored) as? T.RawValue else { return nil }
            return T(rawValue: raw)
        }
        let known = (T.RawValue.self as? any _Attribute.Type).flatMap { open($0) }
        return known ?? (try? ValueDecoder.decode(type, from: stored))
    }
}
