import Foundation
import Loam
import Testing

@Model final class Exposure {
    #Index<Exposure>(
        .sectioned([.startOfDay(\.taken, in: "Europe/Berlin"), .value(\.rating).descending]),
        .binary([.length(\.caption)]), .binary([.year(\.edited), .value(\.caption)]), .binary([\.rating]))
    var id: Int
    var caption: String
    var taken: Date
    var edited: Date?
    var rating: Int
    var description: String?

    init(id: Int) {
        self.id = id
        caption = String(repeating: "é", count: id % 7)
        taken = Date(timeIntervalSinceReferenceDate: Double(id) * 20_000)
        edited = id % 3 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(id) * 2_000_000)
        rating = id % 5
    }
}

@Model final class Tide {
    #Index<Tide>([.floor(\.level), .value(\.place).descending], [.folded(\.place), .lowercased(\.harbour)])
    var level: Double
    var place: String
    var harbour: String?

    init(level: Double, place: String) {
        (self.level, self.place) = (level, place)
    }
}

@Model final class Lander {
    #Index<Lander>([.day(\.landed, in: "Mars/Olympus")])
    var landed: Date = Date.distantPast

    init() {}
}

/// Indexes over functions, as models declare them and predicates use them.
@Suite struct FunctionIndexTests {
    private func berlin() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Europe/Berlin"))
        return calendar
    }

    private func filled() throws -> ModelContext {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let context = ModelContext(try ModelContainer(for: Exposure.self, Tide.self, configurations: configuration))
        for id in 0..<200 { context.insert(Exposure(id: id)) }
        for id in 0..<40 { context.insert(Tide(level: Double(id) / 8, place: id % 2 == 0 ? "Ä\(id)" : "b\(id)")) }
        try context.save()
        return context
    }

    /// What a fetch gives is what the predicate holds for, and it reads the named index.
    private func check(
        _ predicate: Predicate<Exposure>, by index: String, _ context: ModelContext,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let descriptor = FetchDescriptor(predicate: predicate)
        let expected = try context.fetch(FetchDescriptor<Exposure>()).filter { try predicate.evaluate($0) }
        let found = try context.fetch(descriptor)
        #expect(Set(found.map(\.id)) == Set(expected.map(\.id)) && !found.isEmpty, sourceLocation: location)
        let explanation = try context.explanation(of: descriptor)
        #expect("\(explanation)".contains(index), "\(explanation)", sourceLocation: location)
    }

    @Test func conditionsOnAFunctionReadItsIndex() throws {
        let (context, calendar) = (try filled(), try berlin())
        try check(#Predicate { $0.caption.count == 3 }, by: "length(caption)", context)
        try check(#Predicate { $0.caption.count > 5 }, by: "length(caption)", context)
        let day = calendar.startOfDay(for: Date(timeIntervalSinceReferenceDate: 900_000))
        try check(
            #Predicate { calendar.startOfDay(for: $0.taken) == day }, by: "startOfDay(taken, 'Europe/Berlin')", context)
        try check(try Predicate(format: "year(edited) == 2004"), by: "year(edited, 'UTC')", context)
    }

    @Test func partsOfDatesAreComputedAlikeInMemory() throws {
        let (context, calendar) = (try filled(), try berlin())
        let predicates: [Predicate<Exposure>] = [
            #Predicate { calendar.component(.month, from: $0.taken) == 2 },
            #Predicate {
                calendar.component(.day, from: $0.taken) < 10 && calendar.component(.year, from: $0.taken) == 2001
            },
            #Predicate {
                if let edited = $0.edited { calendar.component(.year, from: edited) > 2005 } else { false }
            },
        ]
        for predicate in predicates {
            let expected = try context.fetch(FetchDescriptor<Exposure>()).filter { try predicate.evaluate($0) }
            #expect(!expected.isEmpty && expected.count < 200)
            #expect(try Set(context.fetch(FetchDescriptor(predicate: predicate)).map(\.id)) == Set(expected.map(\.id)))
        }
    }

    @Test func anotherCalendarIsRefused() throws {
        let context = try filled()
        let calendar = Calendar(identifier: .hebrew)
        let predicate = #Predicate<Exposure> { calendar.component(.year, from: $0.taken) == 5_761 }
        #expect(throws: (any Error).self) { try context.fetch(FetchDescriptor(predicate: predicate)) }
        let exposure = try #require(try context.fetch(FetchDescriptor<Exposure>()).first)
        #expect(throws: SwiftDataError.unsupportedPredicate) { try predicate.evaluate(exposure) }
    }

    @Test func changesKeepThemUp() throws {
        let context = try filled()
        let all = try context.fetch(FetchDescriptor<Exposure>())
        for exposure in all where exposure.id % 4 == 0 { exposure.caption += "ab" }
        for exposure in all where exposure.id % 9 == 0 { context.delete(exposure) }
        // Before the save too.
        try check(#Predicate { $0.caption.count == 2 }, by: "length(caption)", context)
        try context.save()
        try check(#Predicate { $0.caption.count == 2 }, by: "length(caption)", context)
        try check(#Predicate { $0.caption.count == 8 }, by: "length(caption)", context)
    }

    @Test func functionsOfNumbersAndFormsOfStrings() throws {
        let context = try filled()
        let levels = try context.fetch(FetchDescriptor(predicate: Predicate<Tide>(format: "floor(level) == 2")))
        #expect(levels.count == 8 && levels.allSatisfy { $0.level >= 2 && $0.level < 3 })
        let folded = FetchDescriptor(predicate: try Predicate<Tide>(format: "place ==[cd] 'a4'"))
        #expect(try context.fetch(folded).map(\.place) == ["Ä4"])
        #expect("\(try context.explanation(of: folded))".contains("fold(place)"))
    }

    @Test func aTimeZoneThatNobodyKnowsIsRefused() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let error = #expect(throws: SwiftDataError.self) {
            _ = try ModelContainer(for: Lander.self, configurations: configuration)
        }
        #expect("\(try #require(error))".contains("Mars/Olympus"))
    }
}
