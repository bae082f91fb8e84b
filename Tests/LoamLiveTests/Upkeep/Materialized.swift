import LoamQuery
import LoamStorage

@testable import LoamLive

extension ResultUpkeep {
    /// A result that holds its rows.
    init(_ query: Query, in snapshot: Snapshot) throws {
        try self.init(
            query, ResultOutline(query, in: snapshot), in: snapshot, lease: nil, leases: LiveLeases(), owner: 0)
    }
}
