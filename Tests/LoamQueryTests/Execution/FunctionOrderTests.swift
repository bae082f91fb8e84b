import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Orders and sections by a function of a property: from an index over the function, and from the rows.
@Suite struct FunctionOrderTests {
    private struct Photo {
        var id: RowID
        var caption: String?
        var taken: Date?
        var rating: Int64
    }

    private static let words = [
        "", "a", "É", "Sea", "sea", "Harbour at night", "🇵🇪", "A much longer caption of a photo",
    ]

    /// 3,000 photos of five years, some without a date or a caption.
    private final class Album {
        let store: Store
        private(set) var photos: [Photo] = []

        init(_ indexes: [IndexDefinition] = [], captions: [String]? = nil) throws {
            var options = StoreOptions()
            options.isInMemory = true
            store = try Store.open(path: "", options: options)
            try store.apply(
                .addEntity(
                    EntityDefinition(
                        "Photo",
                        properties: [
                            .init("caption", type: .string, isOptional: true),
                            .init("taken", type: .date, isOptional: true),
                            .init("rating", type: .int64),
                        ],
                        indexes: indexes)))
            let entity = try store.read { try $0.entity(named: "Photo") }
            var batch = WriteBatch(author: "test")
            for number in 0..<(captions?.count ?? 3_000) {
                let word = number % 11 == 3 ? nil : FunctionOrderTests.words[number * 7 % 8] + "\(number % 13)"
                let caption = captions?[number] ?? word
                let taken =
                    number % 17 == 5 ? nil : Date(timeIntervalSinceReferenceDate: Double(number * 7_919 % 3_001) * 5e4)
                let photo = Photo(
                    id: try store.makeRowID(), caption: caption, taken: taken, rating: Int64(number % 5))
                photos.append(photo)
                batch.insert(
                    try store.catalog().encode(
                        [caption.map(Value.string) ?? .null, taken.map(Value.date) ?? .null, .int(photo.rating)],
                        as: entity.id),
                    into: entity.id, rowID: photo.id)
            }
            try store.save(batch)
        }

        func run(_ query: Query) throws -> (plan: Plan, rows: [RowID], work: Work) {
            try store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                var work = Work()
                let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
                return (plan, rows, work)
            }
        }

