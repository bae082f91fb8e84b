import Foundation
import LoamStorage

/// A column of values that are fetched without their models: what is asked for, and how a stored value becomes one of
/// the property's type, as reading the property of the model does.
struct ResultColumn<Member> {
    /// The key path in the store; nil for the identifier.
    let path: String?
    private let make: (LoamStorage.Value, RowID) throws -> Member
    private let read: (UnboxedValue, RowID) throws -> Member
    /// Reads the values of many rows without a call for each; nil for types that need one.
    private var readAll: ((ColumnCells, inout [Member]) throws -> Void)?

    /// The column of an attribute, of a function of one, or of the identifier.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a key path that leads to none of them.
    init<T: PersistentModel>(_ keyPath: KeyPath<T, Member>, inStore storeID: String) throws {
        let model = ModelType.of(T.self)
        if model.isIdentifier(keyPath), Member.self == PersistentIdentifier.self {
            path = nil
            let origin = PersistentIdentifier.Origin(store: storeID, entity: model.entityName)
            make = { unsafeBitCast(PersistentIdentifier(origin, row: $1), to: Member.self) }
            read = { unsafeBitCast(PersistentIdentifier(origin, row: $1), to: Member.self) }
            return
        }
        guard let stored = model.storedPath(of: keyPath) else {
            if let function = model.functionPath(of: keyPath) {
                path = function
                let readers = Self.readers(ofFunctionIn: model)
                make = { value, _ in readers.boxed(value) }
                read = { value, _ in try readers.unboxed(value) }
                return
            }
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail: "\(keyPath) cannot be fetched as a value: it is no stored attribute of \(model.entityName). "
                    + "Relationships, and computed and transient properties cannot be: fetch the models.")
        }
        path = stored.path
        let readers = try Self.readers(of: stored)
        make = { value, _ in readers.boxed(value) }
        read = { value, _ in try readers.unboxed(value) }
        readAll = readers.all
    }

    /// The column of what an aggregate gives, or of a key of groups.
    ///
    /// - Parameters:
    ///   - stored: the property whose values they are; nil for numbers that were computed.
    ///   - path: the name of the column.
    init(_ stored: ModelType.StoredPath?, path: String) throws {
        self.path = path
        if let stored {
            let readers = try Self.readers(of: stored)
            make = { value, _ in readers.boxed(value) }
            read = { value, _ in try readers.unboxed(value) }
            return
        }
        guard let type = Member.self as? any ColumnValue.Type, let readers = Self.readers(type) else {
            throw SwiftDataError(.unsupportedKeyPath, detail: "No aggregate gives values of type \(Member.self).")
        }
        func required(_ result: Member?, _ value: LoamStorage.Value) throws -> Member {
            if let result { return result }
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail: "\(path) is a value of type \(value.scalarType?.description ?? "nil"), which \(Member.self) "
                    + "does not hold. A type that is stored as a number has the Sum and the Average of that number: Int "
                    + "or UInt, Double, Decimal.")
        }
        make = { value, _ in try required(readers.boxed(value), value) }
        read = { value, _ in try required(try readers.unboxed(value), value.boxed()) }
    }

    /// The column of the results of a function of an attribute: a key of groups, or the least or greatest of them.
    ///
    /// - Parameters:
    ///   - model: the class that has the function's key path.
    ///   - path: the name of the column.
    init(functionIn model: ModelType, path: String) {
        self.path = path
        let readers = Self.readers(ofFunctionIn: model)
        make = { value, _ in readers.boxed(value) }
        read = { value, _ in try readers.unboxed(value) }
    }

    /// The value of the property that a model with this stored value would have.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a computed number that the type does not hold.
    func value(of stored: LoamStorage.Value, row: RowID = 0) throws -> Member { try make(stored, row) }

    /// The same of a value that is read where it lies.
    ///
    /// - Throws: `StorageError` for a text that is damaged.
    func value(of stored: UnboxedValue, row: RowID) throws -> Member { try read(stored, row) }

    /// Appends the values that the property has in many rows, in their order.
    ///
    /// - Throws: `StorageError` for a text that is damaged.
    func append(_ cells: ColumnCells, to members: inout [Member]) throws {
        if let readAll { return try readAll(cells, &members) }
        for index in cells.rowIDs.indices { members.append(try read(cells[index], cells.rowIDs[index])) }
    }

    /// How a column's values are made: of stored values, and of those that are read where they lie.
    private struct Readers<Result> {
        let boxed: (LoamStorage.Value) -> Result
        let unboxed: (UnboxedValue) throws -> Result
        var all: ((ColumnCells, inout [Result]) throws -> Void)?
    }

    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for a part of a property, or a property of a model that may be
    ///   missing, that is an enum, a structure or a collection.
    private static func readers(of stored: ModelType.StoredPath) throws -> Readers<Member> {
        let (property, ordinal) = (stored.property, stored.ordinal)
        func fallback<T: PersistentModel>(_ model: T.Type) -> Member {
            CodableStorage.fallback(Member.self, model: model, ordinal: ordinal)
        }
        let model = stored.model.type
        if property.transformer == nil, let type = Member.self as? any ColumnValue.Type, let read = readers(type) {
            let append = appender(type)
            return Readers {
                read.boxed($0) ?? fallback(model)
            } unboxed: {
                try read.unboxed($0) ?? fallback(model)
            } all: { cells, members in
                try append?(cells, &members) { fallback(model) }
            }
        }
        guard stored.isWhole else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail:
                    "\(stored.path) cannot be fetched as a value of type \(Member.self): behind a relationship that "
                    + "may be nil, and in structures, only numbers, texts, dates and their like can be. Fetch the models."
            )
        }
        func value(_ stored: LoamStorage.Value) -> Member { property.value(of: stored) as? Member ?? fallback(model) }
        return Readers(boxed: value) { value(try $0.boxed()) }
    }

    private static func readers(ofFunctionIn model: ModelType) -> Readers<Member> {
        func value<T: PersistentModel>(_ result: LoamStorage.Value, in model: T.Type) -> Member {
            ScalarFunction<T, Member>.value(result)
                ?? CodableStorage.fallback(Member.self, model: model, ordinal: -1)
        }
        let type = model.type
        return Readers {
            value($0, in: type)
        } unboxed: {
            value(try $0.boxed(), in: type)
        }
    }

    /// The functions of a type that is `Member`; they are looked up once, so that a row costs no look-up of types.
    private static func readers<Scalar: ColumnValue>(_ type: Scalar.Type) -> Readers<Member?>? {
        let make: (LoamStorage.Value) -> Scalar? = Scalar.make
        let read: (UnboxedValue) throws -> Scalar? = Scalar.make
        guard let boxed = make as? (LoamStorage.Value) -> Member?,
            let unboxed = read as? (UnboxedValue) throws -> Member?
        else { return nil }
        return Readers(boxed: boxed, unboxed: unboxed)
    }

    private typealias Append = (ColumnCells, inout [Member], _ fallback: () -> Member) throws -> Void

    private static func appender<Scalar: ColumnValue>(_ type: Scalar.Type) -> Append? {
        let append: (ColumnCells, inout [Scalar], _ fallback: () -> Scalar) throws -> Void = {
            try Scalar.append($0, to: &$1, fallback: $2)
        }
        return append as? Append
    }
}

