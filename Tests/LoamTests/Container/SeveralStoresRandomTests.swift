import Foundation
import Loam
import LoamStorage
import SeededRandom
import Testing

/// A container of two files answers as two containers of one file each do.
@Suite("Several stores at random")
struct SeveralStoresRandomTests {
    private static let steps = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 300 : 2_000

    @Test("are the sum of their stores", arguments: 1...6 as ClosedRange<UInt64>)
    func sum(seed: UInt64) throws {
        let (pair, single) = (try TwoFiles(), try TwoFiles())
        let both = try pair.open()
        let (voyages, remarks) = (try single.openVoyages(), try single.openRemarks())
        let one = ModelContext(both)
        var left = Fleet(one, one)
        var right = Fleet(ModelContext(voyages), ModelContext(remarks))
        var random = SeededGenerator(seed: seed)
        for step in 0..<Self.steps {
            let (kind, number) = (Int.random(in: 0..<14, using: &random), Int.random(in: 0..<1_000, using: &random))
            let done = [try left.take(kind, number), try right.take(kind, number)]
            #expect(done[0] == done[1], "seed \(seed), step \(step), kind \(kind)")
            let seen = [try left.seen(), try right.seen()]
            try #require(seen[0] == seen[1], "seed \(seed), step \(step), kind \(kind)")
        }
        try left.save()
        try right.save()
        let stored = [Fleet(ModelContext(both), ModelContext(both)), right]
        #expect(try stored[0].seen() == stored[1].seen())
        for file in [pair, single] {
            #expect(try file.openVoyages().store.check().faults == [])
            #expect(try file.openRemarks().store.check().faults == [])
        }
    }
}

/// Voyages in one context and remarks in another, or both in one.
private struct Fleet {
    private let voyages: ModelContext
    private let remarks: ModelContext
    private var names = 0

    init(_ voyages: ModelContext, _ remarks: ModelContext) {
        self.voyages = voyages
        self.remarks = remarks
    }

    private var contexts: [ModelContext] { voyages === remarks ? [voyages] : [voyages, remarks] }

    func save() throws { for context in contexts { try context.save() } }

    private func all<T: PersistentModel>(
        _ context: ModelContext, _ key: any KeyPath<T, String> & Sendable
    ) throws -> [T] {
        try context.fetch(FetchDescriptor<T>(sortBy: [SortDescriptor(key)]))
    }

    private func pick<T>(_ models: [T], _ number: Int) -> T? { models.isEmpty ? nil : models[number % models.count] }

    /// Does one thing of several kinds; returns whether there was something to do it with.
    mutating func take(_ kind: Int, _ number: Int) throws -> Bool {
        names += 1
        let voyage = pick(try all(voyages, \Voyage.name), number)
        let remark = pick(try all(remarks, \Remark.text), number)
        switch kind {
        case 0, 1: voyages.insert(Voyage("Voyage \(names % 40)", days: number))
        case 2, 3: remarks.insert(Remark("Remark \(names % 40)", stars: number % 6))
        case 4: voyage?.anchorages.append(Anchorage("Anchorage \(names)"))
        case 5: remark?.marks.append(Mark("Mark \(names)"))
        case 6: if let mark = pick(try all(remarks, \Mark.name), number / 7) { remark?.marks.append(mark) }
        case 7: pick(try all(voyages, \Anchorage.name), number)?.voyage = voyage
        case 8: voyage?.days += 1
        case 9: remark?.stars += 1
        case 10: if number % 2 == 0 { voyage.map(voyages.delete) } else { remark.map(remarks.delete) }
        case 11:
            if number % 2 == 0 {
                try voyages.delete(model: Voyage.self, where: #Predicate { $0.days < 100 })
            } else {
                try remarks.delete(model: Remark.self, where: #Predicate { $0.stars > 5 })
            }
        case 12: if number % 3 == 0 { for context in contexts { context.rollback() } }
        default: try save()
        }
        return voyage != nil || remark != nil
    }

    /// Everything that can be asked for, with the unsaved changes. Members are sorted: where an insert became an
    /// update, the members of both objects come in no certain order.
    func seen() throws -> [String] {
        let marked = #Predicate<Remark> { remark in remark.stars > 2 && !remark.marks.isEmpty }
        let sailed = #Predicate<Anchorage> { ($0.voyage?.days ?? 0) > 500 }
        var seen = try all(voyages, \Voyage.name).map { voyage in
            "\(voyage.name) \(voyage.days) \(voyage.anchorages.map(\.name).sorted()) \(voyage.hasChanges)"
        }
        seen += try all(remarks, \Remark.text).map { remark in
            "\(remark.text) \(remark.stars) \(remark.marks.map(\.name).sorted()) \(remark.hasChanges)"
        }
        seen += try all(remarks, \Mark.name).map { "\($0.name) \($0.remarks.map(\.text).sorted())" }
        seen.append("\(try remarks.fetchCount(FetchDescriptor(predicate: marked)))")
        seen.append("\(try voyages.fetchCount(FetchDescriptor(predicate: sailed)))")
        let (inserted, changed, deleted) = (
            contexts.flatMap(\.insertedModelsArray), contexts.flatMap(\.changedModelsArray),
            contexts.flatMap(\.deletedModelsArray)
        )
        seen.append("\(contexts.contains(where: \.hasChanges)) \(inserted.count) \(changed.count) \(deleted.count)")
        seen += (inserted + changed + deleted).map { "\($0.persistentModelID.entityName)" }
        return seen
    }
}
