import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

@Model private final class Captain {
    var name: String
    var ship: Ship?

    init(_ name: String) { self.name = name }
}

@Model private final class Ship {
    var name: String
    @Relationship(inverse: \Captain.ship) var captain: Captain?

    init(_ name: String) { self.name = name }
}

@Suite("One to one")
struct OneToOneTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Captain.self)
    }

    private func all(_ context: ModelContext) throws -> (captains: [Captain], ships: [Ship]) {
        (
            try context.fetch(FetchDescriptor<Captain>(sortBy: [SortDescriptor(\.name)])),
            try context.fetch(FetchDescriptor<Ship>(sortBy: [SortDescriptor(\.name)]))
        )
    }

    private func store() throws {
        let context = ModelContext(container)
        for number in 0..<4 {
            context.insert(Captain("captain \(number)"))
            context.insert(Ship("ship \(number)"))
        }
        try context.save()
    }

    @Test("what was set here stands on both sides, whomever somebody else has put there meanwhile")
    func others() throws {
        try store()
        let (context, other) = (ModelContext(container), ModelContext(container))
        let (mine, theirs) = (try all(context), try all(other))
        mine.captains[1].ship = mine.ships[0]
        theirs.captains[0].ship = theirs.ships[0]
        try other.save()
        context.processPendingChanges()
        #expect(mine.ships[0].captain === mine.captains[1])
        #expect(mine.captains[1].ship === mine.ships[0])
        #expect(mine.captains[0].ship == nil)
        try context.save()
        #expect(mine.ships[0].captain === mine.captains[1])
        #expect(mine.captains[0].ship == nil)
    }

    @Test("each side leads back, whatever two contexts set, save and take back", arguments: 0..<16 as Range<UInt64>)
    func bothSides(_ seed: UInt64) throws {
        try store()
        var random = SeededGenerator(seed: seed)
        let contexts = [ModelContext(container), ModelContext(container)]
        for step in 0..<150 {
            let context = contexts[Int.random(in: 0..<2, using: &random)]
            let (captains, ships) = try all(context)
            let (captain, ship) = (captains.randomElement(using: &random), ships.randomElement(using: &random))
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<4: captain?.ship = Int.random(in: 0..<4, using: &random) == 0 ? nil : ship
            case 4..<8: ship?.captain = Int.random(in: 0..<4, using: &random) == 0 ? nil : captain
            case 8: context.insert(Captain("captain \(step)"))
            case 9: captain.map(context.delete)
            case 10: context.rollback()
            default: try context.save()
            }
            for context in contexts {
                let (captains, ships) = try all(context)
                for captain in captains {
                    let back = captain.ship.map { $0.captain === captain } ?? true
                    try #require(back, "seed \(seed), step \(step), \(captain.name)")
                }
                for ship in ships {
                    let back = ship.captain.map { $0.ship === ship } ?? true
                    try #require(back, "seed \(seed), step \(step), \(ship.name)")
                }
            }
        }
        #expect(try container.store.check().faults.isEmpty)
    }
}