/// The values of a column in rows that were read together.
struct ColumnCells {
    let rowIDs: UnsafeBufferPointer<RowID>
    /// Of all columns, one row after another.
    let values: UnsafeBufferPointer<UnboxedValue>
    /// The number of the column, and of all columns. None has values where only row ids are asked for.
    let column: Int
    let columnCount: Int

    subscript(row: Int) -> UnboxedValue { columnCount == 0 ? .null : values[row * columnCount + column] }
}

/// A type whose values are made of stored ones without decoding.
private protocol ColumnValue {
    /// Gives nil where the stored value is none of the type.
    static func make(_ stored: LoamStorage.Value) -> Self?
    static func make(_ stored: UnboxedValue) throws -> Self?
    /// Appends the values of many rows; where one is none of the type, what the last argument gives.
    static func append(_ cells: ColumnCells, to members: inout [Self], fallback: () -> Self) throws
    /// The same for values that may be nil.
    static func append(_ cells: ColumnCells, to members: inout [Self?]) throws
}

// The loops are here and not in `ResultColumn`, so that each type has one without generic code in it.
extension ColumnValue {
    fileprivate static func append(_ cells: ColumnCells, to members: inout [Self], fallback: () -> Self) throws {
        for row in cells.rowIDs.indices { members.append(try make(cells[row]) ?? fallback()) }
    }

    fileprivate static func append(_ cells: ColumnCells, to members: inout [Self?]) throws {
        for row in cells.rowIDs.indices {
            let value = cells[row]
            members.append(value.isNull ? nil : try make(value))
        }
    }
}

extension ColumnValue where Self: CodableScalar {
    fileprivate static func make(_ stored: LoamStorage.Value) -> Self? { Self(exactly: stored) }
    fileprivate static func make(_ stored: UnboxedValue) throws -> Self? { Self(exactly: try stored.boxed()) }
}

extension ColumnValue where Self: SignedScalar {
    fileprivate static func make(_ stored: UnboxedValue) throws -> Self? {
        stored.kind == .int ? Self(exactly: stored.int) : Self(exactly: try stored.boxed())
    }
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
extension Decimal: ColumnValue {}
extension String: ColumnValue {}
extension UUID: ColumnValue {}
extension URL: ColumnValue {}
extension Data: ColumnValue {}

extension Double: ColumnValue {
    fileprivate static func make(_ stored: UnboxedValue) throws -> Double? {
        stored.kind == .double ? stored.floating : nil
    }
}

extension Date: ColumnValue {
    fileprivate static func make(_ stored: UnboxedValue) throws -> Date? {
        stored.kind == .date ? Date(timeIntervalSinceReferenceDate: stored.floating) : nil
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    fileprivate static func make(_ stored: LoamStorage.Value) -> Wrapped?? { .some(Wrapped.make(stored)) }

    fileprivate static func make(_ stored: UnboxedValue) throws -> Wrapped?? {
        .some(stored.isNull ? nil : try Wrapped.make(stored))
    }

    fileprivate static func append(
        _ cells: ColumnCells, to members: inout [Wrapped?], fallback: () -> Wrapped?
    ) throws {
        try Wrapped.append(cells, to: &members)
    }
}
