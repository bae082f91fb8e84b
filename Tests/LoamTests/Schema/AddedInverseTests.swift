import Foundation
import Loam
import LoamStorage
import SeededRandom
import Testing

private enum OneWay {
    @Model final class Cat {
        var name: String
        var home: Home?

        init(_ name: String, _ home: Home? = nil) { (self.name, self.home) = (name, home) }
    }

    @Model final class Home {
        var street: String

        init(_ street: String) { self.street = street }
    }
}

private enum TwoWay {
    @Model final class Cat {
        var name: String
        var home: Home?

        init(_ name: String, _ home: Home? = nil) { (self.name, self.home) = (name, home) }
    }

    @Model final class Home {
        var street: String
        @Relationship(deleteRule: .cascade, inverse: \Cat.home) var cats: [Cat] = []

        init(_ street: String) { self.street = street }
    }
}

private enum OneToOne {
    @Model final class Cat {
        var name: String
        var home: Home?

        init(_ name: String) { self.name = name }
    }

    @Model final class Home {
        var street: String
        @Relationship(inverse: \Cat.home) var cat: Cat?

        init(_ street: String) { self.street = street }
    }
}

private enum Tree {
    @Model final class Node {
        var name: String
        @Relationship(inverse: \Node.children) var parent: Node?
        var children: [Node] = []

        init(_ name: String) { self.name = name }
    }
}

private enum Parents {
    @Model final class Node {
        var name: String
        var parent: Node?

        init(_ name: String, _ parent: Node? = nil) { (self.name, self.parent) = (name, parent) }
    }
}

