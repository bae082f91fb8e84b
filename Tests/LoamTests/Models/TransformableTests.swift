import Foundation
import Loam
import LoamStorage
import Testing

/// A class that is neither `Codable` nor an object that a store knows.
private final class Paint {
    let name: String

    init(_ name: String) { self.name = name }
}

private struct Shade: Equatable {
    var red: UInt8
    var green: UInt8

    static let black = Shade(red: 0, green: 0)
}

private final class ShadeTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }

    override func transformedValue(_ value: Any?) -> Any? {
        guard let shade = value as? Shade, shade.red != 13 else { return nil }
        return Data([shade.red, shade.green])
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, data.count == 2 else { return nil }
        return Shade(red: data[0], green: data[1])
    }
}

private final class PaintTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [Paint]).map { NSData(data: Data($0.map(\.name).joined(separator: "\n").utf8)) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        guard let data = value as? Data, let text = String(data: data, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").map { Paint(String($0)) }
    }
}

/// A transformer that makes text unreadable in the file.
private final class Rot: ValueTransformer {
    let distance: UInt8

    required init() { distance = 1 }
    init(distance: UInt8) { self.distance = distance }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data($0.utf8.map { $0 &+ distance }) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { String(data: Data($0.map { $0 &- distance }), encoding: .utf8) }
    }
}

private final class OneWayTransformer: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { false }
}

private final class Nothing: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? { nil }
}

@Model private final class Wall {
    var id: Int
    @Attribute(.transformable(by: ShadeTransformer.self)) var shade: Shade
    @Attribute(.transformable(by: ShadeTransformer.self)) var trim: Shade?
    @Attribute(.transformable(by: PaintTransformer.self)) var layers: [Paint] = []
    @Attribute(.transformable(by: "TransformableTests.note"), .preserveValueOnDeletion) var note: String = "none"
    var description: String

    init(id: Int, shade: Shade = .black, trim: Shade? = nil) {
        (self.id, self.shade, self.trim, description) = (id, shade, trim, "wall \(id)")
    }
}

private enum Before {
    @Model final class Wall {
        var id: Int

        init(id: Int) { self.id = id }
    }
}

/// The models of a program that reads the bytes of a `Wall`.
private enum Raw {
    @Model final class Wall {
        var id: Int
        var shade: Data
        @Attribute(.preserveValueOnDeletion) var note: Data

        init(id: Int) { (self.id, shade, note) = (id, Data(), Data()) }
    }
}

private enum Unnamed {
    @Model final class Wall {
        @Attribute(.transformable(by: "TransformableTests.nobody")) var note: String?

        init() {}
    }
}

private enum Irreversible {
    @Model final class Wall {
        @Attribute(.transformable(by: OneWayTransformer.self)) var note: String?

        init() {}
    }
}

private enum LostDefault {
    @Model final class Wall {
        @Attribute(.transformable(by: Nothing.self)) var note: String = "n"

        init() {}
    }
}

private enum WithoutFallback {
    @Model final class Wall {
        @Attribute(.transformable(by: PaintTransformer.self)) var paint: Paint

        init(paint: Paint) { self.paint = paint }
    }
}

