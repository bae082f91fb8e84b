import Foundation
import Loam
import Testing

@Model final class Poem {
    #Index<Poem>(.trigrams([\.name]), .trigrams([\.description]), .binary([\.year]))
    var id: Int
    var name: String
    var description: String?
    var year: Int

    init(id: Int) {
        self.id = id
        name = "Poem \(id + 10_000)" + (id % 97 == 3 ? ", of the Crème brûlée" : ", of many words")
        description = id % 3 == 0 ? nil : "Written by Nº \(id % 5)" + (id == 400 ? " in 東京都庁" : "")
        year = 1_900 + id % 100
    }
}

@Model final class Stanza {
    #Index<Stanza>(.trigrams([\.number]))
    var number: Int = 0

    init() {}
}

@Model final class Verse {
    #Index<Verse>(.trigrams([\.first, \.second]))
    var first: String = ""
    var second: String = ""

    init() {}
}

/// Indexes of trigrams, as models declare them and predicates use them.
@Suite struct TrigramIndexTests {
    private func filled() throws -> ModelContext {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let context = ModelContext(try ModelContainer(for: Poem.self, configurations: configuration))
        for id in 0..<2_000 { context.insert(Poem(id: id)) }
        try context.save()
        return context
    }

    /// What a fetch gives is what the predicate holds for, and it asks the index.
    private func check(
        _ predicate: Predicate<Poem>, by index: String = "trigrams(name)", _ context: ModelContext,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        for limit in [nil, 5] {
            var descriptor = FetchDescriptor(
                predicate: predicate, sortBy: [SortDescriptor(\.year), SortDescriptor(\.id)])
            let all = try context.fetch(FetchDescriptor<Poem>(sortBy: descriptor.sortBy))
            let expected = try all.filter { try predicate.evaluate($0) }
            descriptor.fetchLimit = limit
            let found = try context.fetch(descriptor)
            #expect(
                found.map(\.id) == expected.prefix(limit ?? .max).map(\.id) && !found.isEmpty, sourceLocation: location)
            let explanation = try context.explanation(of: descriptor)
            #expect("\(explanation)".contains(index), "\(explanation)", sourceLocation: location)
        }
    }

    @Test func predicatesOnPartsOfTextsAskTheIndex() throws {
        let context = try filled()
        try check(#Predicate { $0.name.localizedStandardContains("CREME BRULEE") }, context)
        try check(#Predicate { $0.name.contains("brûlée") }, context)
        try check(#Predicate { $0.name.contains("brûl") && $0.year > 1_905 }, context)
        try check(
            #Predicate { $0.description?.localizedStandardContains("東京都") == true }, by: "trigrams(description)",
            context)
        try check(
            #Predicate { ($0.description ?? "").localizedStandardContains("東京都") }, by: "trigrams(description)",
            context)
        try check(try Predicate(format: "description CONTAINS[cd] '東京都'"), by: "trigrams(description)", context)
        for index in ["trigrams(name)", "trigrams(description)"] {
            try check(
                #Predicate {
                    $0.name.localizedStandardContains("creme")
                        || $0.description?.localizedStandardContains("東京都") == true
                }, by: index, context)
            try check(
                try Predicate(format: "name CONTAINS[cd] 'brulee' OR description CONTAINS[cd] '京都庁'"), by: index,
                context)
        }
        try check(try Predicate(format: "name LIKE[cd] '*creme*'"), context)
        try check(try Predicate(format: "name ENDSWITH[cd] 'brulee'"), context)
    }

    @Test func changesKeepItUp() throws {
        let context = try filled()
        let all = try context.fetch(FetchDescriptor<Poem>())
        for poem in all where poem.id % 97 == 3 && poem.id % 2 == 0 { poem.name = "another one" }
        for poem in all where poem.id % 200 == 5 { poem.name += ", crème" }
        for poem in all where poem.id == 3 { context.delete(poem) }
        context.insert(Poem(id: 2_040))
        // Before the save too.
        try check(#Predicate { $0.name.localizedStandardContains("creme") }, context)
        try context.save()
        try check(#Predicate { $0.name.localizedStandardContains("creme") }, context)
        for poem in all where poem.id % 200 == 5 { poem.name = "" }
        context.rollback()
        try check(#Predicate { $0.name.localizedStandardContains("creme") }, context)
        let none = #Predicate<Poem> { $0.name.contains("zzz") }
        #expect(try context.fetchCount(FetchDescriptor(predicate: none)) == 0)
    }

    @Test func whatIsNoTextIsRefused() throws {
        let configuration = ModelConfiguration(isStoredInMemoryOnly: true)
        let number = #expect(throws: SwiftDataError.self) {
            _ = try ModelContainer(for: Stanza.self, configurations: configuration)
        }
        #expect("\(try #require(number))".contains("number"))
        let two = #expect(throws: SwiftDataError.self) {
            _ = try ModelContainer(for: Verse.self, configurations: configuration)
        }
        #expect("\(try #require(two))".contains("add an index for each"))
    }
}
