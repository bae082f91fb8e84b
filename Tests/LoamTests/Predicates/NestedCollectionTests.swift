import Testing

@testable import Loam

@Suite("Elements of elements of a collection are asked for")
struct NestedCollectionTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try memoryContainer(NestedLists.self))
        context.insert(NestedLists(1, lists: ["a": ["x"], "b": []], grid: [[1, 2], []], tags: ["x"]))
        context.insert(NestedLists(2, lists: ["a": ["x", "y"]], grid: [[1]], tags: ["x", "z"]))
        context.insert(NestedLists(3, lists: ["b": ["e\u{301}"]], grid: [], tags: []))
        try context.save()
    }

    /// What a fetch finds, of saved models and of changed ones, and what the predicate says of each model.
    private func expectEach(
        _ predicate: Predicate<NestedLists>, _ ids: [Int], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let all = try context.fetch(FetchDescriptor<NestedLists>(sortBy: [SortDescriptor(\.id)]))
        #expect(try all.filter(predicate.evaluate).map(\.id) == ids, sourceLocation: sourceLocation)
        let text = try predicate.predicateFormat
        for predicate in [predicate, try Predicate<NestedLists>(format: text)] {
            let descriptor = FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])
            #expect(try context.fetch(descriptor).map(\.id) == ids, "\(text)", sourceLocation: sourceLocation)
            for model in all { model.tags = model.tags }
            let pending = try context.fetch(descriptor).map(\.id)
            #expect(context.hasChanges && pending == ids, "\(text)", sourceLocation: sourceLocation)
            context.rollback()
        }
    }

    @Test func elementsOfElementsInPredicates() throws {
        let (key, letter) = ("a", "y")
        try expectEach(#Predicate { $0.lists["a"]?.contains("x") == true }, [1, 2])
        try expectEach(#Predicate { $0.lists[key]?.contains(letter) == true }, [2])
        try expectEach(#Predicate { $0.lists["a"]?.contains("x") != true }, [3])
        try expectEach(#Predicate { $0.lists["b", default: []].contains("é") }, [3])
        try expectEach(#Predicate { $0.lists["b", default: ["é"]].contains("é") }, [2, 3])
        try expectEach(#Predicate { $0.lists["a"]?.count == 2 }, [2])
        try expectEach(#Predicate { $0.lists["a", default: []].count < 2 }, [1, 3])
        try expectEach(#Predicate { $0.lists["b"]?.isEmpty == true }, [1])
        try expectEach(#Predicate { $0.lists["b", default: []].isEmpty }, [1, 2])
        try expectEach(#Predicate { $0.lists["a"]?.first == "x" }, [1, 2])
        try expectEach(#Predicate { $0.lists["a"]?.last == "y" }, [2])
        try expectEach(#Predicate { $0.lists["a"]?.contains { $0 > "x" } == true }, [2])
        try expectEach(#Predicate { row in row.lists["a"]?.contains { row.tags.contains($0) } == true }, [1, 2])
        try expectEach(#Predicate { $0.lists["a"]?.allSatisfy { $0 == "x" } == true }, [1])
        try expectEach(#Predicate { $0.lists["a", default: []].filter { $0 == "x" }.count == 1 }, [1, 2])
        try expectEach(#Predicate { $0.lists["a"]?.max() == "y" }, [2])
        try expectEach(#Predicate { $0.lists["a", default: ["y"]].max() == "y" }, [2, 3])
        try expectEach(#Predicate { $0.lists["a", default: ["x", "y"]].filter { $0 == "x" }.count == 1 }, [1, 2, 3])
        try expectEach(#Predicate { $0.grid.contains { $0.contains(2) } }, [1])
        try expectEach(#Predicate { $0.grid.contains { $0.isEmpty } }, [1])
        try expectEach(#Predicate { row in row.grid.contains { $0.count == row.grid.count } }, [1, 2])
        try expectEach(#Predicate { $0.grid.allSatisfy { $0.contains { $0 == 1 } } }, [2, 3])
        try expectEach(#Predicate { !$0.grid.isEmpty && $0.grid[0].contains(1) && $0.grid[0].count == 1 }, [2])
        try expectEach(#Predicate { ($0.grid.first?.max() ?? 0) == 2 }, [1])
        try expectEach(
            #Predicate { row in
                guard let list = row.lists["a"] else { return row.grid.isEmpty }
                let tags = row.tags
                return list.count == tags.count && list.contains { tags.contains($0) }
            }, [1, 2, 3])
    }

    @Test func elementsOfElementsInFormats() throws {
        try expectEach(Predicate(format: "'x' IN lists['a']"), [1, 2])
        try expectEach(Predicate(format: "lists['a'] CONTAINS %@", "y"), [2])
        try expectEach(Predicate(format: "lists['a'][FIRST] == 'x' AND lists['a'].@count < 2"), [1])
        try expectEach(Predicate(format: "lists['a'][LAST] == 'y' OR lists['b'][0] ==[cd] 'E'"), [2, 3])
        try expectEach(Predicate(format: "grid[0][SIZE] == 2 AND grid[0].@sum == 3 AND grid[0][1] == 2"), [1])
        try expectEach(Predicate(format: "ANY lists['a'] > 'x'"), [2])
        try expectEach(Predicate(format: "ALL lists['a'] == 'x' AND lists['a'] != nil"), [1])
        try expectEach(Predicate(format: "NONE lists['a'] == 'y'"), [1, 3])
        try expectEach(Predicate(format: "SUBQUERY(lists['a'], $x, $x IN tags).@count == tags.@count"), [1])
        try expectEach(Predicate(format: "SUBQUERY(grid, $row, $row.@count == 2 AND 1 IN $row).@count == 1"), [1])
        try expectEach(Predicate(format: "grid[FIRST] == {1} OR grid[LAST].@count == 0"), [1, 2])
    }

    @Test func whatAnElementIsNotIsRefused() throws {
        for format in ["tags[0].@count == 1", "'a' IN tags[0].x", "lists['a'].@sum == 1", "ANY lists == 'x'"] {
            #expect(throws: SwiftDataError.unsupportedPredicate, "\(format)") {
                _ = try context.fetch(FetchDescriptor<NestedLists>(predicate: Predicate(format: format)))
            }
        }
    }
}
