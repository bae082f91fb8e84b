import Foundation
import Loam

/// The model that the observers show.
@Model final class Measurement {
    #Index<Measurement>([\.value], [\.station, \.value])
    var id: Int
    var name: String
    var station: String?
    var value: Int

    init(id: Int, name: String, station: String?, value: Int) {
        (self.id, self.name, self.station, self.value) = (id, name, station, value)
    }
}

/// The process's use of the system, as Linux tells it.
enum ProcessUse {
    static func threads() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    }

    /// The memory of the process in bytes.
    static func memory() throws -> Int {
        let words = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        guard words.count > 1, let pages = Int(words[1]) else { throw CampaignError("/proc/self/statm says nothing") }
        return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    }
}
