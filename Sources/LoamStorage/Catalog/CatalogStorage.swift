import Foundation
import LMDB

/// Reads and writes the catalog's two values: the document and the generation that tells whether it changed.
enum CatalogStorage {
    /// The generation in this transaction; nil where there is no catalog. About the cost of one look-up.
    static func generation(
        _ transaction: borrowing some Transaction & ~Copyable, in database: Database
    ) throws -> UInt64? {
        let key = Keyspace.catalogGeneration
        guard let value = try transaction.value(for: key.span.bytes, in: database) else {
            return nil
        }
        guard value.byteCount == 8 else { throw StorageError(.damagedCatalog("its generation has a wrong size")) }
        return value.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    static func document(
        _ transaction: borrowing some Transaction & ~Copyable, in database: Database
    ) throws -> CatalogDocument {
        let key = Keyspace.catalogDocument
        guard let value = try transaction.value(for: key.span.bytes, in: database) else {
            throw StorageError(.damagedCatalog("its document is missing"))
        }
        return try CatalogDocument.decode(value.withUnsafeBytes { Data($0) })
    }

    static func write(
        _ document: CatalogDocument, generation: UInt64, _ transaction: inout WriteTransaction, in database: Database
    ) throws {
        let json = Array(try document.encoded())
        let (documentKey, generationKey) = (Keyspace.catalogDocument, Keyspace.catalogGeneration)
        try transaction.put(json.span.bytes, for: documentKey.span.bytes, in: database)
        let bytes = withUnsafeBytes(of: generation.littleEndian) { Array($0) }
        try transaction.put(bytes.span.bytes, for: generationKey.span.bytes, in: database)
    }

    /// Changes the document in a write transaction: the next generation, with databases for what is new.
    static func change<R>(
        _ transaction: inout WriteTransaction, _ state: WriterState,
        _ body: (inout CatalogDocument) throws -> R
    ) throws -> R {
        var document = state.catalog.document
        let result = try body(&document)
        try document.validate()
        state.hasWritten = true
        let generation = state.catalog.generation + 1
        try write(document, generation: generation, &transaction, in: state.databases.catalog)
        state.catalog = try catalog(document, generation: generation, &transaction)
        return result
    }

    /// The catalog of a document inside a write transaction, whose databases are created where they are missing.
    static func catalog(
        _ document: CatalogDocument, generation: UInt64, _ transaction: inout WriteTransaction
    ) throws -> Catalog {
        var databases: [String: Database] = [:]
        for entity in document.schema.entities + document.loads.map(\.entity) {
            let records = Keyspace.records(of: entity.id)
            databases[records] = try transaction.openDatabase(named: records, integerKeys: true)
            let longValues = Keyspace.longValues(of: entity.id)
            databases[longValues] = try transaction.openDatabase(named: longValues, integerKeys: false)
        }
        return try Catalog(document: document, generation: generation) { name, _ in databases[name] }
    }
}
