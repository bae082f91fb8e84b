import Foundation
import LoamStorage
import RandomQueries
import SeededRandom
import Testing

@testable import LoamQuery

/// Programs about arrays, dictionaries and structures, which read the encoded bytes, answer as the predicates that they
/// were made of, which read values.
@Suite struct CollectionProgramTests {
    private static let formats = [
        // Wholes.
        "tags == tags", "tags == %tags", "tags != %tags", "tags == nil", "levels == %levels", "levels != levels",
        "prices == %prices", "codes == %codes", "days == days", "grid == %grid", "grid != grid", "%grid.0 IN grid",
        "facts == %facts", "labels == %labels", "labels != labels", "scores == %scores", "home == %home",
        "scores == tallies", "tallies != scores", "scores == %tallies", "ranks == %scores", "ranks == tallies",
        "NOT tallies == %ranks",
        "home == home",
        "people == %people", "people != people",
        // Elements that are no single values.
        "grid[0] == grid[1]", "grid[0] == %grid.0", "lists['a'] == tags",
        "lists['a'] != %tags", "lists[name] == nil", "lists['a'] IN {%tags, {'a'}}", "grid[small] == {1, nil}",
        // Elements.
        "tags[0] == %name", "tags[LAST] > name", "tags[FIRST] < name", "tags[small] == name", "marks[1] > 2",
        "levels[LAST] > level", "prices[0] < price", "labels['a'] == name", "labels[name] CONTAINS[cd] 'e'",
        "facts['a'] > level", "facts[name] == nil", "scores[small] > 1", "scores[code] > 1", "scores[5] == small",
        "home.tags[1] == name",
        // Elements of elements.
        "lists['a'][0] == name", "lists['a'][FIRST] != %name", "lists[name][LAST] > name", "grid[0][1] > small",
        "grid[FIRST] == grid[LAST]", "grid[FIRST][LAST] < id", "grid[small][small] == small",
        // Tests of elements.
        "ANY tags == name", "ANY tags BEGINSWITH[cd] name", "ALL tags CONTAINS[c] 'A'", "NONE tags == %name",
        "ANY marks > small", "ALL marks >= 1", "ANY levels > level", "NONE levels < 1", "ANY prices == price",
        "ALL prices < 5.5", "ANY codes > id", "ANY days < day", "ANY tags == nil", "ALL tags != nil", "name IN tags",
        "level IN levels", "price IN prices", "nil IN marks", "small IN marks", "ANY home.tags == name",
        "SUBQUERY(people, $p, $p.name == name).@count > 0", "SUBQUERY(people, $p, $p.age > small).@count == 1",
        "SUBQUERY(people, $p, $p.home == nil).@count > 0",
        "SUBQUERY(people, $p, ANY $p.nicknames == name).@count > 0",
        "SUBQUERY(people, $p, SUBQUERY($p.nicknames, $n, $n == name OR $n == $p.name).@count > 0).@count > 0",
        "SUBQUERY(people, $p, TERNARY($p.age > small, $p.name, name) == 'a').@count > 0",
        "SUBQUERY(tags, $t, TERNARY($t > name, $t, note) == name).@count > 1",
        // Tests of pairs.
        "SUBQUERY(facts, $p, $p.value > level).@count > 0", "SUBQUERY(facts, $p, $p.value == nil).@count == 0",
        "SUBQUERY(labels, $p, $p.key == name OR $p.value BEGINSWITH[cd] 'e').@count > 0",
        "SUBQUERY(scores, $p, $p.key == small AND $p.value > 1).@count == 1",
        "SUBQUERY(scores, $p, TRUEPREDICATE).@max.value > small",
        "SUBQUERY(labels, $p, $p.value != nil).@min.key < name",
        "SUBQUERY(ranks, $p, $p.value > 1).@sum.key > 2", "SUBQUERY(lists, $p, name IN $p.value).@count > 0",
        "SUBQUERY(lists, $p, $p.value.@count > 1 AND $p.key == 'a').@count > 0",
        "SUBQUERY(lists, $p, SUBQUERY($p.value, $v, $v == $p.key OR $v == name).@count > 0).@count > 0",
        "SUBQUERY(tallies, $p, SUBQUERY(tallies, $q, $q == $p).@count == 1).@count > 1",
        // Tests of elements of elements.
        "name IN lists['a']", "name IN lists[name]", "lists['a'] CONTAINS %name", "nil IN lists['a']",
        "small IN grid[0]", "id IN grid[small]", "ANY lists['a'] == name", "ANY lists['a'] BEGINSWITH[cd] name",
        "ALL lists['a'] CONTAINS[c] 'A'", "NONE lists['a'] == %name", "ANY grid[0] > small", "ALL grid[LAST] >= 1",
        "SUBQUERY(lists['a'], $x, $x == name OR $x == note).@count > 0",
        "SUBQUERY(grid, $g, small IN $g).@count > 0", "SUBQUERY(grid, $g, $g.@count > 2).@count == 1",
        "SUBQUERY(grid, $g, SUBQUERY($g, $n, $n > small AND $n != $g[0]).@count > 0).@count > 0",
        "SUBQUERY(grid, $g, ANY $g == small).@count > 0", "SUBQUERY(people, $p, $p.name IN lists['a']).@count > 0",
        "SUBQUERY(tags, $t, $t IN lists[$t]).@count == 0",
        "SUBQUERY(tags, $t, SUBQUERY(lists[$t], $l, $l != $t OR $l == name).@count > 0).@count == 0",
        "ANY SUBQUERY(lists['a'], $x, $x != nil) == name", "TERNARY(name IN lists['a'], name, note) == 'a'",
        // What is made of elements.
        "lists['a'].@count > 1", "lists['a'][SIZE] == 2", "lists[name].@count == nil", "grid[0].@sum > 3",
        "grid[0].@avg > 2", "grid[LAST].@max > small", "grid[small].@min < 2", "lists['a'].@min < name",
        "grid[0][SIZE] == grid[LAST].@count", "SUBQUERY(grid[0], $n, $n > small).@sum > 4", "sum(grid[0]) > 3",
        "count(lists['a']) == 2", "median(grid[0]) > 2", "grid[FIRST].@mode == small",
        "tags[SIZE] > 2", "tags.@count == 3", "people.@count == 2", "home.tags.@count > small", "marks.@sum > 5",
        "marks.@avg > 2", "marks.@max == 3", "marks.@min < id", "codes.@sum > 100", "codes.@max > id",
        "levels.@sum > level", "levels.@avg < level", "levels.@min == level", "levels.@max > 1", "prices.@sum > 10",
        "prices.@avg < price", "prices.@max > 3", "tags.@min < name", "tags.@max > name", "days.@max > day",
        "median(marks) > 2", "median(levels) > 1", "median(prices) < price", "mode(tags) == name", "mode(marks) == 3",
        "mode(levels) == level", "mode(codes) == id", "stddev(levels) < 10", "stddev(marks) > 1", "stddev(prices) > 1",
        "SUBQUERY(marks, $m, $m > small).@sum > 4", "SUBQUERY(levels, $l, $l < level).@avg < 1",
        // Characters and bytes.
        "name[FIRST] == note[LAST]", "name[LAST] != %name", "tags[FIRST][FIRST] < name",
        "first(lowercase(name)) == 'e'",
        "blob[FIRST] > small", "blob[LAST] == blob[1]", "blob[2] == nil", "blob[-1] == nil",
        "first(first(note)) == name",
        "SUBQUERY(name, $c, $c > 'e').@count > 0", "SUBQUERY(note, $c, $c != name).@max > 'b'",
        "SUBQUERY(blob, $b, $b > small).@sum > 100", "SUBQUERY(blob, $b, $b < 100)[LAST] > id",
        "SUBQUERY(uppercase(name), $c, $c == name[FIRST])[SIZE] == 1", "SUBQUERY(note, $c, TRUEPREDICATE).@mode == 'a'",
        "SUBQUERY(tags, $t, SUBQUERY($t, $c, $c == name[FIRST]).@count > 0).@count > 0",
        "SUBQUERY(blob, $b, $b IN codes).@count > 0",
        // The first and the last of what a subquery finds.
        "SUBQUERY(tags, $t, $t > name)[FIRST] == note", "SUBQUERY(tags, $t, $t != nil)[LAST] > name",
        "SUBQUERY(marks, $m, $m != small)[FIRST] == nil", "SUBQUERY(lists['a'], $l, $l != name)[LAST] > 'a'",
        "SUBQUERY(people, $p, $p.age > small)[FIRST].name > name",
        "SUBQUERY(grid, $g, $g.@count > 1)[LAST] == grid[LAST]",
        "name IN SUBQUERY(people, $p, $p.nicknames != nil)[FIRST].nicknames",
        // Members of elements.
        "people.@max.age > small", "people.@min.name == %name", "count(people.age) == 1", "people.@sum.home.size > 1",
        "SUBQUERY(people, $p, $p.age > small).@sum.age > 3", "SUBQUERY(people, $p, $p.name > name).@avg.age < id",
        "SUBQUERY(people, $p, SUBQUERY($p.nicknames, $n, $n == name).@count > 0).@count.home > 0",
        "SUBQUERY(people, $p, TRUEPREDICATE).@mode.name == 'a'",
        // Elements of the row around, tested by what lies between.
        "SUBQUERY(tags, $t, SUBQUERY(marks, $m, $t > name AND $m > small).@count > 0).@count > 0",
        "SUBQUERY(tags, $t, SUBQUERY(tags, $u, $u > $t).@count == 1).@count > 0",
        "SUBQUERY(people, $p, SUBQUERY(tags, $t, $t == $p.name OR $t IN $p.nicknames)[SIZE] > 0)[LAST].name > 'a'",
        "SUBQUERY(grid, $g, SUBQUERY(marks, $m, $m IN $g AND $m < small).@max > 0).@count > 0",
        "SUBQUERY(tags, $t, ANY SUBQUERY(name, $c, $c == $t) == note[FIRST]).@count == 0",
        // What lies one behind the other.
        "tags BEGINSWITH tags", "tags CONTAINS %tags", "tags ENDSWITH {'a'}", "tags BEGINSWITH {nil}",
        "lists['a'] BEGINSWITH %tags", "tags CONTAINS lists['a']", "%tags CONTAINS tags", "{1, nil, 2} CONTAINS marks",
        "grid BEGINSWITH %grid", "grid ENDSWITH {{1}, nil}", "marks CONTAINS {1}", "marks CONTAINS codes",
        "codes ENDSWITH marks", "tags CONTAINS[cd] {'A'}", "levels BEGINSWITH %levels", "people ENDSWITH people",
        "blob CONTAINS blob", "blob BEGINSWITH %blob", "blob ENDSWITH %blob", "blob CONTAINS {7}",
        "NOT tags CONTAINS {}",
        "home.tags CONTAINS %tags", "SUBQUERY(grid, $g, $g BEGINSWITH {1}).@count > 0",
        // What is made of lists.
        "median({id, small, level}) > 1", "mode({id, small, code}) == 3", "stddev({id, level}) > 3",
        "max({id, small, price}) > 3", "min({level, price, id}) < 1", "sum({price, id, small}) > 5",
        "average({price, small}) > 2", "sum({code, id}) > 5", "mode({name, note, 'a'}) == 'a'",
        "max({name, note}) == name", "count({name, note, small}) == 2", "median({price, id}) > 2",
        // Choices.
        "TERNARY(id > 5, name, note) == 'a'", "TERNARY(name == note, price, level) > 1",
        "TERNARY(ANY tags == name, note, name) BEGINSWITH[cd] 'e'",
        "TERNARY(id > TERNARY(level > 1, small, id), name, TERNARY(note == nil, name, note)) > 'b'",
        "small + TERNARY(id + 1 > level, id, small) * 2 > 4", "level BETWEEN {TERNARY(id > 2, 0, -1), id + 1}",
        "median({id, TERNARY(name > note, small, id), marks.@sum}) > 2",
    ]

