import ArgumentParser
import Foundation
import Loam
import SeededRandom

/// The saves of one program. It prints what was acknowledged: `wrote TRIP NUMBER`, `stayed TRIP NUMBER`, `remarked STAY
/// NUMBER`; or `failed TEXT`.
struct VersionsWorker: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "versions-worker", shouldDisplay: false)

    @Argument var store: String
    @Option(transform: { ProgramVersion(rawValue: $0) ?? .older }) var version: ProgramVersion
    @Option var seed: UInt64
    /// The number of the first write. No other write of the campaign has it.
    @Option var first: Int
    @Option var saves: Int

    func run() throws {
        do {
            var program = try VersionsProgram(store, version, seed: seed, first: first)
            for _ in 0..<saves { try program.step() }
        } catch {
            say("failed \(version): \(error)")
        }
    }
}

/// Makes the saves of one version. Each version writes properties of its own on all trips; the newer one knows all
/// properties.
struct VersionsProgram {
    static let trips = 16

    private let path: String
    private let version: ProgramVersion
    private var context: ModelContext
    private var random: SeededGenerator
    private var next: Int

    init(_ path: String, _ version: ProgramVersion, seed: UInt64, first: Int) throws {
        self.path = path
        self.version = version
        context = ModelContext(try version.open(path))
        random = SeededGenerator(seed: seed, stream: UInt64(first))
        next = first
    }

    mutating func step() throws {
        // Another container and context stand for a program that was started again.
        if random.percent(3) { context = ModelContext(try version.open(path)) }
        let trip = Int.random(in: 0..<Self.trips, using: &random)
        let number = next
        next += 1
        switch version {
        case .older: try writeOlder(trip, number)
        case .newer: try writeNewer(trip, number)
        }
    }

    /// Each version makes half of the trips, so that none is made twice.
    private func makes(_ trip: Int) -> Bool { trip.isMultiple(of: 2) == (version == .older) }

    private mutating func writeOlder(_ number: Int, _ write: Int) throws {
        let found = try context.fetch(
            FetchDescriptor<OlderModels.Trip>(predicate: #Predicate { $0.number == number }))
        guard let trip = found.first ?? (makes(number) ? OlderModels.Trip(number) : nil) else { return }
        if found.isEmpty { context.insert(trip) }
        trip.title = VersionsValues(number: write).title
        trip.days = write
        let stays = random.percent(30)
        if stays { trip.stays.append(OlderModels.Stay(write)) }
        try context.save()
        say("wrote \(number) \(write)")
        if stays { say("stayed \(number) \(write)") }
    }

    private mutating func writeNewer(_ number: Int, _ write: Int) throws {
        let found = try context.fetch(
            FetchDescriptor<NewerModels.Trip>(predicate: #Predicate { $0.number == number }))
        guard let trip = found.first ?? (makes(number) ? NewerModels.Trip(number) : nil) else { return }
        if found.isEmpty { context.insert(trip) }
        let values = VersionsValues(number: write)
        trip.rating = write
        (trip.note, trip.code, trip.picture) = (values.note, values.code, values.picture)
        let name = values.guide
        let guides = try context.fetch(
            FetchDescriptor<NewerModels.Guide>(predicate: #Predicate { $0.name == name }))
        trip.guide = guides.first ?? NewerModels.Guide(name)
        let stay = random.percent(30) ? trip.stays.randomElement(using: &random) : nil
        stay?.remark = write
        try context.save()
        say("wrote \(number) \(write)")
        if let stay { say("remarked \(stay.id) \(write)") }
    }
}
