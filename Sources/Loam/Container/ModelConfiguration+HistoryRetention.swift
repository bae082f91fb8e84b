public import Foundation
import LoamStorage

extension ModelConfiguration {
    /// How much of a store's history is kept: saves go, the oldest first, when they are too old or all too large.
    ///
    /// The store is looked at with every 64th save, or with a long one, so that a little more than this may be there.
    public struct HistoryRetention: Hashable, Sendable {
        /// How long a save is kept, in seconds, by the clock of the machine that saved.
        public var age: TimeInterval
        /// How many bytes are kept; with 0 or less none.
        public var byteCount: Int

        /// Keeps what is of the last 7 days, and 64 MiB of it at most, unless told otherwise.
        public init(age: TimeInterval = 7 * 24 * 3_600, byteCount: Int = 64 << 20) {
            (self.age, self.byteCount) = (age, byteCount)
        }
    }

    /// The options of a store that keeps so much history.
    func storeOptions() -> StoreOptions {
        var options = StoreOptions()
        options.isInMemory = isStoredInMemoryOnly
        options.historySeconds = historyRetention?.age ?? 0
        options.historyBytes = max(0, historyRetention?.byteCount ?? 0)
        return options
    }
}
