extension Explanation: Codable {
    private enum Key: String, CodingKey {
        case version, level, root, total, advice
        /// What version 1, whose JSON has no number, has in place of the advice: the components alone.
        case advisedIndex
    }

    /// Reads an explanation of this version, of an earlier or a later one.
    ///
    /// - Throws: `DecodingError` where a member is missing or of another type, and for a level that is not known here.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        version = try values.decodeIfPresent(Int.self, forKey: .version) ?? 1
        level = try values.decode(Level.self, forKey: .level)
        root = try values.decode(Operator.self, forKey: .root)
        total = try values.decodeIfPresent(Actual.self, forKey: .total)
        advice = try values.decodeIfPresent([AdvisedIndex].self, forKey: .advice) ?? []
        if let components = try values.decodeIfPresent([String].self, forKey: .advisedIndex), advice.isEmpty {
            advice = [AdvisedIndex(entity: String(root.details.prefix { $0 != ":" }), components: components)]
        }
    }

    /// Writes the explanation.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(version, forKey: .version)
        try values.encode(level, forKey: .level)
        try values.encode(root, forKey: .root)
        try values.encodeIfPresent(total, forKey: .total)
        if !advice.isEmpty { try values.encode(advice, forKey: .advice) }
    }
}

extension Explanation.Actual {
    private enum Key: String, CodingKey {
        case rowsIn, rowsOut, ranges, blocks, entries, sums, records, sorted, pending, abandoned, nanoseconds
        case spilledRuns, spilledBytes
    }

    /// Reads what an operator did. Counts that another version does not tell are 0.
    ///
    /// - Throws: `DecodingError` where a member is of another type.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        func count(_ key: Key) throws -> Int { try values.decodeIfPresent(Int.self, forKey: key) ?? 0 }
        rowsIn = try values.decodeIfPresent(Int.self, forKey: .rowsIn)
        rowsOut = try values.decodeIfPresent(Int.self, forKey: .rowsOut)
        spilledRuns = try values.decodeIfPresent(Int.self, forKey: .spilledRuns)
        spilledBytes = try values.decodeIfPresent(Int.self, forKey: .spilledBytes)
        (ranges, blocks, entries) = (try count(.ranges), try count(.blocks), try count(.entries))
        (sums, records, sorted) = (try count(.sums), try count(.records), try count(.sorted))
        (pending, abandoned, nanoseconds) = (try count(.pending), try count(.abandoned), try count(.nanoseconds))
    }
}
