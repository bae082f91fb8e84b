import Foundation
import Loam
import Synchronization

/// The workload's row as a model, with the same four indexes.
@Model
final class Earthquake {
    #Index<Earthquake>([\.time], [\.day, \.time], [\.magnitude])

    @Attribute(.unique) var code: String
    var place: String
    var magnitude: Double
    var time: Date
    var day: String
    var felt: Int?
    var tsunami: Bool

    init(_ quake: Quake) {
        code = quake.code
        place = quake.place
        magnitude = quake.magnitude
        time = quake.time
        day = quake.day
        felt = quake.felt
        tsunami = quake.tsunami
    }

    /// The digest that the same row has on other sides without its id, which models lack.
    var digest: UInt64 {
        Quake.digest(
            id: 0, code: code, place: place, magnitude: magnitude, time: time, day: day, felt: felt, tsunami: tsunami)
    }
}

/// This library, as a program uses it: models in a container, a new context for each piece of work. Saves are durable.
final class LoamSide {
    let path: String
    private var opened: ModelContainer?
    private var known: (identifiers: [PersistentIdentifier], ids: [PersistentIdentifier: UInt64])?

    init(folder: String) {
        path = folder + "/quakes.loam"
    }

    var container: ModelContainer {
        get throws {
            if let opened { return opened }
            let configuration = ModelConfiguration(url: URL(fileURLWithPath: path))
            let container = try ModelContainer(for: Earthquake.self, configurations: configuration)
            opened = container
            return container
        }
    }

    /// A new context. Nothing is saved but by its `save()`.
    func makeContext() throws -> ModelContext {
        let context = ModelContext(try container)
        context.autosaveEnabled = false
        return context
    }

    func close() { opened = nil }

    /// Makes an empty file in the place of the old one.
    func makeEmptyStore() throws {
        close()
        known = nil
        try removeFiles(path, path + "-lock")
        _ = try container
    }

    /// Inserts all rows through one context.
    func insert(_ rows: [Quake]) throws {
        let context = try makeContext()
        for quake in rows { context.insert(Earthquake(quake)) }
        try context.save()
    }

    /// Inserts each list from a thread of its own, all at once, each row with a commit.
    func insertConcurrently(_ lists: [[Quake]]) throws {
        let container = try container
        let failure = Mutex<(any Error)?>(nil)
        let done = DispatchGroup()
        for list in lists {
            done.enter()
            Thread {
                defer { done.leave() }
                do {
                    let context = ModelContext(container)
                    for quake in list {
                        context.insert(Earthquake(quake))
                        try context.save()
                    }
                } catch {
                    failure.withLock { $0 = error }
                }
            }.start()
        }
        done.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }

    func count() throws -> Int { try makeContext().fetchCount(FetchDescriptor<Earthquake>()) }

    // MARK: Identifiers

    /// The identifiers of the loaded rows in the order in which they were inserted, which is that of the other sides'
    /// ids. Read once, before any other row is inserted.
    func identifiers() throws -> [PersistentIdentifier] { try knownRows().identifiers }

    /// The sum of the ids that the other sides have for these rows.
    func sum(_ identifiers: some Sequence<PersistentIdentifier>) throws -> UInt64 {
        let ids = try knownRows().ids
        return identifiers.reduce(0) { $0 &+ (ids[$1] ?? 0) }
    }

    private func knownRows() throws -> (identifiers: [PersistentIdentifier], ids: [PersistentIdentifier: UInt64]) {
        if let known { return known }
        let identifiers = try makeContext().fetchIdentifiers(FetchDescriptor<Earthquake>()).sorted()
        let ids = Dictionary(
            uniqueKeysWithValues: identifiers.enumerated().map { ($1, UInt64($0 + 1)) })
        known = (identifiers, ids)
        return (identifiers, ids)
    }
}

/// Deletes files, where they are there.
func removeFiles(_ paths: String...) throws {
    for path in paths where FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
    }
}

extension Sequence where Element == Earthquake {
    /// The sum of the models' digests.
    var digest: UInt64 { reduce(0) { $0 &+ $1.digest } }
}

extension Sequence where Element == Quake {
    /// The sum of the objects' digests without their ids.
    var contentDigest: UInt64 { reduce(0) { $0 &+ $1.contentDigest } }
}
