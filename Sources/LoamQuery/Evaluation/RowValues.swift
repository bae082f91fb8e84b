package import LoamStorage

/// A row whose values can be asked for by key path: a record, an entry of an index, or plain values.
///
/// The typed accessors give nil for nil. They have slow forms for every row; a record overrides them.
package protocol RowValues: ~Escapable {
    var rowID: RowID { get }
    func value(of path: PropertyPath) throws -> Value
    /// For signed integers of any width.
    func signed(_ path: PropertyPath) throws -> Int64?
    /// For unsigned integers of any width.
    func unsigned(_ path: PropertyPath) throws -> UInt64?
    /// For doubles, floats (widened) and dates (in seconds).
    func floating(_ path: PropertyPath) throws -> Double?
    func isNull(_ path: PropertyPath) throws -> Bool
    /// Tests a string; false for nil.
    func text(_ path: PropertyPath, matches matcher: TextMatcher) throws -> Bool
}

extension RowValues where Self: ~Escapable {
    package func signed(_ path: PropertyPath) throws -> Int64? {
        try value(of: path).signed
    }

    package func unsigned(_ path: PropertyPath) throws -> UInt64? {
        try value(of: path).unsigned
    }

    package func floating(_ path: PropertyPath) throws -> Double? {
        try value(of: path).floating
    }

    package func isNull(_ path: PropertyPath) throws -> Bool {
        try value(of: path).isNull
    }

    package func text(_ path: PropertyPath, matches matcher: TextMatcher) throws -> Bool {
        guard case .string(let text) = try value(of: path) else { return false }
        return matcher.matches(text)
    }
}

/// A row as the values of all properties, in the entity's order.
package struct PlainRow: RowValues {
    package let rowID: RowID
    package let values: [Value]

    package init(rowID: RowID, values: [Value]) {
        self.rowID = rowID
        self.values = values
    }

    package func value(of path: PropertyPath) -> Value {
        path.value(in: values)
    }
}