    @Test(arguments: [21, 22, 23] as [UInt64])
    func itAgreesWithThePredicate(seed: UInt64) throws {
        var source = BasketSource(seed: seed)
        let store = try BasketStore(&source, rowCount: 60)
        var (matches, tests) = (0, 0)
        try store.store.read { snapshot in
            let entity = try snapshot.entity(named: "Basket")
            let programs = try Self.formats.flatMap { format in
                try (0..<(format.contains("%") ? 6 : 1)).map { _ in
                    try source.compiled(format, of: entity, store.rows)
                }
            }
            try snapshot.scanRows(of: entity) { row in
                let plain = PlainRow(rowID: row.rowID, values: try row.values())
                for (predicate, program) in programs {
                    let holds = try predicate.holds(plain, related: nil)
                    tests += 1
                    if holds { matches += 1 }
                    let found = try (program.matches(row), program.matches(plain))
                    try #require(found == (holds, holds), "\(predicate) of \(plain.values.map(\.formatText))")
                }
                return true
            }
        }
        #expect(matches > tests / 5 && matches < tests - tests / 5, "\(matches) of \(tests)")
    }

    /// Entries of an index hold the encoded bytes in fields beside the key, where these fit.
    @Test(arguments: [24, 25] as [UInt64])
    func itAgreesWithThePredicateOnEntries(seed: UInt64) throws {
        var source = BasketSource(seed: seed)
        let store = try BasketStore(&source, rowCount: 80)
        var (matches, tests) = (0, 0)
        try store.store.read { snapshot in
            let entity = try snapshot.entity(named: "Basket")
            let index = try #require(entity.indexes.first)
            for format in Self.formats {
                let (predicate, program) = try source.compiled(format, of: entity, store.rows)
                guard let covering = try Covering(predicate.paths, in: index), !predicate.paths.isEmpty else {
                    continue
                }
                var entry = try CoveredRow(covering, index: index, entity: entity)
                try snapshot.scanIndex(index, range: .all) { batch in
                    for place in 0..<batch.count where try entry.fill(from: batch, at: place) {
                        let values = try snapshot.withRow(entry.rowID, of: entity) { try $0.values() } ?? []
                        let holds = try predicate.holds(PlainRow(rowID: entry.rowID, values: values), related: nil)
                        tests += 1
                        if holds { matches += 1 }
                        try #require(
                            try program.matches(entry) == holds, "\(predicate) of \(values.map(\.formatText))")
                    }
                    return true
                }
            }
        }
        #expect(matches > tests / 5 && matches < tests - tests / 5 && tests > 1_000, "\(matches) of \(tests)")
    }

    /// Parts are compared in whatever order they lie: a text has several encodings, and these decide the order of names.
    @Test func partsAreFoundInAnyOrder() throws {
        let composed = Value.dictionary([.string("é"): .int(1), .string("f"): .int(2), .string("z"): .null])
        let decomposed = Value.dictionary([
            .string("e\u{301}"): .uint(1), .string("f"): .double(2), .string("z"): .null,
        ])
        let other = Value.dictionary([.string("e\u{301}"): .uint(1), .string("f"): .double(2), .string("y"): .null])
        let memory = TextMemory()
        func areEqual(_ left: Value, _ right: Value) throws -> Bool {
            try memory.keep(left).isTrue(.equal, memory.keep(right), form: .exact)
        }
        #expect(try areEqual(composed, decomposed) && areEqual(decomposed, composed))
        #expect(try !areEqual(composed, other) && !areEqual(other, composed))
        #expect(try areEqual(.structure(["a": .null]), .structure([:])))
        #expect(try !areEqual(.array([.double(.nan)]), .array([.double(.nan)])))
        #expect(try areEqual(.array([.double(-0.0), .null]), .array([.int(0), .null])))
        #expect(try !areEqual(.array([.array([])]), .array([.dictionary([:])])))
        #expect(try !areEqual(.array([.int(1)]), .array([.int(1), .int(2)])))
    }

    /// What no record can hold is refused, not followed down.
    @Test func bytesNestedTooDeeplyAreDamage() throws {
        var deep: [UInt8] = []
        for _ in 0..<200 { deep = [0x30] + Self.length(deep.count + 1) + [deep.isEmpty ? 0 : 1] + deep }
        deep.withUnsafeBytes { bytes in
            let value = UnboxedValue.text(.composite, bytes)
            #expect(throws: StorageError.self) { try value.isTrue(.equal, value, form: .exact) }
            #expect(throws: StorageError.self) { try value.isSameKey(as: value) }
        }
    }

    private static func length(_ length: Int) -> [UInt8] {
        length < 0x80 ? [UInt8(length)] : [UInt8(length & 0x7F) | 0x80, UInt8(length >> 7)]
    }
}

