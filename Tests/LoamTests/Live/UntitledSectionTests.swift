import Foundation
import Loam
import SeededRandom
import Testing

@Model private final class Visit {
    #Index<Visit>([\.place, \.rank])
    var place: String?
    var rank: Int

    init(_ place: String?, _ rank: Int) {
        self.place = place
        self.rank = rank
    }
}

@Suite("Models without a section title")
struct UntitledSectionTests {
    private static let places = [nil, "", "", "a", "b"]

    /// The sections as titles and ranks, grouped from what a fetch gives.
    private static func sections(
        _ context: ModelContext, _ descriptor: FetchDescriptor<Visit>, _ isReversed: Bool
    ) throws -> [[String]] {
        var visits = try context.fetch(FetchDescriptor<Visit>(sortBy: [SortDescriptor(\.rank)]))
        visits.sort { left, right in
            let (first, second) = (left.place ?? "", right.place ?? "")
            if first != second { return isReversed ? first > second : first < second }
            return (left.rank, left.id) < (right.rank, right.id)
        }
        let offset = min(visits.count, descriptor.fetchOffset ?? 0)
        visits = Array(visits.dropFirst(offset).prefix(descriptor.fetchLimit ?? .max))
        var sections: [[String]] = []
        for visit in visits {
            if sections.last?.first != visit.place ?? "" { sections.append([visit.place ?? ""]) }
            sections[sections.count - 1].append("\(visit.rank)")
        }
        return sections
    }

    private static func sections(_ observer: ResultsObserver<Visit, String>) -> [[String]] {
        observer.sections?.map { section in [section.title] + section.map { "\($0.rank)" } } ?? []
    }

    @Test(
        "are in one section with those whose title is empty, in the order of the results, under offset and limit",
        arguments: 0..<24 as Range<UInt64>)
    func oneSection(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let container = try memoryContainer(Visit.self)
        let context = ModelContext(container)
        for _ in 0..<12 {
            context.insert(
                Visit(Self.places.randomElement(using: &random) ?? nil, Int.random(in: 0..<9, using: &random)))
        }
        try context.save()
        let isReversed = Bool.random(using: &random)
        var descriptor = FetchDescriptor<Visit>(
            sortBy: isReversed
                ? [SortDescriptor(\.place, order: .reverse), SortDescriptor(\.rank)] : [SortDescriptor(\.rank)])
        if seed % 3 > 0 { descriptor.fetchLimit = Int.random(in: 1..<8, using: &random) }
        if seed % 3 > 1 { descriptor.fetchOffset = Int.random(in: 0..<5, using: &random) }
        let observer = try ResultsObserver(fetchDescriptor: descriptor, sectionBy: \.place, modelContainer: container)
        for step in 0..<30 {
            let expected = try Self.sections(ModelContext(container), descriptor, isReversed)
            try #require(Self.sections(observer) == expected, "seed \(seed), step \(step)")
            #expect(Set(observer.sections?.map(\.id) ?? []).count == observer.sections?.count)
            #expect(observer.sections?.allSatisfy { $0.unreadableTitle == nil } == true)
            let visits = try context.fetch(FetchDescriptor<Visit>(sortBy: [SortDescriptor(\.rank)]))
            switch (Int.random(in: 0..<4, using: &random), visits.randomElement(using: &random)) {
            case (1, let visit?): context.delete(visit)
            case (2, let visit?): visit.place = Self.places.randomElement(using: &random) ?? nil
            case (3, let visit?): visit.rank = Int.random(in: 0..<9, using: &random)
            default:
                context.insert(
                    Visit(Self.places.randomElement(using: &random) ?? nil, Int.random(in: 0..<9, using: &random)))
            }
            try context.save()
            observer.refresh()
        }
    }
}
