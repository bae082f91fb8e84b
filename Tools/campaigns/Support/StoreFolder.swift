import Foundation

/// The folder that a campaign works in.
enum StoreFolder {
    /// Makes the folder and clears what an earlier campaign has left there. Returns the path of the store.
    static func prepare(_ folder: String, store: String = "campaign.loam") throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = URL(fileURLWithPath: folder).appendingPathComponent(store).path
        for leftover in [path, path + "-lock"] where FileManager.default.fileExists(atPath: leftover) {
            try FileManager.default.removeItem(atPath: leftover)
        }
        return path
    }
}
