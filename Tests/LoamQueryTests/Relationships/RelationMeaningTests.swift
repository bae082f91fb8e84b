import Foundation
import LoamStorage
import Testing

@testable import LoamQuery

/// The meaning of predicates along relationships, example by example, on the store and by every plan.
@Suite struct RelationMeaningTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "loam-meaning-\(UUID().uuidString)")

    /// Three countries: Peru with Lima (10, mayor Ana, sights Wall and Port) and Cusco (4), Chile with Arica (no
    /// population), Utopia with none; Nowhere is a city without a country. Each city was founded by a person, and the
    /// founder of Cusco has been deleted under the rule *no action*.
    private func withStore(_ body: (Snapshot, [String: RowID]) throws -> Void) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try Store.open(path: folder.appending(path: "store").path, options: StoreOptions())
        try store.apply(.addEntities(Self.definitions))
        let schema = try store.read { $0.schema }
        var ids: [String: RowID] = [:]
        var batch = WriteBatch(author: "test")
        func insert(_ entityName: String, _ values: [String: Value]) throws {
            guard let entity = schema.entity(named: entityName), case .string(let name)? = values["name"] else {
                return
            }
            let rowID = try store.makeRowID()
            ids[name] = rowID
            let row = entity.properties.map { values[$0.name] ?? .null }
            batch.insert(try store.catalog().encode(row, as: entity.id), into: entity.id, rowID: rowID)
        }
        func reference(_ name: String) -> Value { ids[name].map(Value.uint) ?? .null }
        for name in ["Ana", "Bea", "Gone"] { try insert("Person", ["name": .string(name)]) }
        for name in ["Peru", "Chile", "Utopia"] {
            try insert(
                "Country", ["name": .string(name), "aliases": name == "Peru" ? .array([.string("Inca")]) : .null])
        }
        for name in ["Wall", "Port"] { try insert("Sight", ["name": .string(name)]) }
        let cities: [(String, Value, String, String, String)] = [
            ("Lima", .int(10), "Peru", "Ana", "Bea"), ("Cusco", .int(4), "Peru", "", "Gone"),
            ("Arica", .null, "Chile", "", "Bea"), ("Nowhere", .int(1), "", "", "Ana"),
        ]
        for (name, population, country, mayor, founder) in cities {
            try insert(
                "City",
                [
                    "name": .string(name), "population": population, "country": reference(country),
                    "mayor": reference(mayor), "founder": reference(founder),
                ])
        }
        guard let city = schema.entity(named: "City"), let sights = city.relationship(named: "sights"),
            let person = schema.entity(named: "Person")
        else { return }
        for sight in ["Wall", "Port"] {
            batch.link(sights.id, of: ids["Lima"] ?? 0, entity: city.id, to: ids[sight] ?? 0)
        }
        try store.save(batch)
        var deletion = WriteBatch(author: "test")
        deletion.delete(ids["Gone"] ?? 0, of: person.id)
        try store.save(deletion)
        try store.read { try body($0, ids) }
    }

    private static let definitions = [
        EntityDefinition(
            "Country",
            properties: [
                .init("name", type: .string),
                .init("aliases", type: .array(of: .string, optional: false), isOptional: true),
            ],
            relationships: [.init("cities", to: "City", isToMany: true, inverse: "country")]),
        EntityDefinition(
            "City", properties: [.init("name", type: .string), .init("population", type: .int64, isOptional: true)],
            relationships: [
                .init("country", to: "Country", inverse: "cities"), .init("mayor", to: "Person", inverse: "city"),
                .init("founder", to: "Person", inverse: "founded"),
                .init("sights", to: "Sight", isToMany: true, inverse: "cities"),
            ]),
        EntityDefinition(
            "Person", properties: [.init("name", type: .string)],
            relationships: [
                .init("city", to: "City", inverse: "mayor"),
                .init("founded", to: "City", isToMany: true, deleteRule: .noAction, inverse: "founder"),
            ]),
        EntityDefinition(
            "Sight", properties: [.init("name", type: .string)],
            relationships: [.init("cities", to: "City", isToMany: true, inverse: "sights")]),
    ]

    private static let examples: [(entity: String, format: String, names: Set<String>)] = [
        ("City", "country.name == 'Peru'", ["Lima", "Cusco"]),
        ("City", "country.name != 'Peru'", ["Arica", "Nowhere"]),
        ("City", "NOT country.name == 'Peru'", ["Arica", "Nowhere"]),
        ("City", "country.name == nil", ["Nowhere"]), ("City", "country == nil", ["Nowhere"]),
        ("City", "country.name BEGINSWITH[c] 'p'", ["Lima", "Cusco"]),
        ("City", "country.name IN {'Chile', nil}", ["Arica", "Nowhere"]),
        ("City", "mayor.name == 'Ana'", ["Lima"]), ("Person", "city.name == 'Lima'", ["Ana"]),
        ("Person", "city.country.name == 'Peru'", ["Ana"]), ("Person", "city == nil", ["Bea"]),
        ("City", "mayor.city.name == name", ["Lima"]),
        ("Country", "ANY cities.population > 5", ["Peru"]), ("Country", "SOME cities.population == nil", ["Chile"]),
        ("Country", "ALL cities.population > 3", ["Peru", "Utopia"]),
        ("Country", "NONE cities.population > 5", ["Chile", "Utopia"]),
        ("Country", "NOT ANY cities.population > 5", ["Chile", "Utopia"]),
        ("Country", "cities.@count == 0", ["Utopia"]), ("Country", "cities.@count > 1", ["Peru"]),
        ("Country", "cities.@count IN {1, 2}", ["Peru", "Chile"]),
        ("Country", "SUBQUERY(cities, $c, $c.population > 3).@count == 2", ["Peru"]),
        ("Country", "SUBQUERY(cities, $c, $c.country.name == name).@count > 0", ["Peru", "Chile"]),
        ("Country", "ANY cities.sights.name == 'Port'", ["Peru"]),
        ("Country", "ANY cities.mayor.name BEGINSWITH 'A'", ["Peru"]),
        ("City", "country.cities.@count == 1", ["Arica"]), ("City", "country.cities.@count == nil", ["Nowhere"]),
        ("City", "ANY country.cities.name == 'Lima'", ["Lima", "Cusco"]),
        ("City", "NONE country.cities.name == 'Lima'", ["Arica", "Nowhere"]),
        ("Sight", "cities.@count == 1 AND NONE cities.country.name == nil", ["Wall", "Port"]),
        ("Person", "ANY founded.country.name == nil", ["Ana"]), ("Person", "ANY founded.country == nil", ["Ana"]),
        ("City", "country.aliases CONTAINS 'Inca'", ["Lima", "Cusco"]),
        ("City", "NOT 'Inca' IN country.aliases", ["Arica", "Nowhere"]),
        ("Sight", "ANY cities.country.name == 'Peru'", ["Wall", "Port"]), ("City", "sights.@count == 2", ["Lima"]),
        // A reference whose row is gone reads as nil.
        ("City", "founder == nil", ["Cusco"]), ("City", "founder != nil", ["Lima", "Arica", "Nowhere"]),
        ("City", "founder.name == nil", ["Cusco"]), ("City", "founder.name != 'Bea'", ["Cusco", "Nowhere"]),
        ("Person", "founded.@count == 2", ["Bea"]),
    ]

    @Test func examplesHold() throws {
        try withStore { snapshot, ids in
            for (entity, format, names) in Self.examples {
                let query = Query(entity: entity, predicate: try PredicateParser.parse(format), columns: ["name"])
                for plan in try Planner.plans(
                    ResolvedQuery(query, in: snapshot.entity(named: entity), schema: snapshot.schema),
                    statistics: snapshot)
                {
                    var work = Work()
                    let found = try plan.rows(in: snapshot, work: &work).map(\.values)
                    #expect(found.count == names.count, "\(format)\n\(plan.explanation())")
                    #expect(Set(found) == Set(names.map { [.string($0)] }), "\(format)\n\(plan.explanation())")
                }
            }
        }
    }

    @Test func rowsAreComparedById() throws {
        try withStore { snapshot, ids in
            for (format, names) in [
                ("country == %@", ["Lima", "Cusco"]), ("country != %@", ["Arica", "Nowhere"]),
                ("country IN {%@}", ["Lima", "Cusco"]), ("founder == %@", []),
            ] {
                let argument = format.hasPrefix("founder") ? ids["Gone"] : ids["Peru"]
                let predicate = try PredicateParser.parse(format, arguments: [.uint(argument ?? 0)])
                let query = Query(entity: "City", predicate: predicate, columns: ["name"])
                var work = Work()
                let found = try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.values)
                #expect(found == names.map { [.string($0)] }, "\(format)")
            }
            for format in ["%@ IN cities", "cities CONTAINS %@", "ANY cities == %@"] {
                let predicate = try PredicateParser.parse(format, arguments: [.uint(ids["Arica"] ?? 0)])
                let query = Query(entity: "Country", predicate: predicate, columns: ["name"])
                var work = Work()
                let found = try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.values)
                #expect(found == [[.string("Chile")]], "\(format)")
            }
        }
    }

    @Test(arguments: [
        ("City", "country > 5"), ("City", "country + 1 == 5"), ("City", "country == 'Peru'"),
        ("Country", "cities == 5"),
        ("Country", "cities.name == 'Lima'"), ("City", "ANY country.name == 'x'"), ("City", "name.@count == 1"),
        ("City", "country.@count == 1"), ("City", "country.unknown == 1"), ("Country", "ANY cities.unknown == 1"),
        ("Country", "cities.sights.@count == 1"), ("Country", "SUBQUERY(cities, $c, $c.unknown == 1).@count == 1"),
        ("Country", "cities == nil"),
    ])
    func whatMakesNoSenseIsRefused(entity: String, format: String) throws {
        try withStore { snapshot, _ in
            let query = Query(entity: entity, predicate: try PredicateParser.parse(format))
            let error = #expect(throws: QueryError.self) { _ = try Planner.plan(query, in: snapshot) }
            #expect(error?.part != nil)
        }
    }

    @Test func aPrintedPredicateMeansTheSame() throws {
        try withStore { snapshot, _ in
            for (name, format, _) in Self.examples {
                let entity = try snapshot.entity(named: name)
                let checker = TypeChecker(entity: entity, schema: snapshot.schema)
                let typed = try checker.check(PredicateParser.parse(format)).normalized
                let again = try checker.check(PredicateParser.parse(typed.description)).normalized
                #expect(again == typed, "\(format): \(typed)")
            }
        }
    }
}