/// Makes random rows with arrays, dictionaries and structures, and predicates about them.
private struct BasketSource {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let definition = EntityDefinition(
        "Basket",
        properties: [
            .init("id", type: .int64), .init("small", type: .int8, isOptional: true), .init("code", type: .uint64),
            .init("level", type: .double, isOptional: true), .init("price", type: .decimal, isOptional: true),
            .init("name", type: .string), .init("note", type: .string, isOptional: true),
            .init("day", type: .date, isOptional: true),
            .init("blob", type: .data, isOptional: true), array("tags", of: .string), array("marks", of: .int8),
            array("levels", of: .double),
            array("prices", of: .decimal), array("codes", of: .uint64), array("days", of: .date),
            array("grid", of: .array(of: .int32, optional: true)), array("people", of: person),
            .init("facts", type: .dictionary(key: .string, value: .double, optional: true), isOptional: true),
            .init("labels", type: .dictionary(key: .string, value: .string, optional: true), isOptional: true),
            .init("scores", type: .dictionary(key: .int32, value: .int64, optional: false), isOptional: true),
            .init("home", type: home, isOptional: true),
            .init("tallies", type: .dictionary(key: .uint64, value: .int8, optional: true), isOptional: true),
            .init("ranks", type: .dictionary(key: .double, value: .uint64, optional: false), isOptional: true),
            .init(
                "lists", type: .dictionary(key: .string, value: .array(of: .string, optional: true), optional: true),
                isOptional: true),
        ],
        indexes: [
            .init(
                [.init("id"), .init("name")],
                included: ["small", "level", "price", "note", "tags", "marks", "levels", "people", "labels", "home"])
        ])

