import Foundation
import LMDB

/// Reads and writes the catalog's two values: the document and the generation that tells whether it changed.
enum CatalogStorage {
    /// The generation in this transaction; nil where there is no catalog. About the cost of one look-up.
    static func generation(
        in transaction: borrowing some Transaction & ~Copyable, from database: Database
    ) throws -> UInt64? {
        let key = Keyspace.catalogGeneration
        guard let value = try transaction.value(for: key.span.bytes, in: database) else {
            return nil
        }
        guard value.byteCount == 8 else { throw StorageError(.damagedCatalog("its generation has a wrong size")) }
        return value.littleEndian(at: 0)
    }

    /// The document, its checksum verified; another format is recognised first.
    static func document(
        in transaction: borrowing some Transaction & ~Copyable, from database: Database
    ) throws -> CatalogDocument {
        let (key, checksumKey) = (Keyspace.catalogDocument, Keyspace.catalogChecksum)
        guard let value = try transaction.value(for: key.span.bytes, in: database),
            let generation = try generation(in: transaction, from: database)
        else {
            throw StorageError(.damagedCatalog("its document is missing"))
        }
        let json = value.withUnsafeBytes { Data($0) }
        let document = try CatalogDocument.decode(json)
        let expected = checksum(of: json, generation: generation)
        guard let stored = try transaction.value(for: checksumKey.span.bytes, in: database),
            stored.withUnsafeBytes({ $0.elementsEqual(expected) })
        else {
            throw StorageError(.damagedCatalog("its checksum is wrong"))
        }
        return document
    }

    static func write(
        _ document: CatalogDocument, generation: UInt64, in transaction: inout WriteTransaction, to database: Database
    ) throws {
        let json = try document.encoded()
        let bytes = [UInt8](littleEndian: generation)
        let entries = [
            (Keyspace.catalogDocument, Array(json)), (Keyspace.catalogGeneration, bytes),
            (Keyspace.catalogChecksum, checksum(of: json, generation: generation)),
        ]
        for (key, value) in entries { try transaction.put(value.span.bytes, for: key.span.bytes, in: database) }
    }

    private static func checksum(of json: Data, generation: UInt64) -> [UInt8] {
        let checksum = json.withUnsafeBytes { Checksum.hash64($0, seed: generation) }
        return [UInt8](littleEndian: checksum)
    }

    /// Changes the document in a write transaction: the next generation, with databases for what is new.
    static func change<R>(
        in transaction: inout WriteTransaction, state: WriterState,
        _ body: (inout CatalogDocument) throws -> R
    ) throws -> R {
        var document = state.catalog.document
        let result = try body(&document)
        try document.validate()
        state.hasWritten = true
        let generation = state.catalog.generation + 1
        try write(document, generation: generation, in: &transaction, to: state.databases.catalog)
        state.catalog = try catalog(document, generation: generation, in: &transaction)
        return result
    }

    /// The catalog of a document inside a write transaction, which makes databases of records where they are missing.
    static func catalog(
        _ document: CatalogDocument, generation: UInt64, in transaction: inout WriteTransaction
    ) throws -> Catalog {
        var databases: [String: Database] = [:]
        for name in document.recordDatabases {
            databases[name] = try transaction.openDatabase(named: name, integerKeys: true)
        }
        return try Catalog(document: document, generation: generation) { databases[$0] }
    }
}
