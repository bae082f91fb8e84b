import LoamStorage
import Testing

@testable import LoamQuery

/// How a function of a property is asked for in an order, and what is none.
@Suite struct FunctionNameTests {
    @Test(arguments: [
        ("length(rating)", "length"), ("length(caption", "the end"), ("lenght(caption)", "length"),
        ("length(captoin)", "caption"),
        ("length(lowercase(caption))", "one function of a key path"), ("modulus:by:(rating, 2)", "one function"),
        ("year(taken, 'Europe/Brelin')", "Europe/Berlin"), ("sum({rating})", "one function"),
        ("rating > (2)", "the end"),
        ("length(caption, rating)", "length"), ("(caption)", "one function"),
    ])
    func whatIsNoFunctionOfAKeyPathIsRefused(path: String, word: String) throws {
        let album = try PhotoAlbum()
        for query in [Query(entity: "Photo", sort: [SortKey(path)]), Query(entity: "Photo", section: path)] {
            let error = #expect(throws: QueryError.self) { try album.run(query) }
            #expect(error?.description.contains(word) == true, "\(error?.description ?? "")")
        }
    }

    @Test func onlyFunctionsThatGiveTextHaveForms() throws {
        let album = try PhotoAlbum()
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
