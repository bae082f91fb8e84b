import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// An index over a function of a property answers conditions on the function, and is never taken for one over the
/// property.
@Suite struct FunctionIndexPlanTests {
    private let folder: URL
    private let store: Store
    private let plain: Store

    private static let properties = [
        PropertyDefinition("name", type: .string, isOptional: true), PropertyDefinition("size", type: .int64),
        PropertyDefinition("other", type: .string, isOptional: true),
    ]
    private static let functions = [
        IndexDefinition([.init("name", function: .lowercase)]),
        IndexDefinition([.init("size", function: .negate)], included: ["other"]),
        IndexDefinition([.init("other"), .init("name", function: .lowercase), .init("size")], isSectioned: true),
    ]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "loam-functions-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try Self.store(folder.appending(path: "functions"), Self.functions)
        plain = try Self.store(folder.appending(path: "plain"), [])
    }

    private static func store(_ url: URL, _ indexes: [IndexDefinition]) throws -> Store {
        var options = StoreOptions()
        options.durability = .recent
        let store = try Store.open(path: url.path, options: options)
        _ = try store.load(.newEntity(EntityDefinition("City", properties: properties, indexes: indexes))) { load in
            for number in 0..<600 {
                let name = number % 9 == 0 ? Value.null : .string(["Ab", "aB", "AB", "b", "É", "é"][number % 6])
                let other = number % 4 == 0 ? Value.null : .string("o\(number % 4)")
                try load.append([name, .int(Int64(number % 40 - 20)), other])
            }
        }
        return store
    }

    private func rows(_ query: Query, _ store: Store) throws -> [RowID] {
        try store.read { snapshot in
            var work = Work()
            return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.rowID)
        }
    }

    private static let predicates: [String?] = [
        nil, "name == 'ab'", "name == 'AB'", "name == nil", "name BEGINSWITH 'a'", "name < 'a'", "name IN {'ab', 'É'}",
        "size == 7", "size > -3 AND size <= 5", "size != 0", "other == 'o1' AND name == 'aB'",
        "other == 'o1' AND name > 'a'",
        "other == nil AND size < 0", "name ==[c] 'ab'", "name == other", "size == 7 OR name == 'b'",
    ]

    @Test(arguments: predicates)
    func answersAreThoseOfAStoreWithoutIt(format: String?) throws {
        for sort in [
            [], [SortKey("name")], [SortKey("size", direction: .descending)], [SortKey("other"), SortKey("name")],
        ] {
            for limit in [nil, 5] {
                let query = Query(
                    entity: "City", predicate: try format.map { try PredicateParser.parse($0) }, sort: sort,
                    limit: limit)
                #expect(try rows(query, store) == rows(query, plain), "\(format ?? "all") by \(sort)")
            }
        }
    }

    @Test(arguments: ["name == 'ab'", "name BEGINSWITH 'a'", "size == 7", "size > 3", "name IN {'a', 'b'}"])
    func itIsNotScannedForThePropertyItself(format: String) throws {
        let query = Query(entity: "City", predicate: try PredicateParser.parse(format), columns: ["name"])
        let plan = try store.read { try Planner.plan(query, in: $0) }
        #expect(plan.accessPath == .table(from: .min, through: .max), "\(plan.explanation())")
        #expect(plan.covering == nil)
    }

    @Test(arguments: [
        ("lowercase:(name) == 'ab'", "lowercase(name)"), ("lowercase:(name) != 'ab'", "lowercase(name)"),
        ("lowercase:(name) == nil", "lowercase(name)"), ("NOT lowercase:(name) == 'b'", "lowercase(name)"),
        ("lowercase:(name) BEGINSWITH 'a'", "lowercase(name)"),
        ("lowercase:(name) IN {'é', 'b', nil}", "lowercase(name)"),
        ("lowercase:(name) < 'b'", "lowercase(name)"), ("negate:(size) == 7", "negate(size)"),
        ("-size > 15.5", "negate(size)"), ("-size BETWEEN {3, 4}", "negate(size)"),
        ("other == 'o1' AND lowercase:(name) == 'ab' AND size > 0", "other,lowercase(name),size"),
    ])
    func itAnswersConditionsOnTheFunction(format: String, index: String) throws {
        let query = Query(entity: "City", predicate: try PredicateParser.parse(format))
        #expect(try rows(query, store) == rows(query, plain))
        let candidates = try store.read { snapshot in
            let entity = try snapshot.entity(named: "City")
            return try Planner.plans(ResolvedQuery(query, in: entity), statistics: snapshot)
        }
        let scans = candidates.compactMap { plan -> (plan: Plan, scan: IndexScan)? in
            if case .index(let scan) = plan.accessPath { (plan, scan) } else { nil }
        }
        let found = try #require(scans.first { $0.scan.index.name == index && $0.scan.isNarrowed })
        // A string that begins with the same bytes may go on with a mark that belongs to the last character, so it is
        // tested.
        #expect(found.plan.residual == [] || format.contains("BEGINSWITH"), "\(found.plan.explanation())")
    }

    @Test func itServesNoOrderAndNoSectionsOfTheProperty() throws {
        let query = Query(entity: "City", sort: [SortKey("size", direction: .descending)], limit: 3, columns: ["size"])
        let plan = try store.read { try Planner.plan(query, in: $0) }
        #expect(plan.arrangement == .top(3))
        if case .index(let scan) = plan.accessPath { #expect(scan.index.name != "negate(size)") }
    }
}
