import Foundation
import Loam
import LoamStorage
import Observation
import Synchronization
import Testing

@Model final class Platform {
    @Attribute(.unique) var code: String
    @Attribute(.unique) var number: Int
    var name: String
    var details: String?
    var owner: Operator?
    var lines: [Line] = []

    init(_ code: String, _ number: Int, name: String = "", owner: Operator? = nil) {
        self.code = code
        self.number = number
        self.name = name
        self.owner = owner
    }
}

@Model final class Operator {
    var name: String
    @Relationship(inverse: \Platform.owner) var stations: [Platform] = []

    init(_ name: String) { self.name = name }
}

@Model final class Line {
    var id: Int
    @Relationship(inverse: \Platform.lines) var stations: [Platform] = []

    init(_ id: Int) { self.id = id }
}

@Suite("Inserts that become updates")
struct UpsertTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Platform.self)
    }

    private func stored() throws -> [Platform] {
        try ModelContext(container).fetch(FetchDescriptor<Platform>(sortBy: [SortDescriptor(\.code)]))
    }

    private func store(_ stations: Platform...) throws {
        let context = ModelContext(container)
        for platform in stations { context.insert(platform) }
        try context.save()
    }

    @Test("the inserted object stands for the stored row: its later changes are saved, rolled back and deleted")
    func stands() throws {
        try store(Platform("ZRH", 1, name: "Zurich"))
        let context = ModelContext(container)
        let again = Platform("ZRH", 1, name: "Zürich")
        context.insert(again)
        try context.save()
        again.name = "Zürich HB"
        #expect(context.hasChanges)
        try context.save()
        #expect(try stored().map(\.name) == ["Zürich HB"])
        again.name = "gone again"
        context.rollback()
        #expect(again.name == "Zürich HB")
        #expect(try context.fetch(FetchDescriptor<Platform>()).first === again)
        context.delete(again)
        try context.save()
        #expect(try stored().isEmpty)
    }

    @Test("where the row has an object already, both show and change the same, whichever is asked")
    func twins() throws {
        try store(Platform("ZRH", 1, name: "Zurich"))
        let context = ModelContext(container)
        let old = try #require(try context.fetch(FetchDescriptor<Platform>()).first)
        #expect(old.name == "Zurich")
        let new = Platform("ZRH", 1, name: "Zürich")
        context.insert(new)
        try context.save()
        #expect(old.name == "Zürich")
        #expect(old.persistentModelID == new.persistentModelID)
        #expect(try context.fetch(FetchDescriptor<Platform>()).first === new)
        new.name = "A"
        #expect(old.name == "A")
        old.details = "B"
        #expect(new.details == "B")
        #expect(context.changedModelsArray.count == 1)
        try context.save()
        #expect(try stored().map { [$0.name, $0.details] } == [["A", "B"]])
        old.name = "C"
        try context.save()
        #expect(try stored().map(\.name) == ["C"])
        let other = ModelContext(container)
        try #require(try other.fetch(FetchDescriptor<Platform>()).first).name = "D"
        try other.save()
        context.processPendingChanges()
        #expect([old.name, new.name] == ["D", "D"])
        old.name = "E"
        context.rollback()
        #expect([old.name, new.name] == ["D", "D"])
        context.delete(old)
        #expect(new.isDeleted)
        context.insert(new)
        context.delete(new)
        try context.save()
        #expect(old.modelContext == nil && new.modelContext == nil)
        #expect(try stored().isEmpty)
    }

    @Test("changes of the stored object and an insert of its value in one save: the inserted values win")
    func changedAndInserted() throws {
        try store(Platform("ZRH", 1, name: "Zurich"))
        let context = ModelContext(container)
        let old = try #require(try context.fetch(FetchDescriptor<Platform>()).first)
        old.name = "changed"
        context.insert(Platform("ZRH", 1, name: "inserted"))
        try context.save()
        #expect(old.name == "inserted")
        #expect(!context.hasChanges)
        old.name = "later"
        try context.save()
        #expect(try stored().map(\.name) == ["later"])
    }

    @Test(
        "of several objects with one value in one save the last one's values are stored, and all can be used",
        arguments: [false, true])
    func several(_ isStored: Bool) throws {
        if isStored { try store(Platform("ZRH", 1, name: "old")) }
        let context = ModelContext(container)
        let stations = (0..<3).map { Platform("ZRH", 1, name: "\($0)") }
        for platform in stations { context.insert(platform) }
        try context.save()
        #expect(stations.map(\.name) == ["2", "2", "2"])
        #expect(Set(stations.map(\.persistentModelID)).count == 1)
        #expect(stations.allSatisfy { $0.modelContext === context && !$0.hasChanges })
        for (number, platform) in stations.enumerated() {
            platform.name = "changed \(number)"
            #expect(stations.map(\.name) == Array(repeating: "changed \(number)", count: 3))
            try context.save()
            #expect(try stored().map(\.name) == ["changed \(number)"])
        }
        #expect(try context.fetchCount(FetchDescriptor<Platform>()) == 1)
    }

    @Test("the row keeps an object as long as one of them lives")
    func lifetimes() throws {
        let context = ModelContext(container)
        let kept = Platform("ZRH", 1, name: "first")
        context.insert(kept)
        do {
            let last = Platform("ZRH", 1, name: "last")
            context.insert(last)
            try context.save()
            #expect(context.registeredModel(for: kept.persistentModelID) as Platform? === last)
        }
        #expect(context.registeredModel(for: kept.persistentModelID) as Platform? === kept)
        #expect(try context.fetch(FetchDescriptor<Platform>()).first === kept)
        kept.name = "kept"
        try context.save()
        #expect(try stored().map(\.name) == ["kept"])
    }

    @Test("two constraints: the first one with such a row decides, and a chain in one save ends in what was said last")
    func chains() throws {
        try store(Platform("A", 1, name: "a"), Platform("B", 2, name: "b"))
        let context = ModelContext(container)
        // The first becomes A and frees its number, which the second then has.
        let first = Platform("A", 3, name: "first")
        let second = Platform("C", 1, name: "second")
        let third = Platform("D", 3, name: "third")
        for platform in [first, second, third] { context.insert(platform) }
        try context.save()
        let all = try stored()
        #expect(all.map(\.code) == ["B", "C", "D"])
        #expect(all.map(\.number) == [2, 1, 3])
        #expect(all.map(\.name) == ["b", "second", "third"])
        #expect(first.persistentModelID == third.persistentModelID)
        #expect(first.name == "third")
        // A platform that would have to be two rows is refused, and the store stays as it is.
        let both = Platform("B", 3, name: "both")
        context.insert(both)
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(try stored().count == 3)
        context.delete(both)
        try context.save()
        #expect(try container.store.check().faults.isEmpty)
    }

    @Test("relationships: the last parent has the row, links of all are kept, and lists on the other side are in step")
    func relationships() throws {
        let (left, right) = (Operator("left"), Operator("right"))
        let context = ModelContext(container)
        context.insert(left)
        context.insert(right)
        let old = Platform("ZRH", 1, owner: left)
        context.insert(old)
        try context.save()
        #expect(left.stations.map(\.code) == ["ZRH"])
        let (first, second) = (Platform("ZRH", 1), Platform("ZRH", 1))
        let lines = [Line(1), Line(2)]
        context.insert(first)
        context.insert(second)
        (first.owner, second.owner) = (left, right)
        (first.lines, second.lines) = ([lines[0]], [lines[1]])
        try context.save()
        #expect(left.stations.isEmpty)
        #expect(right.stations.map(\.persistentModelID) == [old.persistentModelID])
        for platform in [old, first, second] {
            #expect(platform.owner === right)
            #expect(Set(platform.lines.map(\.id)) == [1, 2])
        }
        old.owner = left
        #expect(second.owner === left && right.stations.isEmpty)
        try context.save()
        let read = try #require(try stored().first)
        #expect(read.owner?.name == "left")
        #expect(try container.store.check().faults.isEmpty)
    }

    @Test("observers of the object that was there hear of the values that were inserted, and of later changes")
    func observers() throws {
        let context = ModelContext(container)
        let (old, new) = (Platform("ZRH", 1, name: "old"), Platform("ZRH", 1, name: "new"))
        context.insert(old)
        try context.save()
        let heard = Mutex(0)
        func observe(_ platform: Platform) {
            withObservationTracking {
                _ = platform.name
            } onChange: {
                heard.withLock { $0 += 1 }
            }
        }
        observe(old)
        observe(new)
        context.insert(new)
        try context.save()
        #expect(heard.withLock { $0 } == 2)
        observe(old)
        new.name = "newer"
        #expect(heard.withLock { $0 } == 3)
        observe(new)
        old.name = "newest"
        #expect(heard.withLock { $0 } == 4)
    }

    @Test("observers of the object that was there hear of several inserts of its value in one save")
    func observersOfSeveral() throws {
        let context = ModelContext(container)
        let old = Platform("ZRH", 1, name: "old")
        context.insert(old)
        try context.save()
        let heard = Mutex(0)
        withObservationTracking {
            _ = old.name
        } onChange: {
            heard.withLock { $0 += 1 }
        }
        for number in 0..<3 { context.insert(Platform("ZRH", 1, name: "\(number)")) }
        try context.save()
        #expect(old.name == "2")
        #expect(heard.withLock { $0 } == 1)
    }

    @Test("objects in other contexts stand for the row as before")
    func otherContexts() throws {
        try store(Platform("ZRH", 1, name: "old"))
        let (context, other) = (ModelContext(container), ModelContext(container))
        let theirs = try #require(try other.fetch(FetchDescriptor<Platform>()).first)
        #expect(theirs.name == "old")
        let new = Platform("ZRH", 1, name: "new")
        context.insert(new)
        try context.save()
        other.processPendingChanges()
        #expect(theirs.name == "new")
        theirs.name = "theirs"
        try other.save()
        context.processPendingChanges()
        #expect(new.name == "theirs")
    }
}
