import Foundation
import LoamQuery
import Testing

@testable import Loam

@Model final class NestedLists {
    var id: Int
    var lists: [String: [String]]
    var grid: [[Int]]
    var tags: [String]

    init(_ id: Int, lists: [String: [String]], grid: [[Int]], tags: [String]) {
        (self.id, self.lists, self.grid, self.tags) = (id, lists, grid, tags)
    }
}

@Suite("Elements of a collection that are collections are compared as wholes")
struct CollectionElementTests {
    private let context: ModelContext

    init() throws {
        context = ModelContext(try memoryContainer(NestedLists.self))
        context.insert(NestedLists(1, lists: ["a": ["x"], "b": []], grid: [[1, 2], []], tags: ["x"]))
        context.insert(NestedLists(2, lists: ["a": ["x", "y"]], grid: [[1]], tags: ["x", "z"]))
        context.insert(NestedLists(3, lists: ["b": ["e\u{301}"]], grid: [], tags: []))
        try context.save()
    }

    private func expect(_ predicate: Predicate<NestedLists>, _ ids: [Int]) throws {
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)]))
        #expect(found.map(\.id) == ids)
    }

    @Test func inPredicates() throws {
        try expect(#Predicate { $0.lists["a"] == ["x"] }, [1])
        try expect(#Predicate { $0.lists["b"] == ["é"] }, [3])
        try expect(#Predicate { $0.lists["b"] == [] }, [1])
        try expect(#Predicate { $0.lists["a"] != ["x"] }, [2, 3])
        try expect(#Predicate { $0.lists["a"] == $0.tags }, [1])
        try expect(#Predicate { $0.lists["a"] == nil }, [3])
        try expect(#Predicate { $0.grid[0] == [1, 2] }, [1])
        let key = "a"
        try expect(#Predicate { $0.lists[key] == ["x", "y"] }, [2])
    }

    @Test func inFormats() throws {
        try expect(Predicate(format: "lists['a'] == {'x'}"), [1])
        try expect(Predicate(format: "lists['a'] == tags OR grid[0] == {1}"), [1, 2])
        try expect(Predicate(format: "grid[5] == nil"), [1, 2, 3])
        #expect(throws: SwiftDataError.self) { try expect(Predicate(format: "lists['a'] < {'x'}"), []) }
    }
}
