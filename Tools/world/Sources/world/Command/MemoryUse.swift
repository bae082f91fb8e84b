import CHeap
import Foundation

/// What a process holds in memory, in MiB.
struct MemoryUse {
    /// What the heap has handed out. Nil where the C library does not tell.
    let heap: Int?
    /// What is resident, without the mapped pages of the store: with what the heap keeps for later.
    var resident: Int

    /// Measures the process that runs, as it is: the heap gives nothing back for it.
    static func measured() -> MemoryUse {
        var bytes = 0
        let isTold = heap_bytes_in_use(&bytes)
        return MemoryUse(heap: isTold ? bytes >> 20 : nil, resident: residentBytes() >> 20)
    }

    /// Whether the heap has grown by so many MiB at most since an earlier time, and what is resident by half of it.
    func isWithin(_ growth: Int, of earlier: MemoryUse) -> Bool {
        (heap ?? 0) - (earlier.heap ?? 0) <= growth && 2 * (resident - earlier.resident) <= growth
    }

    private static func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").map { Int($0) ?? 0 }
        guard pages.count > 2 else { return 0 }
        return (pages[1] - pages[2]) * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}

extension MemoryUse: CustomStringConvertible {
    var description: String {
        let inUse = heap.map { "\($0) MiB in use, " } ?? ""
        return "\(inUse)\(resident) MiB resident"
    }
}
