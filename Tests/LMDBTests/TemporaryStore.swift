import Foundation
import LMDB

/// A directory of its own for the files of one test, removed with the value.
final class TemporaryStore {
    let directory: String
    var path: String { directory + "/store" }

    init() throws {
        let name = FileManager.default.temporaryDirectory.appending(path: "LMDBTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: name, withIntermediateDirectories: true)
        directory = name.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Opens the store with a small map, unsynced: no test here cuts the power.
    func open(_ change: (inout Environment.Options) -> Void = { _ in }) throws -> Environment {
        var options = Environment.Options()
        options.mapSize = 64 << 20
        options.durability = .unsynced
        change(&options)
        return try Environment.open(path: path, options: options)
    }
}

extension WriteTransaction {
    mutating func put(_ value: String, for key: String, in database: Database) throws {
        try put(Array(value.utf8).span.bytes, for: Array(key.utf8).span.bytes, in: database)
    }

    mutating func put(_ value: String, for key: UInt64, in database: Database) throws {
        try put(Array(value.utf8).span.bytes, for: key, in: database)
    }
}

extension Transaction where Self: ~Copyable {
    func text(for key: String, in database: Database) throws -> String? {
        let bytes = Array(key.utf8)
        guard let value = try value(for: bytes.span.bytes, in: database) else { return nil }
        return string(value)
    }

    func text(for key: UInt64, in database: Database) throws -> String? {
        guard let value = try value(for: key, in: database) else { return nil }
        return string(value)
    }
}

func string(_ bytes: RawSpan) -> String {
    bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// The kind of error that a body throws; nil when it throws none.
func kind(_ body: () throws -> Void) throws -> LMDBError.Kind? {
    do {
        try body()
        return nil
    } catch let error as LMDBError {
        return error.kind
    }
}

extension Environment {
    /// Makes a database of integer keys.
    func makeRows(_ name: String = "rows") throws -> Database {
        try write { try $0.openDatabase(named: name, integerKeys: true) }
    }

    /// Stores values of so many bytes under a range of keys, in one transaction.
    func fill(_ database: Database, _ keys: Range<UInt64>, bytes: Int = 1000) throws {
        try write { transaction in
            let value = [UInt8](repeating: 1, count: bytes)
            for key in keys { try transaction.put(value.span.bytes, for: key, in: database) }
        }
    }

    /// The number of entries of a database.
    func count(_ database: Database) throws -> Int {
        try read { try $0.statistics(of: database).entries }
    }
}
