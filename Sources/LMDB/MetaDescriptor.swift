import CLMDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The descriptor by which LMDB writes the meta pages of durable commits. It opens the data file for that once more, by
/// its path and for writing alone, a moment after the first time, and tells of the first descriptor only (0.9.19 to 1.0).
/// Where the file was moved in between, that is another file, whose meta pages would be overwritten.
enum MetaDescriptor {
    /// Whether a new environment writes the meta pages of this file, which nobody else in the process opens meanwhile; true
    /// where it is open read-only.
    ///
    /// A few system calls, since the descriptors are mostly neighbours; else a look at all of the process.
    ///
    /// - Parameter isInPlace: whether the path leads to the file: what is asked where the system does not list descriptors.
    static func leads(
        to file: FileIdentity, in environment: OpaquePointer, orElse isInPlace: @autoclosure () -> Bool
    ) -> Bool {
        var flags: UInt32 = 0
        var told: Int32 = -1
        guard mdb_env_get_flags(environment, &flags) == MDB_SUCCESS,
            mdb_env_get_fd(environment, &told) == MDB_SUCCESS
        else { return false }
        if flags & UInt32(MDB_RDONLY) != 0 { return true }
        for near in (told + 1)...(told + 4) where writes(near, to: file) { return true }
        guard let all = opendir("/proc/self/fd") else { return isInPlace() }
        defer { closedir(all) }
        while let entry = readdir(all) {
            let number = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    Int32(String(cString: $0))
                }
            }
            if let number, writes(number, to: file) { return true }
        }
        return false
    }

    /// Whether a descriptor is open for writing alone, and of the file.
    private static func writes(_ descriptor: Int32, to file: FileIdentity) -> Bool {
        let flags = fcntl(descriptor, F_GETFL)
        var status = stat()
        return flags >= 0 && flags & O_ACCMODE == O_WRONLY && fstat(descriptor, &status) == 0
            && FileIdentity(status) == file
    }
}
