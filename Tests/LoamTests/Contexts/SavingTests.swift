import Foundation
import Loam
import Testing

@Suite("Saving")
struct SavingTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Country.self, Everything.self)
    }

    @Test("stores what was inserted, and another context reads it")
    func insertAndFetch() throws {
        let context = ModelContext(container)
        for index in 0..<10 { context.insert(City("City \(index)", population: index * 100)) }
        #expect(context.insertedModelsArray.count == 10)
        try context.save()
        #expect(!context.hasChanges)
        let other = ModelContext(container)
        let cities = try other.fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.population, order: .reverse)]))
        #expect(cities.map(\.name) == (0..<10).reversed().map { "City \($0)" })
        #expect(cities[0].population == 900)
        cities[0].population = 5
        #expect(other.changedModelsArray.count == 1)
        try other.save()
        let third = try ModelContext(container).fetch(FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)]))
        #expect(third[1].name == "City 9")
    }

    @Test("keeps values of every type")
    func everyType() throws {
        let context = ModelContext(container)
        let model = Everything()
        model.bool = true
        (model.int, model.int8, model.int16, model.int32, model.int64) = (.min, .min, .min, .min, .min)
        (model.uint, model.uint8, model.uint16, model.uint32, model.uint64) = (.max, .max, .max, .max, .max)
        model.float = -0.1
        model.double = .nan
        model.decimal = Decimal(string: "-12345678901234567890.0625") ?? 0
        model.string = "Zürich\u{0}\u{1F600}"
        model.date = Date(timeIntervalSinceReferenceDate: -1.5)
        let uuid = UUID()
        model.uuid = uuid
        model.url = try #require(URL(string: "https://example.org/a?b=c#d"))
        model.data = Data([0, 1, 255])
        model.size = .large
        model.level = .high
        model.place = .init(street: "High", number: 7, size: .large)
        model.places = [.init(street: "", number: nil, size: .small), .init(street: "Low", number: -1, size: .large)]
        model.names = ["a": 1, "": .max]
        model.text = String(repeating: "long ", count: 20_000)
        context.insert(model)
        try context.save()
        let stored = try #require(try ModelContext(container).fetch(FetchDescriptor<Everything>()).first)
        #expect(stored.bool)
        #expect(stored.int == .min)
        #expect(stored.int64 == .min)
        #expect(stored.int8 == .min)
        #expect(stored.int16 == .min)
        #expect(stored.int32 == .min)
        #expect(stored.uint8 == .max)
        #expect(stored.uint16 == .max)
        #expect(stored.uint32 == .max)
        #expect(stored.uint64 == .max)
        #expect(stored.uint == .max)
        #expect(stored.float == -0.1)
        #expect(stored.double.isNaN)
        #expect(stored.decimal == model.decimal)
        #expect(stored.string == model.string)
        #expect(stored.date == model.date)
        #expect(stored.uuid == uuid)
        #expect(stored.url == model.url)
        #expect(stored.data == model.data)
        #expect(stored.size == .large)
        #expect(stored.level == .high)
        #expect(stored.place == model.place)
        #expect(stored.places == model.places)
        #expect(stored.names == model.names)
        #expect(stored.text == model.text)
        #expect(stored.number == nil)
        #expect(stored.optionalPlace == nil)
    }

    @Test("turns an insert of a unique value that is stored into an update of the stored model")
    func upsert() throws {
        let context = ModelContext(container)
        context.insert(Country(code: "no", name: "Norge"))
        try context.save()
        let other = ModelContext(container)
        let again = Country(code: "no", name: "Norway")
        let oslo = City("Oslo", country: again)
        other.insert(oslo)
        try other.save()
        let countries = try ModelContext(container).fetch(FetchDescriptor<Country>())
        #expect(countries.map(\.name) == ["Norway"])
        #expect(countries[0].cities.map(\.name) == ["Oslo"])
        #expect(again.persistentModelID == countries[0].persistentModelID)
        #expect(oslo.country === again)
    }

    @Test("merges changes of two contexts property by property")
    func merge() throws {
        let (first, second, ids) = try twoContexts()
        let (left, right) = try (city(first, ids[0]), city(second, ids[0]))
        left.name = "Left"
        right.population = 7
        try first.save()
        try second.save()
        #expect(right.name == "Left")
        #expect(right.population == 7)
        first.processPendingChanges()
        #expect(left.population == 7)
    }

    @Test(
        "decides conflicts as the policy says",
        arguments: [
            (ModelContext.MergePolicy.propertyByProperty, "Second"), (.storeWins, "First"), (.memoryWins, "Second"),
        ])
    func conflict(_ policy: ModelContext.MergePolicy, _ expected: String) throws {
        let (first, second, ids) = try twoContexts()
        second.mergePolicy = policy
        let (left, right) = try (city(first, ids[0]), city(second, ids[0]))
        _ = right.name
        left.name = "First"
        right.name = "Second"
        try first.save()
        try second.save()
        #expect(right.name == expected)
        #expect(try city(ModelContext(container), ids[0]).name == expected)
    }

    @Test("throws on a conflict under the error policy, keeps the changes, and stores nothing")
    func conflictError() throws {
        let (first, second, ids) = try twoContexts()
        second.mergePolicy = .throwOnConflict
        let (left, right) = try (city(first, ids[0]), city(second, ids[0]))
        left.name = "First"
        right.name = "Second"
        second.insert(City("Third"))
        try first.save()
        #expect(throws: SwiftDataError.conflict) { try second.save() }
        #expect(second.hasChanges)
        #expect(right.name == "Second")
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<City>()) == 2)
        second.rollback()
        #expect(right.name == "First")
    }

    @Test("drops the change of a model that somebody else has deleted, writes the model again, or throws")
    func changeOfDeleted() throws {
        for policy in [ModelContext.MergePolicy.propertyByProperty, .throwOnConflict, .storeWins, .memoryWins] {
            let (first, second, ids) = try twoContexts()
            second.mergePolicy = policy
            let (left, right) = try (city(first, ids[0]), city(second, ids[0]))
            right.population = 9
            first.delete(left)
            try first.save()
            second.processPendingChanges()
            #expect(right.population == 9)
            switch policy {
            case .throwOnConflict:
                #expect(throws: SwiftDataError.modelValidationFailure) { try second.save() }
                #expect(second.hasChanges)
            case .propertyByProperty, .storeWins:
                try second.save()
                #expect(right.modelContext == nil)
                #expect(second.droppedChanges.map(\.properties) == [["population"]])
            case .memoryWins:
                try second.save()
                #expect(try city(ModelContext(container), ids[0]).population == 9)
            }
        }
    }

    @Test("forgets all changes at a rollback")
    func rollback() throws {
        let (first, _, ids) = try twoContexts()
        let city = try city(first, ids[0])
        city.name = "Changed"
        let new = City("New")
        first.insert(new)
        first.delete(try self.city(first, ids[1]))
        #expect(try first.fetchCount(FetchDescriptor<City>()) == 2)
        first.rollback()
        #expect(!first.hasChanges)
        #expect(city.name == "City 0")
        #expect(new.modelContext == nil)
        #expect(try first.fetch(FetchDescriptor<City>()).map(\.name) == ["City 0", "City 1"])
    }

    @Test("tells observers of a save what it inserted, changed and deleted")
    func notifications() throws {
        let (first, _, ids) = try twoContexts()
        let noted = Noted()
        let token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: first, queue: nil
        ) { noted.note($0) }
        defer { NotificationCenter.default.removeObserver(token) }
        try city(first, ids[0]).name = "Changed"
        first.delete(try city(first, ids[1]))
        let new = City("New")
        first.insert(new)
        try first.save()
        #expect(
            noted.identifiers == [
                "insertedIdentifiers": [new.persistentModelID], "updatedIdentifiers": [ids[0]],
                "deletedIdentifiers": [ids[1]],
            ])
    }

    @Test("is refused by a container that was opened read-only")
    func readOnly() throws {
        let folder = try TemporaryFolder()
        do {
            let container = try ModelContainer(
                for: City.self, configurations: ModelConfiguration(url: folder.store))
            let context = ModelContext(container)
            context.insert(City("Stored"))
            try context.save()
        }
        let container = try ModelContainer(
            for: City.self, configurations: ModelConfiguration(url: folder.store, allowsSave: false))
        let context = ModelContext(container)
        let city = try #require(try context.fetch(FetchDescriptor<City>()).first)
        city.name = "Changed"
        #expect(throws: SwiftDataError.storage) { try context.save() }
        #expect(try ModelContext(container).fetch(FetchDescriptor<City>()).map(\.name) == ["Stored"])
    }

    private func twoContexts() throws -> (ModelContext, ModelContext, [PersistentIdentifier]) {
        let context = ModelContext(container)
        let cities = (0..<2).map { City("City \($0)") }
        cities.forEach(context.insert)
        try context.save()
        return (ModelContext(container), ModelContext(container), cities.map(\.persistentModelID))
    }

    private func city(_ context: ModelContext, _ id: PersistentIdentifier) throws -> City {
        try #require(context.model(for: id) as? City)
    }
}

/// What a notification said.
private final class Noted: @unchecked Sendable {
    var identifiers: [String: Set<PersistentIdentifier>] = [:]

    func note(_ notification: Notification) {
        for (key, value) in notification.userInfo ?? [:] {
            guard let key = key as? ModelContext.NotificationKey else { continue }
            identifiers[key.rawValue] = value as? Set<PersistentIdentifier>
        }
    }
}