        func sections(_ query: Query) throws -> (plan: Plan, sections: [(value: Value, count: Int)], work: Work) {
            try store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                var work = Work()
                let sections = try plan.sections(in: snapshot, work: &work)
                return (plan, sections, work)
            }
        }

        /// The photos by a key, nil first, and then by id.
        func sorted<Key: Comparable>(by key: (Photo) -> Key?, descending: Bool = false) -> [Photo] {
            photos.sorted { left, right in
                switch (key(left), key(right)) {
                case (nil, nil): return descending ? left.id > right.id : left.id < right.id
                case (nil, _): return !descending
                case (_, nil): return descending
                case (let first?, let second?):
                    if first == second { return descending ? left.id > right.id : left.id < right.id }
                    return (first < second) != descending
                }
            }
        }
    }

    private static let byLength = IndexDefinition([.init("caption", function: .length)])
    private static let berlin = "Europe/Berlin"
    private static let byDay = IndexDefinition(
        [.init("taken", function: .startOfDay, timeZone: berlin), .init("rating", direction: .descending)])

    @Test(arguments: [SortDirection.ascending, .descending], [nil, 25])
    func theOrderIsThatOfPlainSwift(_ direction: SortDirection, limit: Int?) throws {
        let query = Query(entity: "Photo", sort: [SortKey("length(caption)", direction: direction)], limit: limit)
        let (plain, indexed) = (try Album(), try Album([Self.byLength]))
        let expected = plain.sorted(by: { $0.caption?.count }, descending: direction == .descending).map(\.id)
        let sorted = try plain.run(query)
        #expect(sorted.plan.arrangement == (limit.map(Arrangement.top) ?? .sorted))
        #expect(sorted.rows == Array(expected.prefix(limit ?? .max)))
        let served = try indexed.run(query)
        #expect(served.rows.map { $0 - indexed.photos[0].id } == sorted.rows.map { $0 - plain.photos[0].id })
        guard limit != nil else { return }
        #expect(served.plan.arrangement == .served, "\(served.plan.explanation())")
        #expect(served.work.entries == 25 && served.work.records == 25 && served.work.sorted == 0)
    }

    @Test func theDayOfATimeZoneIsThatOfTheCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: Self.berlin))
        let album = try Album([Self.byDay])
        let query = Query(
            entity: "Photo",
            sort: [
                SortKey("startOfDay(taken, '\(Self.berlin)')", direction: .descending), SortKey("rating"),
            ], limit: 40, offset: 100)
        let (plan, rows, work) = try album.run(query)
        #expect(plan.arrangement == .served && work.sorted == 0 && work.entries <= 60, "\(plan.explanation())")
        let days = rows.compactMap { id in album.photos.first { $0.id == id } }
            .map { $0.taken.map(calendar.startOfDay) }
        let expected = album.sorted(by: { $0.taken.map(calendar.startOfDay) }, descending: true)
            .map { $0.taken.map(calendar.startOfDay) }
        #expect(days == Array(expected[100..<140]))
    }

    /// Behind equal components, merged from ranges, and in groups of equal leading keys.
    @Test func itIsServedAsAPlainComponentIs() throws {
        let equal = try Album([.init([.init("rating"), .init("caption", function: .length)])])
        let predicate = try PredicateParser.parse("rating == 3")
        let one = try equal.run(
            Query(
                entity: "Photo", predicate: predicate, sort: [SortKey("length(caption)", direction: .descending)],
                limit: 10))
        #expect(one.plan.arrangement == .served && one.work.entries == 10, "\(one.plan.explanation())")
        let merged = try equal.run(
            Query(
                entity: "Photo", predicate: try PredicateParser.parse("rating IN {1, 4}"),
                sort: [SortKey("length(caption)")], limit: 10))
        #expect(merged.plan.explanation().contains("2 ranges merged") && merged.work.entries <= 24)
        let groups = try Album([Self.byDay]).run(
            Query(
                entity: "Photo",
                sort: [SortKey("startOfDay(taken, '\(Self.berlin)')", direction: .descending), SortKey("caption")],
                limit: 5))
        #expect(groups.plan.arrangement == .partial(1), "\(groups.plan.explanation())")
        #expect(groups.work.records < 20)
    }

    /// Of another function, or in another time zone, an index gives no order.
    @Test(arguments: ["startOfDay(taken)", "startOfMonth(taken, 'Europe/Berlin')", "taken", "length(caption)"])
    func anotherFunctionIsSorted(path: String) throws {
        let query = Query(entity: "Photo", sort: [SortKey(path)], limit: 5)
        #expect(try Album([Self.byDay]).run(query).plan.arrangement == .top(5))
    }

    /// What the predicate fixes is no key of the order, be it the function or its argument.
    @Test(arguments: ["length(caption) == 4", "caption == 'sea1'"])
    func aFixedKeyIsNotSortedBy(format: String) throws {
        let query = Query(
            entity: "Photo", predicate: try PredicateParser.parse(format),
            sort: [SortKey("length(caption)"), SortKey("rating")])
        let album = try Album()
        let plan = try album.run(query).plan
        #expect(plan.query.openOrder.map(\.description) == ["rating"])
    }

    /// "Ά" and a letter, and "Α" and a letter with the mark: the mark of the small letter that becomes a letter stands
    /// before the other one or behind it, which makes no difference to the small one.
    @Test func capitalsAreNotDecidedByEqualTexts() throws {
        let texts = ["\u{3B1}\u{345}\u{301}", "\u{3B1}\u{301}\u{345}"]
        try #require(texts[0] == texts[1] && texts[1].uppercased() < texts[0].uppercased())
        for predicate in [nil, "caption == '\(texts[0])'"] {
            let album = try Album(captions: texts + texts)
            let query = Query(
                entity: "Photo", predicate: try predicate.map { try PredicateParser.parse($0) },
                sort: [SortKey("caption"), SortKey("uppercase(caption)"), SortKey("length(caption)")])
            let (plan, rows, _) = try album.run(query)
            #expect(rows == [1, 3, 0, 2].map { album.photos[$0].id })
            #expect(!plan.query.openOrder.map(\.description).contains("length(caption)"))
        }
    }

    /// Where one component is a function in a time zone, columns with the zone's other names are that function, too.
    @Test func namesOfOneTimeZoneAreOneFunction() throws {
        let album = try Album([IndexDefinition([.init("taken", function: .startOfDay)])])
        let columns = ["startOfDay(taken)", "startOfDay(taken, 'GMT')", "startOfDay(taken, 'UTC')"]
        for key in columns {
            let query = Query(entity: "Photo", sort: [SortKey(key)], limit: 30, offset: 300, columns: columns)
            try album.store.read { snapshot in
                let plan = try Planner.plan(query, in: snapshot)
                var work = Work()
                let rows = try plan.rows(in: snapshot, work: &work)
                #expect(plan.arrangement == .served && work.records == 0, "\(plan.explanation(with: work))")
                #expect(rows.count == 30)
                for (_, values) in rows {
                    #expect(values[0] != .null && values[1] == values[0] && values[2] == values[0])
                }
                #expect(plan.query.columns.map(\.written) == [columns[2]] + columns.dropFirst())
            }
        }
    }

    // MARK: Sections

    @Test(arguments: [true, false]) func sectionsAreThoseOfPlainSwift(isIndexed: Bool) throws {
        let album = try Album(isIndexed ? [Self.byLength] : [])
        let (plan, sections, work) = try album.sections(
            Query(entity: "Photo", section: "length(caption)", result: .sections))
        let counts = Dictionary(grouping: album.photos) { $0.caption?.count }
        let expected = counts.sorted { ($0.key ?? -1) < ($1.key ?? -1) }
        #expect(sections.map(\.value) == expected.map { $0.key.map { .int(Int64($0)) } ?? .null })
        #expect(sections.map(\.count) == expected.map(\.value.count))
        #expect(plan.query.section?.description == "length(caption)")
        if isIndexed {
            #expect(plan.arrangement == .sums && work.records == 0 && work.entries == 0, "\(plan.explanation())")
        }
    }

    @Test func groupsAreCountedFromSums() throws {
        let album = try Album([Self.byDay])
        let query = GroupedQuery(entity: "Photo", keys: ["startOfDay(taken, 'Europe/Berlin')"], aggregates: [.count])
        try album.store.read { snapshot in
            let plan = try GroupedPlan(query, in: snapshot)
            var work = Work()
            let groups = try plan.groups(in: snapshot, work: &work)
            #expect(groups.count > 1_000 && work.entries == 0 && work.records == 0, "\(plan.explanation())")
            let count = groups.reduce(Int64(0)) { if case .int(let count) = $1[1] { $0 + count } else { $0 } }
            #expect(count == 3_000)
        }
    }

    @Test(arguments: [true, false]) func aggregatesAreOfTheFunctionsResults(isIndexed: Bool) throws {
        let album = try Album(isIndexed ? [Self.byLength, .init([.init("rating")], included: ["caption"])] : [])
        let path = "length(caption)"
        for keys in [["rating"], []] {
            let query = GroupedQuery(
                entity: "Photo", keys: keys,
                aggregates: [
                    GroupAggregate(.sum, of: path), GroupAggregate(.maximum, of: path),
                    GroupAggregate(.minimum, of: path),
                    GroupAggregate(.count, of: path),
                ], sort: keys.map { SortKey($0) })
            let groups = try album.store.read { snapshot in
                var work = Work()
                return try GroupedPlan(query, in: snapshot).groups(in: snapshot, work: &work)
            }
            let expected = Dictionary(grouping: album.photos) { keys.isEmpty ? 0 : $0.rating }
                .sorted { $0.key < $1.key }
                .map { rating, photos -> [Value] in
                    let lengths = photos.compactMap { $0.caption.map { Int64($0.count) } }
                    return (keys.isEmpty ? [] : [.int(rating)])
                        + [lengths.reduce(0, +), lengths.max() ?? -1, lengths.min() ?? -1, Int64(lengths.count)].map(
                            Value.int)
                }
            #expect(groups == expected)
        }
    }

    @Test func theEndsOfAnIndexAreTheLeastAndTheGreatest() throws {
        let album = try Album([Self.byLength])
        let query = GroupedQuery(
            entity: "Photo", predicate: try PredicateParser.parse("length(caption) < 9"),
            aggregates: [
                GroupAggregate(.maximum, of: "length(caption)"), GroupAggregate(.minimum, of: "length(caption)"),
            ])
        try album.store.read { snapshot in
            var work = Work()
            let plan = try GroupedPlan(query, in: snapshot)
            let lengths = album.photos.compactMap { $0.caption?.count }.filter { $0 < 9 }
            let ends = try plan.groups(in: snapshot, work: &work)
            #expect(try ends == [[.int(Int64(#require(lengths.max()))), .int(Int64(#require(lengths.min())))]])
            #expect(work.entries == 2 && work.records == 0, "\(plan.explanation(with: work))")
        }
    }

    /// Functions that are written as a sign, too.
    @Test(arguments: ["negate", "onesComplement"]) func theEndsOfASignAreFound(function: String) throws {
        let known = try #require(Function(named: function))
        let album = try Album([IndexDefinition([.init("rating", function: known)])])
        let path = "\(function)(rating)"
        let query = GroupedQuery(
            entity: "Photo", aggregates: [GroupAggregate(.minimum, of: path), GroupAggregate(.maximum, of: path)])
        try album.store.read { snapshot in
            var work = Work()
            let plan = try GroupedPlan(query, in: snapshot)
            let offset: Int64 = known == .negate ? 0 : 1
            #expect(try plan.groups(in: snapshot, work: &work) == [[.int(-4 - offset), .int(-offset)]])
            #expect(work.entries == 2 && work.records == 0, "\(plan.explanation(with: work))")
        }
    }

    @Test func aSectionLeadsTheOrder() throws {
        let album = try Album()
        let query = Query(
            entity: "Photo", sort: [SortKey("caption"), SortKey("length(caption)", direction: .descending)],
            columns: ["length(caption)", "caption"], section: "length(caption)")
        let rows = try album.store.read { snapshot in
            var work = Work()
            return try Planner.plan(query, in: snapshot).rows(in: snapshot, work: &work).map(\.values)
        }
        let lengths = rows.map { if case .int(let length) = $0[0] { Int(length) } else { -1 } }
        #expect(lengths == lengths.sorted(by: >))
        for (length, row) in zip(lengths, rows) {
            guard case .string(let caption) = row[1] else { continue }
            #expect(caption.count == length)
        }
    }

    // MARK: What cannot be asked for

    @Test(arguments: [
        ("length(rating)", "length"), ("length(caption", "the end"), ("lenght(caption)", "length"),
        ("length(captoin)", "caption"),
        ("length(lowercase(caption))", "one function of a key path"), ("modulus:by:(rating, 2)", "one function"),
        ("year(taken, 'Europe/Brelin')", "Europe/Berlin"), ("sum({rating})", "one function"),
        ("rating > (2)", "the end"),
        ("length(caption, rating)", "length"), ("(caption)", "one function"),
    ])
    func whatIsNoFunctionOfAKeyPathIsRefused(path: String, word: String) throws {
        let album = try Album()
        for query in [Query(entity: "Photo", sort: [SortKey(path)]), Query(entity: "Photo", section: path)] {
            let error = #expect(throws: QueryError.self) { try album.run(query) }
            #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
        }
    }

    @Test func onlyFunctionsThatGiveTextHaveForms() throws {
        let album = try Album()
        #expect(throws: QueryError.self) {
            try album.run(Query(entity: "Photo", sort: [SortKey("length(caption)", form: .caseFolded)]))
        }
        let rows = try album.run(
            Query(entity: "Photo", sort: [SortKey("uppercase(caption)", form: .localizedStandard)]))
        #expect(rows.rows.count == 3_000)
    }

    @Test func aPropertyOfThatNameComesFirst() throws {
        let entity = Entity(
            id: 1, name: "Odd",
            properties: [
                Property(id: 1, name: "length(name)", type: .double, isOptional: false),
                Property(id: 2, name: "name", type: .string, isOptional: false),
            ])
        let query = try ResolvedQuery(Query(entity: "Odd", sort: [SortKey("length(name)")]), in: entity)
        #expect(query.order[0].path.type == .double)
    }

    private static let odd = Entity(
        id: 1, name: "Odd",
        properties: [
            Property(id: 1, name: "text", type: .string, isOptional: false),
            Property(id: 2, name: "count (2020)", type: .int64, isOptional: true),
            Property(id: 3, name: "when", type: .date, isOptional: false),
            Property(id: 4, name: "is so", type: .bool, isOptional: false),
            Property(id: 5, name: "tags", type: .array(of: .string, optional: false), isOptional: false),
            Property(id: 6, name: "link", type: .url, isOptional: false),
            Property(id: 7, name: "key", type: .uuid, isOptional: false),
            Property(
                id: 8, name: "box",
                type: .structure([
                    .init(name: "size (cm)", type: .double), .init(name: "size - (cm)", type: .int64),
                    .init(name: "size", type: .int64),
                ]), isOptional: false),
        ])

    @Test(arguments: ["size (cm)", "size - (cm)"]) func aMemberOfThatNameComesFirst(name: String) throws {
        let path = "box.\(name)"
        let query = try ResolvedQuery(
            Query(entity: "Odd", sort: [SortKey(path)], columns: [path, "abs(box.size)"]), in: Self.odd)
        #expect(query.order.map(\.path.members) == [[name]] && query.columns[0].members == [name])
        #expect(query.columns[1].description == "abs(box.size)")
        #expect(SortKey(path).expression == .keyPath(["box", name]))
        let error = #expect(throws: QueryError.self) {
            try ResolvedQuery(Query(entity: "Odd", sort: [SortKey("lenght(box.size)")]), in: Self.odd)
        }
        #expect(error?.description.contains("length") == true)
    }

    /// How a function of one key path is written leads back to it.
    @Test func everyFunctionIsFoundAsItIsWritten() throws {
        let checker = TypeChecker(entity: Self.odd)
        var written: [Function: String] = [:]
        for function in Function.allCases {
            let zone = function.entry.takesTimeZone ? [QueryExpression.constant(.string("Europe/Berlin"))] : []
            for names in Self.odd.properties.map({ [$0.name] }) + [["box", "size (cm)"], ["box", "size"]] {
                let expression = QueryExpression.call(function, [.keyPath(names)] + zone)
                guard let typed = try? checker.typed(expression, beside: nil), let call = PathCall(typed) else {
                    continue
                }
                let path = PropertyPath(call)
                let query = try ResolvedQuery(Query(entity: "Odd", columns: [path.written]), in: Self.odd)
                #expect(query.columns == [path], "\(path.written)")
                #expect(SortKey(path.written).expression == path.expression)
                written[function] = path.written
            }
        }
        #expect(written[.negate] == "(-box.size)")
        #expect(written[.onesComplement] == "(~box.size)")
        for function in [.length, .uppercase, .first, .startOfDay, .floor, .toString, .toURL] as [Function] {
            #expect(written[function] != nil, "\(function)")
        }
    }
}