    private static let home = ValueType.structure([
        .init(name: "city", type: .string), .init(name: "size", type: .float, isOptional: true),
        .init(name: "tags", type: .array(of: .string, optional: true), isOptional: true),
    ])
    private static let person = ValueType.structure([
        .init(name: "name", type: .string), .init(name: "age", type: .int32, isOptional: true),
        .init(name: "home", type: home, isOptional: true),
        .init(name: "nicknames", type: .array(of: .string, optional: false), isOptional: true),
    ])

    private static func array(_ name: String, of type: ValueType) -> PropertyDefinition {
        .init(name, type: .array(of: type, optional: true), isOptional: true)
    }

    mutating func value(of type: ValueType, isOptional: Bool, depth: Int = 0) -> Value {
        if isOptional, Int.random(in: 0..<5, using: &generator) == 0 { return .null }
        switch type {
        case .array(let element, let optional):
            // Long ones are sorted in several runs, and very long ones lie outside of the record.
            let isLong = depth == 0 && Int.random(in: 0..<12, using: &generator) == 0
            let count = isLong ? Int.random(in: 20...300, using: &generator) : Int.random(in: 0...4, using: &generator)
            return .array((0..<count).map { _ in value(of: element, isOptional: optional, depth: depth + 1) })
        case .dictionary(let key, let element, let optional):
            var pairs: [Value: Value] = [:]
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                pairs[value(of: key, isOptional: false)] = value(of: element, isOptional: optional, depth: 1)
            }
            return .dictionary(pairs)
        case .structure(let members):
            var values: [String: Value] = [:]
            for member in members {
                values[member.name] = value(of: member.type, isOptional: member.isOptional, depth: depth + 1)
            }
            return .structure(values)
        case .string: return .string(ValuePool.pick(Array(ValuePool.strings.prefix(10)), &generator))
        case .double: return .double(ValuePool.pick([0, -0.0, 1, 1.5, 2, 5, .nan, .infinity, -3.25, 0.1], &generator))
        case .decimal: return .decimal(ValuePool.pick([0, 1, 1.5, 2, 5, -2.25, Decimal(100) / 3], &generator))
        case .uint64: return .uint(ValuePool.pick([0, 1, 2, 3, 5, 200], &generator))
        case .int64: return .int(ValuePool.pick([0, 1, 2, 3, 5, -1, 200], &generator))
        default: return ValuePool.value(of: type, &generator)
        }
    }

    /// A predicate with random constants, of which most are some row's values.
    mutating func compiled(
        _ format: String, of entity: Entity, _ rows: [[Value]]
    ) throws -> (TypedPredicate, FilterProgram) {
        var (format, arguments) = (format, [Value]())
        if let mark = format.firstIndex(of: "%") {
            let name = format[format.index(after: mark)...].prefix { $0.isLetter }
            let position = try #require(entity.position(of: String(name)))
            var constant = Value.null
            for _ in 0..<20 where constant.isNull { constant = ValuePool.pick(rows, &generator)[position] }
            if format.contains(".0"), case .array(let elements) = constant { constant = elements.first ?? .null }
            format = format.replacing("%\(name).0", with: "%@").replacing("%\(name)", with: "%@")
            arguments = [constant]
        }
        let predicate = try TypeChecker(entity: entity).check(PredicateParser.parse(format, arguments: arguments))
        return (predicate, try FilterProgram(Filter(predicate)))
    }
}

private struct BasketStore {
    let store: Store
    let rows: [[Value]]

    init(_ source: inout BasketSource, rowCount: Int) throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(.addEntity(BasketSource.definition))
        let entity = try store.read { try $0.entity(named: "Basket") }
        var (batch, rows) = (WriteBatch(author: "test"), [[Value]]())
        for _ in 0..<rowCount {
            rows.append(entity.properties.map { source.value(of: $0.type, isOptional: $0.isOptional) })
            batch.insert(
                try store.catalog().encode(rows[rows.count - 1], as: entity.id), into: entity.id,
                rowID: try store.makeRowID())
        }
        try store.save(batch)
        self.rows = rows
    }
}
