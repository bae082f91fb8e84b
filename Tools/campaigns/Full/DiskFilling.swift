import Foundation
import LMDB
import LoamStorage

/// A store on a disk that runs full.
struct DiskFilling {
    let disk: SmallDisk
    let bytes: Int
    let seed: UInt64

    func run() throws -> FullTally.Result {
        try disk.mount(bytes: bytes)
        defer { disk.unmount() }
        let path = disk.folder + "/disk.loam"
        var filling = Filling(seed: seed, reason: .diskFull)
        do {
            let store = try WorkDurability.durable.open(path)
            guard try filling.fill(store) else { return .refusedAtOnce }
            try filling.verify(store, "on the full disk")
        } catch let error where filling.isDue(error) && filling.saves == 0 {
            return .refusedAtOnce
        }
        do {
            let store = try WorkDurability.durable.open(path)
            try filling.verify(store, "opened again")
        }
        try disk.resize(bytes: bytes + 8 << 20)
        let store = try WorkDurability.durable.open(path)
        try filling.saveOne(store, "on the larger disk")
        let deletes = try filling.deleteAll(store)
        try filling.verify(store, "at the end")
        return .filled(saves: filling.saves, deletes: deletes)
    }
}

/// A disk in memory of a few KiB.
struct SmallDisk {
    let folder: String

    /// Nil where this user may not mount a disk.
    init?(folder: String) throws {
        self.folder = folder + "/disk"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        guard try Self.call("mount", "-t", "tmpfs", "-o", "size=64k", "campaign", self.folder) else { return nil }
        unmount()
    }

    func mount(bytes: Int) throws {
        guard try Self.call("mount", "-t", "tmpfs", "-o", "size=\(bytes)", "campaign", folder) else {
            throw CampaignError("mount failed")
        }
    }

    func resize(bytes: Int) throws {
        guard try Self.call("mount", "-o", "remount,size=\(bytes)", folder) else {
            throw CampaignError("remount failed")
        }
    }

    func unmount() { _ = try? Self.call("umount", folder) }

    private static func call(_ words: String...) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}
