import Foundation
import Testing

@testable import LoamUI

@Suite("Core Data's predicates, beside Foundation") @MainActor
struct NSPredicateFoundationTests {
    let container: ModelContainer

    init() throws { container = try makeTowns(20) }

    private func people(_ predicate: NSPredicate) throws -> [Int] {
        let descriptor = FetchDescriptor(
            predicate: try predicate.predicate(over: Town.self), sortBy: [SortDescriptor(\.people)])
        return try container.mainContext.fetch(descriptor).map(\.people)
    }

    @Test("Formats take values, arrays, models and key paths") func formats() throws {
        let model = try #require(try container.mainContext.fetch(FetchDescriptor<Town>()).first)
        #expect(try people(NSPredicate(format: "people < %@ AND land == %@", 7, "A")) == [0, 3, 6])
        #expect(try people(NSPredicate(format: "%K IN %@", "people", [1, 2, 300])) == [1, 2])
        #expect(try people(NSPredicate(format: "SELF == %@", model)) == [model.people])
        #expect(try people(NSPredicate(format: "people BETWEEN %@", argumentArray: [[4, 5]])) == [4, 5])
    }

    @Test("Free variables get their values later, in joined predicates too") func variables() throws {
        let template = NSPredicate(format: "%K BEGINSWITH[cd] $query", "name")
        #expect(try people(template.withSubstitutionVariables(["query": "0001"])) == Array(10..<20))
        let joined = NSCompoundPredicate(andPredicateWithSubpredicates: [template, NSPredicate(format: "people > 17")])
        #expect(try people(joined.withSubstitutionVariables(["query": "0001"])) == [18, 19])
        #expect(throws: SwiftDataError.unsupportedPredicate) { try people(template) }
    }

    @Test("Constants and joins") func joins() throws {
        let small = NSPredicate(format: "people < 3")
        #expect(try people(NSPredicate(value: true)).count == 20)
        #expect(try people(NSPredicate(value: false)).isEmpty)
        #expect(try people(NSCompoundPredicate(notPredicateWithSubpredicate: small)).count == 17)
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [small, NSPredicate(format: "people == 9")])
        #expect(try people(either) == [0, 1, 2, 9])
        #expect(try people(NSPredicate(#Predicate<Town> { $0.people == 4 })) == [4])
    }

    @Test("What cannot be read or run is an error of the fetch") func errors() {
        #expect(throws: SwiftDataError.unsupportedPredicate) { try people(NSPredicate(format: "people <")) }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try people(NSPredicate(format: "people < %@")) }
        #expect(throws: SwiftDataError.unsupportedPredicate) { try people(NSPredicate { _, _ in true }) }
    }

    @Test("Sort descriptors take key paths to attributes that may be nil, and names") func sorting() throws {
        let descriptors: [NSSortDescriptor] = [
            .init(keyPath: \Town.founded, ascending: true), .init(keyPath: \Town.land, ascending: false),
            .init(key: "people", ascending: false),
        ]
        let sorts = try descriptors.map { try $0.descriptor(over: Town.self) }
        #expect(try container.mainContext.fetch(FetchDescriptor(sortBy: sorts)).first?.people == 19)
        let unknown = NSSortDescriptor(key: "size", ascending: true)
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) { try unknown.descriptor(over: Town.self) }
    }
}