@Suite("Attributes that a transformer stores")
struct TransformableTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        ValueTransformer.setValueTransformer(
            Rot(distance: 3), forName: NSValueTransformerName("TransformableTests.note"))
    }

    private func walls(_ container: ModelContainer) throws -> [Wall] {
        try ModelContext(container).fetch(FetchDescriptor<Wall>(sortBy: [SortDescriptor(\.id)]))
    }

    @Test("come back as what they were, and are stored as what the transformer made of them")
    func roundTrip() throws {
        let container = try folder.open(Wall.self)
        let context = ModelContext(container)
        let wall = Wall(id: 1, shade: Shade(red: 200, green: 9), trim: Shade(red: 1, green: 2))
        context.insert(wall)
        context.insert(Wall(id: 2))
        wall.layers = [Paint("white"), Paint("grey")]
        wall.note = "secret"
        try context.save()
        var stored = try walls(container)
        #expect(stored[0].shade == Shade(red: 200, green: 9) && stored[0].trim == Shade(red: 1, green: 2))
        #expect(stored[0].layers.map(\.name) == ["white", "grey"] && stored[0].note == "secret")
        #expect(stored[1].shade == .black && stored[1].trim == nil && stored[1].layers.isEmpty)
        wall.trim = nil
        wall.shade.green = 77
        wall.layers.append(Paint("blue"))
        try context.save()
        stored = try walls(container)
        #expect(stored[0].shade == Shade(red: 200, green: 77) && stored[0].trim == nil && stored[0].layers.count == 3)
        #expect(stored[0].description == "wall 1" && stored[0].unreadableValue(of: \.trim) == nil)
        let raw = try ModelContext(folder.open(Raw.Wall.self)).fetch(FetchDescriptor<Raw.Wall>())
        #expect(raw.first { $0.id == 1 }?.shade == Data([200, 77]))
        #expect(raw.first { $0.id == 1 }?.note == Data("vhfuhw".utf8))
        context.delete(wall)
        try context.save()
        let deletion = try #require(try context.history().last).deletions(of: Wall.self).first
        #expect(deletion?.tombstone[\.note] as? String == "secret")
        #expect(try container.store.check().faults == [])
    }

    @Test("long ones too")
    func longValues() throws {
        let container = try folder.open(Wall.self)
        let context = ModelContext(container)
        let wall = Wall(id: 1)
        wall.note = String(repeating: "long ", count: 10_000)
        wall.layers = (0..<10_000).map { Paint("paint \($0)") }
        context.insert(wall)
        try context.save()
        let stored = try #require(try walls(container).first)
        #expect(stored.note == wall.note && stored.layers.map(\.name) == wall.layers.map(\.name))
    }

    @Test("that do not come back are told, stay, and go when the property is set")
    func unreadable() throws {
        do {
            let context = ModelContext(try folder.open(Wall.self))
            for id in 1...2 { context.insert(Wall(id: id, shade: Shade(red: 5, green: 6))) }
            try context.save()
            let raw = ModelContext(try folder.open(Raw.Wall.self))
            for wall in try raw.fetch(FetchDescriptor<Raw.Wall>()) { wall.shade = Data([1, 2, 3]) }
            try raw.save()
        }
        let container = try folder.open(Wall.self)
        let context = ModelContext(container)
        let stored = try context.fetch(FetchDescriptor<Wall>(sortBy: [SortDescriptor(\.id)]))
        #expect(stored.allSatisfy { $0.shade == .black })
        let unreadable = try #require(stored[0].unreadableValue(of: \.shade))
        #expect(unreadable.propertyName == "shade" && unreadable.entityName == "Wall" && unreadable.rawValue == nil)
        #expect("\(unreadable)".contains("ShadeTransformer makes no Shade"))
        stored[0].description = "changed"
        stored[1].shade = Shade(red: 7, green: 8)
        try context.save()
        #expect(stored[0].unreadableValue(of: \.shade) != nil && stored[1].unreadableValue(of: \.shade) == nil)
        let raw = try ModelContext(folder.open(Raw.Wall.self)).fetch(FetchDescriptor<Raw.Wall>(sortBy: [.init(\.id)]))
        #expect(raw.map(\.shade) == [Data([1, 2, 3]), Data([7, 8])])
    }

    @Test("of which the transformer makes no data keep a save from being made, by name, and nothing is lost")
    func noData() throws {
        let container = try folder.open(Wall.self)
        let context = ModelContext(container)
        let wall = Wall(id: 1)
        context.insert(wall)
        try context.save()
        wall.shade = Shade(red: 13, green: 1)
        wall.description = "changed"
        let error = #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(error?.detail.contains("Wall.shade cannot be saved: ShadeTransformer makes no data") == true)
        #expect(context.hasChanges && wall.shade.red == 13)
        context.insert(Wall(id: 2, shade: Shade(red: 13, green: 2)))
        #expect(throws: SwiftDataError.modelValidationFailure) { try context.save() }
        #expect(try walls(container).map(\.shade) == [.black])
        wall.shade.red = 14
        context.insertedModelsArray.compactMap { $0 as? Wall }.first?.shade = .black
        try context.save()
        #expect(try walls(container).map(\.description) == ["changed", "wall 2"])
    }

    @Test("added to a model read as their default in rows that are there")
    func added() throws {
        do {
            let context = ModelContext(try folder.open(Before.Wall.self))
            context.insert(Before.Wall(id: 1))
            try context.save()
        }
        let container = try folder.open(AddedNote.Wall.self)
        let wall = try #require(try ModelContext(container).fetch(FetchDescriptor<AddedNote.Wall>()).first)
        #expect(wall.note == "none" && wall.trim == nil && wall.shade == Shade.black)
        #expect(wall.unreadableValue(of: \.note) == nil)
    }

    @Test("that nothing can store are refused when a container is opened, by name")
    func refused() throws {
        let refused: [(any PersistentModel.Type, String)] = [
            (
                Unnamed.Wall.self,
                "Wall.note is transformed by TransformableTests.nobody, and no transformer has that name"
            ),
            (Irreversible.Wall.self, "Wall.note is transformed by OneWayTransformer, and it does not transform back"),
            (LostDefault.Wall.self, "Wall.note has a default value of which Nothing makes no data"),
            (WithoutFallback.Wall.self, "Wall.paint is transformed and has a type without an empty value"),
        ]
        for (type, text) in refused {
            let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try memoryContainer(type) }
            #expect(error?.detail.contains(text) == true, "\(error?.detail ?? "")")
        }
    }

    @Test("are no part of a fetch, which says so")
    func fetches() throws {
        let context = ModelContext(try folder.open(Wall.self))
        let note = "x"
        let error = #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context.fetch(FetchDescriptor<Wall>(predicate: #Predicate { $0.note == note }))
        }
        #expect(error?.detail.contains("Wall.note is stored as what TransformableTests.note makes of it") == true)
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try context.fetch(FetchDescriptor<Wall>(sortBy: [SortDescriptor(\.note)]))
        }
    }

    @Test("Transformers are known by name, the same one each time")
    func names() {
        let name = NSValueTransformerName("TransformableTests.known")
        #expect(ValueTransformer(forName: name) == nil)
        let known = Rot(distance: 7)
        ValueTransformer.setValueTransformer(known, forName: name)
        #expect(ValueTransformer(forName: name) === known && Rot(forName: name) === known)
        #expect(ShadeTransformer(forName: name) == nil)
        #expect(ValueTransformer.valueTransformerNames().contains(name))
        ValueTransformer.setValueTransformer(nil, forName: name)
        #expect(ValueTransformer(forName: name) == nil)
    }
}

private enum AddedNote {
    @Model final class Wall {
        var id: Int
        @Attribute(.transformable(by: Rot.self)) var note: String = "none"
        @Attribute(.transformable(by: ShadeTransformer.self)) var trim: Shade?
        @Attribute(.transformable(by: ShadeTransformer.self)) var shade: Shade

        init(id: Int) { (self.id, shade) = (id, .black) }
    }
}
