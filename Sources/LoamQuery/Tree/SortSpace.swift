/// The room that rows have while they are sorted: so much memory, and a folder for what exceeds it.
package struct SortSpace: Hashable, Sendable {
    /// The most bytes of keys, and of what is kept with them, in memory at a time. One row of each of two sorted runs is
    /// held however long it is. None where it is negative: each row is written.
    package var memory: Int
    /// Where the temporary file is made; nil for the temporary folder of the system, which `TMPDIR` in the environment
    /// names.
    package var folder: String?

    package init(memory: Int = 64 << 20, folder: String? = nil) { (self.memory, self.folder) = (memory, folder) }
}
