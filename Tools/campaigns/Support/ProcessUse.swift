import CHeap
import Foundation

/// The process's use of the system, as Linux tells it.
enum ProcessUse {
    static func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// The memory of the process in bytes.
    static func memory() throws -> Int { try pages().resident * Int(sysconf(Int32(_SC_PAGESIZE))) }

    /// The memory of the process in bytes that is no file's: without the pages of a store that are mapped.
    static func ownMemory() throws -> Int {
        let pages = try pages()
        return (pages.resident - pages.shared) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// The bytes of the heap that are in use: without what the allocator keeps for later, or has not given back.
    static func heapInUse() throws -> Int {
        var bytes = 0
        guard heap_bytes_in_use(&bytes) else {
            throw CampaignError("the C library does not say what is in use of the heap")
        }
        return bytes
    }

    /// The pages in memory, and those of them that are a file's or shared.
    private static func pages() throws -> (resident: Int, shared: Int) {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        guard words.count > 2, let resident = Int(words[1]), let shared = Int(words[2]) else {
            throw CampaignError("/proc/self/statm says nothing")
        }
        return (resident, shared)
    }
}
