import Foundation
import LoamStorage

/// A column of values that are fetched without their models: what is asked for, and how a stored value becomes one of
/// the property's type, as reading the property of the model does.
struct ResultColumn<Member> {
    /// The key path in the store; nil for the identifier.
    let path: String?
    private let make: (LoamStorage.Value, RowID) -> Member

    /// The column of an attribute or of the identifier.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that leads to neither.
    init<T: PersistentModel>(_ keyPath: KeyPath<T, Member>, inStore storeID: String) throws {
        let model = ModelType.of(T.self)
        if model.isIdentifier(keyPath), Member.self == PersistentIdentifier.self {
            path = nil
            let origin = PersistentIdentifier.Origin(store: storeID, entity: model.entityName)
            make = { unsafeBitCast(PersistentIdentifier(origin, row: $1), to: Member.self) }
            return
        }
        guard let stored = model.storedPath(of: keyPath) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail: "\(keyPath) cannot be fetched as a value: it is no stored attribute of \(model.entityName). "
                    + "Relationships, members of structures, and computed and transient properties cannot be, and neither "
                    + "can what lies behind a relationship that may be nil: fetch the models.")
        }
        path = stored.path
        let read = Self.reader(of: stored)
        make = { value, _ in read(value) }
    }

    /// The column of what an aggregate gives, or of a key of groups.
    ///
    /// - Parameters:
    ///   - stored: the property whose values they are; nil for numbers that were computed.
    ///   - path: the name of the column.
    init(_ stored: ModelType.StoredPath?, path: String) throws {
        self.path = path
        if let stored {
            let read = Self.reader(of: stored)
            make = { value, _ in read(value) }
            return
        }
        guard let type = Member.self as? any ColumnValue.Type else {
            throw SwiftDataError(.unsupportedKeyPath, detail: "No aggregate gives values of type \(Member.self).")
        }
        let read = Self.reader(type)
        make = { value, _ in
            guard let result = read(value) else { preconditionFailure("\(path) gives no value of \(Member.self).") }
            return result
        }
    }

    /// The value of the property that a model with this stored value would have.
    func value(of stored: LoamStorage.Value, row: RowID = 0) -> Member { make(stored, row) }

    private static func reader(of stored: ModelType.StoredPath) -> (LoamStorage.Value) -> Member {
        let (property, ordinal) = (stored.property, stored.ordinal)
        func fallback<T: PersistentModel>(_ model: T.Type) -> Member {
            CodableStorage.fallback(Member.self, model: model, ordinal: ordinal)
        }
        let model = stored.model.type
        if property.transformer == nil, let type = Member.self as? any ColumnValue.Type {
            let read = reader(type)
            return { read($0) ?? fallback(model) }
        }
        return { property.value(of: $0) as? Member ?? fallback(model) }
    }

    private static func reader<Scalar: ColumnValue>(_ type: Scalar.Type) -> (LoamStorage.Value) -> Member? {
        // `Scalar` is `Member`, which the compiler does not know.
        { unsafeBitCast(Scalar.value(of: $0), to: Member?.self) }
    }
}

/// A type whose values are made of stored ones without decoding.
private protocol ColumnValue {
    /// Nil where the stored value is none of the type.
    static func value(of stored: LoamStorage.Value) -> Self?
}

extension ColumnValue where Self: CodableScalar {
    fileprivate static func value(of stored: LoamStorage.Value) -> Self? { Self(exactly: stored) }
}

extension Bool: ColumnValue {}
extension Int: ColumnValue {}
extension Int8: ColumnValue {}
extension Int16: ColumnValue {}
extension Int32: ColumnValue {}
extension Int64: ColumnValue {}
extension UInt: ColumnValue {}
extension UInt8: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt64: ColumnValue {}
extension Float: ColumnValue {}
extension Double: ColumnValue {}
extension Decimal: ColumnValue {}
extension String: ColumnValue {}
extension Date: ColumnValue {}
extension UUID: ColumnValue {}
extension URL: ColumnValue {}
extension Data: ColumnValue {}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    fileprivate static func value(of stored: LoamStorage.Value) -> Wrapped?? { .some(Wrapped.value(of: stored)) }
}
