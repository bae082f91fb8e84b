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
        PropertyDefinition("born", type: .date, isOptional: true), PropertyDefinition("mass", type: .double),
    ]
    private static let functions = [
        IndexDefinition([.init("name", function: .lowercase)]),
        IndexDefinition([.init("size", function: .negate)], included: ["other"]),
        IndexDefinition([.init("other"), .init("name", function: .lowercase), .init("size")], isSectioned: true),
        IndexDefinition([.init("name", function: .length), .init("size")]),
        IndexDefinition([.init("born", function: .year, timeZone: "Europe/Berlin"), .init("size")]),
        IndexDefinition([.init("born", direction: .descending, function: .startOfDay)]),
        IndexDefinition([.init("mass", function: .floor)]),
        IndexDefinition([.init("name", function: .lowercase, form: .caseAndDiacriticFolded)]),
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
                let born =
                    number % 7 == 0 ? Value.null : .date(Date(timeIntervalSinceReferenceDate: Double(number) * 9e5))
                let mass = number % 11 == 0 ? Double.nan : Double(number % 70) / 4 - 3
                try load.append([name, .int(Int64(number % 40 - 20)), other, born, .double(mass)])
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
        ("length(name) == 1", "length(name),size"), ("length(name) > 1", "length(name),size"),
        ("length(name) IN {1, 2} AND size > 15", "length(name),size"),
        ("year(born, 'Europe/Berlin') == 2002", "year(born, 'Europe/Berlin'),size"),
        ("year:in:(born, 'Europe/Berlin') BETWEEN {2003, 2004}", "year(born, 'Europe/Berlin'),size"),
        ("NOT year(born, 'Europe/Berlin') >= 2003", "year(born, 'Europe/Berlin'),size"),
        ("startOfDay(born) == '2005-08-17'", "-startOfDay(born, 'UTC')"),
        ("startOfDay(born, 'GMT') < '2001-02-01'", "-startOfDay(born, 'UTC')"),
        ("startOfDay(born) == nil", "-startOfDay(born, 'UTC')"),
        ("floor(mass) < -1", "floor(mass)"), ("floor(mass) == 2", "floor(mass)"), ("floor(mass) >= 2.5", "floor(mass)"),
        ("lowercase(name) ==[cd] 'E'", "fold(lowercase(name))"),
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

    /// Another time zone, another function, and a zone that only looks alike.
    @Test(arguments: [
        "year(born) == 2002", "year(born, 'Europe/London') == 2002", "month(born, 'Europe/Berlin') == 3",
        "startOfMonth(born) == '2005-08-01'", "ceiling(mass) == 2", "length(other) == 1",
    ])
    func itAnswersNothingElse(format: String) throws {
        let query = Query(entity: "City", predicate: try PredicateParser.parse(format), columns: ["name"])
        #expect(try rows(query, store) == rows(query, plain))
        let plan = try store.read { try Planner.plan(query, in: $0) }
        #expect(plan.accessPath == .table(from: .min, through: .max), "\(plan.explanation())")
    }

    /// What a scan reads is what it gives, and explain names the function.
    @Test func theRangeIsTheRows() throws {
        let format = "year(born, 'Europe/Berlin') == 2002 AND size > 10"
        let query = Query(entity: "City", predicate: try PredicateParser.parse(format), columns: [])
        try store.read { snapshot in
            var work = Work()
            let plan = try Planner.plan(query, in: snapshot)
            let count = try plan.rows(in: snapshot, work: &work).count
            #expect(count > 0 && work.entries <= count + 1 && work.records == 0, "\(plan.explanation())")
            #expect("\(plan.explanation())".contains("year(born, 'Europe/Berlin')"))
        }
    }

    @Test(arguments: [
        ("year(born, 'Europe/Brelin') == 2002", "'Europe/Berlin'"), ("year(born, name) == 2002", "Europe/Berlin"),
        ("year(name) == 2002", "date"),
    ])
    func whatIsNoTimeZoneIsRefused(format: String, word: String) throws {
        let query = Query(entity: "City", predicate: try PredicateParser.parse(format))
        let error = #expect(throws: QueryError.self) { try store.read { _ = try Planner.plan(query, in: $0) } }
        #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
    }

    @Test func itServesNoOrderAndNoSectionsOfTheProperty() throws {
        let query = Query(entity: "City", sort: [SortKey("size", direction: .descending)], limit: 3, columns: ["size"])
        let plan = try store.read { try Planner.plan(query, in: $0) }
        #expect(plan.arrangement == .top(3))
        if case .index(let scan) = plan.accessPath { #expect(scan.index.name != "negate(size)") }
    }
}