@Suite("An inverse added to a to-one relationship")
struct AddedInverseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private let streets = ["Ash", "Elm", "Oak"]

    /// Makes thirty cats: every fifth has no home, the others take turns.
    private func makeStore() throws {
        let context = ModelContext(try folder.open(OneWay.Cat.self))
        let homes = streets.map(OneWay.Home.init)
        for home in homes { context.insert(home) }
        for number in 0..<30 {
            context.insert(OneWay.Cat("cat \(number)", number % 5 == 0 ? nil : homes[number % 3]))
        }
        try context.save()
    }

    private func cats(_ home: Int) -> [String] {
        (0..<30).filter { $0 % 5 != 0 && $0 % 3 == home }.map { "cat \($0)" }
    }

    private func homes(_ context: ModelContext) throws -> [TwoWay.Home] {
        try context.fetch(FetchDescriptor<TwoWay.Home>(sortBy: [SortDescriptor(\.street)]))
    }

    @Test("has the rows that refer to it, in their order, and keeps the order that it is given")
    func order() throws {
        try makeStore()
        let container = try folder.open(TwoWay.Cat.self)
        #expect(try container.store.check().faults == [])
        let context = ModelContext(container)
        var expected = (0..<3).map(cats)
        #expect(try homes(context).map { $0.cats.map(\.name) } == expected)
        let oak = "Oak"
        let found = try context.fetch(FetchDescriptor<TwoWay.Cat>(predicate: #Predicate { $0.home?.street == oak }))
        #expect(found.map(\.name) == expected[2])
        let busy = FetchDescriptor<TwoWay.Home>(predicate: #Predicate { $0.cats.contains { $0.name == "cat 4" } })
        #expect(try context.fetch(busy).map(\.street) == ["Elm"])
        var random = SeededGenerator(seed: 3)
        for step in 0..<30 {
            let all = try homes(context)
            let (from, to) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<3, using: &random))
            switch step % 4 {
            case 0 where !expected[from].isEmpty:
                let place = Int.random(in: expected[from].indices, using: &random)
                let cat = try #require(all[from].cats.first { $0.name == expected[from][place] })
                let target = Int.random(in: 0...expected[to].count - (from == to ? 1 : 0), using: &random)
                all[from].cats.removeAll { $0 === cat }
                all[to].cats.insert(cat, at: target)
                expected[to].insert(expected[from].remove(at: place), at: target)
            case 1:
                let target = Int.random(in: 0...expected[to].count, using: &random)
                all[to].cats.insert(TwoWay.Cat("new \(step)"), at: target)
                expected[to].insert("new \(step)", at: target)
            case 2 where !expected[from].isEmpty:
                let place = Int.random(in: expected[from].indices, using: &random)
                all[from].cats[place].home = nil
                expected[from].remove(at: place)
            default:
                expected[from].shuffle(using: &random)
                let byName = Dictionary(uniqueKeysWithValues: all[from].cats.map { ($0.name, $0) })
                all[from].cats = try expected[from].map { try #require(byName[$0]) }
            }
            try context.save()
            #expect(try homes(ModelContext(container)).map { $0.cats.map(\.name) } == expected, "step \(step)")
        }
        #expect(try container.store.check().faults == [])
        context.delete(try homes(context)[1])
        try context.save()
        let left = try ModelContext(container).fetch(FetchDescriptor<TwoWay.Cat>())
        #expect(!left.contains { expected[1].contains($0.name) })
        #expect(try container.store.check().faults == [])
    }

    @Test("beside a program whose models lack it: that goes on, and what it adds comes last")
    func olderProgram() throws {
        try makeStore()
        let old = ModelContext(try folder.open(OneWay.Cat.self))
        let cats = try old.fetch(FetchDescriptor<OneWay.Cat>())
        let container = try folder.open(TwoWay.Cat.self)
        let elm = try #require(cats.first { $0.name == "cat 1" }?.home)
        let free = try #require(cats.first { $0.name == "cat 0" })
        free.home = elm
        try #require(cats.first { $0.name == "cat 4" }).home = nil
        old.insert(OneWay.Cat("late", elm))
        try old.save()
        let expected = self.cats(1).filter { $0 != "cat 4" } + ["cat 0", "late"]
        #expect(try homes(ModelContext(container))[1].cats.map(\.name).sorted() == expected.sorted())
        #expect(try homes(ModelContext(container))[1].cats.map(\.name).prefix(6) == expected.prefix(6))
        let again = ModelContext(try folder.open(OneWay.Cat.self))
        #expect(try again.fetchCount(FetchDescriptor<OneWay.Cat>()) == 31)
        #expect(try container.store.check().faults == [])
    }

    @Test("of the same model makes a tree of rows that named their parents")
    func tree() throws {
        do {
            let context = ModelContext(try folder.open(Parents.Node.self))
            let root = Parents.Node("root")
            context.insert(root)
            for number in 0..<5 { context.insert(Parents.Node("child \(number)", root)) }
            try context.save()
        }
        let container = try folder.open(Tree.Node.self)
        let context = ModelContext(container)
        let root = try #require(try context.fetch(FetchDescriptor<Tree.Node>()).first { $0.name == "root" })
        #expect(root.children.map(\.name) == (0..<5).map { "child \($0)" })
        root.children.insert(Tree.Node("first"), at: 0)
        root.children.swapAt(2, 4)
        let names = root.children.map(\.name)
        try context.save()
        let stored = try ModelContext(container).fetch(FetchDescriptor<Tree.Node>()).first { $0.name == "root" }
        #expect(stored?.children.map(\.name) == names)
        #expect(try container.store.check().faults == [])
    }

    @Test("that is a to-one, too, is refused by name where two lead to one, and the file stays as it is")
    func oneToOne() throws {
        try makeStore()
        let before = try Data(contentsOf: folder.store)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(OneToOne.Cat.self) }
        #expect(error?.detail.contains("entity Home, property cat, row") == true)
        #expect(try Data(contentsOf: folder.store) == before)
        let context = ModelContext(try folder.open(OneWay.Cat.self))
        let cats = try context.fetch(FetchDescriptor<OneWay.Cat>(sortBy: [SortDescriptor(\.name)]))
        var homes: Set<PersistentIdentifier> = []
        for cat in cats where cat.home.map({ !homes.insert($0.persistentModelID).inserted }) ?? false { cat.home = nil }
        try context.save()
        let container = try folder.open(OneToOne.Cat.self)
        let stored = try ModelContext(container).fetch(FetchDescriptor<OneToOne.Home>())
        #expect(stored.count == 3 && stored.allSatisfy { home in home.cat?.home === home })
        #expect(try container.store.check().faults == [])
    }
}
