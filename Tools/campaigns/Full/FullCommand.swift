import ArgumentParser
import Foundation
import LMDB
import LoamStorage

/// Fills maps and disks of many sizes, and looks at the stores that are left.
struct FullCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "full", abstract: "Fill maps and disks of many sizes; the data stays, deletes still work.",
        discussion: """
            At each size a store is written until it takes no more. The failure must be a typed error, everything \
            acknowledged must be there, here and after opening again, and a check clean. On a full map everything can be \
            deleted, and saves work again. A full disk is a tmpfs, which only root can mount; it is made larger, and \
            saves work again.
            """)

    @Argument(help: "The folder for the stores.")
    var folder: String

    @Option(help: "KiB of the smallest map and disk.")
    var smallest = 128

    @Option(help: "KiB of the largest.")
    var largest = 2048

    @Option(help: "KiB between two sizes.")
    var step = 32

    @Option(help: "What the writes are derived from.")
    var seed: UInt64 = freshSeed()

    func validate() throws {
        guard smallest > 0, largest >= smallest, step > 0 else { throw ValidationError("Sizes must be above 0.") }
    }

    func run() throws {
        say("full: seed \(seed)")
        var tally = FullTally()
        for size in stride(from: smallest, through: largest, by: step) {
            tally.note("map of \(size) KiB") {
                try MapFilling(path: StoreFolder.prepare(folder, store: "map.loam"), bytes: size << 10, seed: seed)
                    .run()
            }
        }
        tally.sayResult(of: "maps")
        guard let disk = try SmallDisk(folder: folder) else {
            say("full: no disks were filled, for mounting a tmpfs is not allowed here")
            return try tally.fail()
        }
        defer { disk.unmount() }
        for size in stride(from: smallest, through: largest, by: step) {
            tally.note("disk of \(size) KiB") { try DiskFilling(disk: disk, bytes: size << 10, seed: seed).run() }
        }
        tally.sayResult(of: "disks")
        try tally.fail()
    }
}

/// Counts the results of filling.
struct FullTally {
    /// The result of filling one store.
    enum Result { case refusedAtOnce, filled(saves: Int, deletes: Int) }

    private var refused = 0
    private var filled = 0
    private var saves = 0
    private var deletes = 0
    private var faults: [String] = []

    mutating func note(_ name: String, _ body: () throws -> Result) {
        do {
            switch try body() {
            case .refusedAtOnce: refused += 1
            case .filled(let saves, let deletes):
                filled += 1
                self.saves += saves
                self.deletes += deletes
            }
        } catch {
            faults.append("\(name): \(error)")
            say("fault: \(name): \(error)")
        }
    }

    mutating func sayResult(of kind: String) {
        say(
            "full: \(filled) \(kind) filled with \(saves) saves, \(deletes) deletes after that, "
                + "\(refused) too small to begin with, \(faults.count) faults so far")
        (refused, filled, saves, deletes) = (0, 0, 0, 0)
    }

    func fail() throws {
        if !faults.isEmpty { throw ExitCode.failure }
    }
}
