/// How a store is opened.
package struct StoreOptions: Sendable {
    package enum Durability: Sendable, Hashable {
        /// A save returns when it is on the disk (LMDB's default).
        case durable
        /// A save may be lost with the last ones when the power fails; the file never is.
        case recent
        /// A power cut may damage the file. For a new file that its maker throws away when something fails.
        case unsynced
    }

    package var isReadOnly = false
    /// Whether a file that does not exist is made; otherwise opening it fails.
    package var createsFile = true
    package var durability = Durability.durable
    /// Whether the store is a private file, unlinked after opening: gone when the store is closed or the process
    /// ends. It is never synced.
    package var isInMemory = false
    /// How long history is kept, in seconds, and how many bytes of it; with 0 bytes none is written, as in memory where
    /// nothing else was said.
    package var historySeconds: Double = 7 * 24 * 3600
    package var historyBytes: Int {
        get { chosenHistoryBytes ?? (isInMemory ? 0 : 64 << 20) }
        set { chosenHistoryBytes = newValue }
    }
    private var chosenHistoryBytes: Int?
    /// The most bytes that the map, and with it the file, may grow to; nil for as many as can be mapped. The map
    /// starts at 16 GiB where the address space allows it.
    package var maximumMapSize: Int?
    package var mapSize: Int?

    package init() {}
}
