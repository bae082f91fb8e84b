import CLMDB

/// Cursors of a slot's read transactions that nobody uses: whoever asks for one of the same database is given it again,
/// which takes nothing from the heap.
///
/// It lies in a slot of the ``Gate`` and keeps its cursors from one read to the next: LMDB's cursors for reading
/// outlive their transaction and are bound to another one by `mdb_cursor_renew`. One that is used is not on the shelf,
/// so a scan within a scan has one of its own.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | all | the slot | whoever has the read that is in it | the slot's transaction is freed |
package struct CursorShelf {
    private static var room: Int { 8 }

    private let cursors: UnsafeMutablePointer<(database: UInt32, pointer: OpaquePointer)>
    private var count = 0

    private init() { cursors = .allocate(capacity: Self.room) }

    /// A shelf in memory of its own.
    static func make() -> UnsafeMutablePointer<CursorShelf> {
        let shelf = UnsafeMutablePointer<CursorShelf>.allocate(capacity: 1)
        shelf.initialize(to: CursorShelf())
        return shelf
    }

    /// Closes the cursors and gives the memory back.
    static func free(_ shelf: UnsafeMutablePointer<CursorShelf>) {
        shelf.pointee.removeAll()
        shelf.pointee.cursors.deallocate()
        shelf.deinitialize(count: 1)
        shelf.deallocate()
    }

    /// Takes a cursor of a database off the shelf. It has to be renewed.
    mutating func take(_ database: UInt32) -> OpaquePointer? {
        var number = count - 1
        while number >= 0, cursors[number].database != database { number -= 1 }
        guard number >= 0 else { return nil }
        let found = cursors[number].pointer
        count -= 1
        cursors[number] = cursors[count]
        return found
    }

    /// Puts a cursor on the shelf; one that finds no room is closed.
    mutating func put(_ cursor: OpaquePointer, of database: UInt32) {
        guard count < Self.room else { return mdb_cursor_close(cursor) }
        cursors[count] = (database, cursor)
        count += 1
    }

    /// Closes all cursors.
    mutating func removeAll() {
        while count > 0 {
            count -= 1
            mdb_cursor_close(cursors[count].pointer)
        }
    }
}