/// Every plan of a query with functions in its order gives what a full scan gives, also under pending changes.
@Suite struct RandomFunctionOrderTests {
    @Test(arguments: [(seed: 31, share: 1), (seed: 32, share: 0.3)] as [(seed: UInt64, share: Double)])
    func plansEqualAFullScan(seed: UInt64, share: Double) throws {
        let sample = try SampleStore(seed: seed, rowCount: 120, longStrings: seed % 2 == 0, indexShare: share)
        let keys = [
            "length(name)", "lowercase(name)", "length(note)", "floor(size)", "round(price)", "negate(small)",
            "startOfDay(day)", "year(day, 'Europe/Berlin')", "month(day, 'Pacific/Apia')", "first(tags)",
            "lowercase(address.city)", "abs(address.zip)", "string(weight)",
        ]
        try sample.store.read { snapshot in
            let entity = try snapshot.entity(named: "Thing")
            let ids = sample.rows[0].rowID...sample.rows[sample.rows.count - 1].rowID + 20
            var arrangements: Set<String> = []
            for number in 0..<UInt64(150) {
                var generator = SeededGenerator(seed: seed << 32 | number)
                var source = RandomQuery(entity, seed: seed << 32 | number)
                var query = source.query(rowIDs: ids)
                let direction = Bool.random(using: &generator) ? SortDirection.ascending : .descending
                query.sort.insert(SortKey(ValuePool.pick(keys, &generator), direction: direction), at: 0)
                if query.section != nil { query.section = query.sort[0].path }
                let (overlay, rows) = sample.overlay(of: entity, &generator)
                for (overlay, rows) in [(nil, sample.rows), (overlay, rows)]
                    as [(Overlay?, [(rowID: RowID, values: [Value])])]
                {
                    let check = QueryCheck(FullScan(entity: entity, rows: rows), in: snapshot, overlay: overlay)
                    let plans = try check.plans(of: query)
                    for plan in plans where !plan.query.openOrder.isEmpty { arrangements.insert("\(plan.arrangement)") }
                    let difference = try check.difference(of: query, in: plans)
                    try #require(difference == nil, "seed \(seed) number \(number)")
                }
            }
            #expect(arrangements.contains("served") && arrangements.contains { $0.hasPrefix("partial") })
        }
    }
}
