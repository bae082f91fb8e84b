import LMDB

extension Transaction where Self: ~Copyable {
    /// A copy of a value under an integer key; nil where there is none.
    func copy(of key: UInt64, in database: Database) throws -> [UInt8]? {
        try value(for: key, in: database)?.withUnsafeBytes { Array($0) }
    }
}
