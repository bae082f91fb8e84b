package import LoamStorage
import Synchronization

/// What names a model across contexts, processes and time.
///
/// A model that was inserted into a context has its identifier at once. A save changes it only where a unique value
/// of the model is stored already: the model then takes the identifier of the stored one. Identifiers are never given
/// out again, not even after the model is deleted. A model outside any context has an identifier of the process, with
/// a nil ``storeIdentifier``, which equals no stored one.
public struct PersistentIdentifier: Hashable, Identifiable, Comparable, Codable, Sendable {
    /// An opaque value that stands for the identifier.
    public struct ID: Hashable, Comparable, Codable, Sendable {
        package let origin: Origin
        package let row: UInt64

        var store: String? { origin.store }
        var entity: String { origin.entity }

        /// An order without meaning, the same everywhere.
        public static func < (left: ID, right: ID) -> Bool {
            (left.store ?? "", left.entity, left.row) < (right.store ?? "", right.entity, right.row)
        }

        /// Whether both name the same model.
        public static func == (left: ID, right: ID) -> Bool {
            left.row == right.row
                && (left.origin === right.origin || left.store == right.store && left.entity == right.entity)
        }

        /// Hashes the row's number, so that equal identifiers have equal hashes.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(row)
        }

        private enum CodingKeys: CodingKey { case store, entity, row }

        init(origin: Origin, row: UInt64) {
            self.origin = origin
            self.row = row
        }

        /// Reads an identifier that was encoded, by this process or another.
        ///
        /// - Throws: `DecodingError` where the members of an identifier are not there.
        public init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: CodingKeys.self)
            origin = Origin(
                store: try members.decodeIfPresent(String.self, forKey: .store),
                entity: try members.decode(String.self, forKey: .entity))
            row = try members.decode(UInt64.self, forKey: .row)
        }

        /// Writes the identifier so that other processes understand it.
        ///
        /// - Throws: what the encoder throws.
        public func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(store, forKey: .store)
            try members.encode(entity, forKey: .entity)
            try members.encode(row, forKey: .row)
        }
    }

    /// What identifiers of one entity of one store have in common: one object, so that an identifier is two words.
    package final class Origin: Sendable {
        let store: String?
        let entity: String

        init(store: String?, entity: String) {
            self.store = store
            self.entity = entity
        }
    }

    /// The identifier as an opaque value.
    public let id: ID

    /// The name of the model's entity.
    public var entityName: String { id.entity }

    /// The store that keeps the model; nil for one that was not inserted.
    public var storeIdentifier: String? { id.store }

    package var rowID: RowID { id.row }

    package init(_ origin: Origin, row: RowID) {
        id = ID(origin: origin, row: row)
    }

    /// The identifier of a row that is known from elsewhere, another program's log say.
    ///
    /// It names a model only where the store and the entity are the ones that it was told.
    ///
    /// - Parameters:
    ///   - storeIdentifier: the store's, as an identifier of one of its models has it.
    ///   - entityName: the name of the model's entity.
    ///   - primaryKey: the row's number, or text that says it, as `loam dump` writes it under `row`.
    /// - Throws: ``SwiftDataError/unknownSchema`` where the key is no number that a row can have.
    public static func identifier<T>(
        for storeIdentifier: String, entityName: String, primaryKey: T
    ) throws -> PersistentIdentifier where T: Comparable & CustomStringConvertible & Codable & Hashable {
        guard let row = UInt64(primaryKey.description), row > 0 else {
            throw SwiftDataError(
                .unknownSchema, detail: "A row's key is a whole number above 0, and '\(primaryKey)' is none.")
        }
        return PersistentIdentifier(Origin(store: storeIdentifier, entity: entityName), row: row)
    }

    /// An order without meaning, the same everywhere.
    public static func < (left: PersistentIdentifier, right: PersistentIdentifier) -> Bool { left.id < right.id }

    /// Reads an identifier that was encoded, by this process or another.
    ///
    /// - Throws: `DecodingError` where the members of an identifier are not there.
    public init(from decoder: any Decoder) throws {
        id = try ID(from: decoder)
    }

    /// Writes the identifier so that other processes understand it.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        try id.encode(to: encoder)
    }
}

/// Numbers for models outside any context.
enum ProcessIdentifiers {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.add(1, ordering: .relaxed).newValue }
}
