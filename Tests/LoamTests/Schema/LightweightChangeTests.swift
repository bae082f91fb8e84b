import Foundation
import Loam
import LoamStorage
import Synchronization
import Testing

private enum Plain {
    @Model final class Bed {
        #Index<Bed>([\.rows])
        var name: String
        var rows: Int?
        var plant: String?

        init(_ name: String, rows: Int? = nil) { (self.name, self.rows) = (name, rows) }
    }
}

private enum Required {
    @Model final class Bed {
        #Index<Bed>([\.rows])
        var name: String
        var rows: Int = 4
        var plant: String?

        init(_ name: String) { self.name = name }
    }
}

private enum WithoutDefault {
    @Model final class Bed {
        #Index<Bed>([\.rows])
        var name: String
        var rows: Int
        var plant: String?

        init(_ name: String, rows: Int) { (self.name, self.rows) = (name, rows) }
    }
}

private enum UniqueRows {
    @Model final class Bed {
        #Index<Bed>([\.rows])
        var name: String
        @Attribute(.unique) var rows: Int?
        var plant: String?

        init(_ name: String, rows: Int? = nil) { (self.name, self.rows) = (name, rows) }
    }
}

private enum UniqueRequiredRows {
    @Model final class Bed {
        #Index<Bed>([\.rows])
        var name: String
        @Attribute(.unique) var rows: Int = 4
        var plant: String?

        init(_ name: String) { self.name = name }
    }
}

private enum Narrow {
    @Model final class Bed {
        var name: String
        var rows: Int16?
        var plant: String?

        init(_ name: String) { self.name = name }
    }
}

private enum OptionalHome {
    @Model final class Cat {
        var name: String
        var home: Home?

        init(_ name: String, _ home: Home? = nil) { (self.name, self.home) = (name, home) }
    }

    @Model final class Home {
        var street: String
        @Relationship(deleteRule: .deny, inverse: \Cat.home) var cats: [Cat] = []

        init(_ street: String) { self.street = street }
    }
}

private enum RequiredHome {
    @Model final class Cat {
        var name: String
        var home: Home

        init(_ name: String, _ home: Home) { (self.name, self.home) = (name, home) }
    }

    @Model final class Home {
        var street: String
        @Relationship(deleteRule: .deny, inverse: \Cat.home) var cats: [Cat] = []

        init(_ street: String) { self.street = street }
    }
}

@Suite("Lightweight changes of properties")
struct LightweightChangeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func addBeds(_ rows: Int?...) throws {
        let context = ModelContext(try folder.open(Plain.Bed.self))
        for (number, rows) in rows.enumerated() { context.insert(Plain.Bed("bed \(number)", rows: rows)) }
        try context.save()
    }

    @Test("nil of a property made required with a default is that default, also when it may be nil again")
    func requiredAndBack() throws {
        try addBeds(nil, 7, nil)
        do {
            let container = try folder.open(Required.Bed.self)
            let context = ModelContext(container)
            let found = try context.fetch(FetchDescriptor<Required.Bed>(sortBy: [SortDescriptor(\.rows)]))
            #expect(found.map(\.rows) == [4, 4, 7])
            let four = FetchDescriptor<Required.Bed>(predicate: #Predicate { $0.rows == 4 })
            #expect(try context.fetchCount(four) == 2)
            found[0].plant = "beans"
            try context.save()
            #expect(try container.store.check().faults == [])
        }
        let container = try folder.open(Plain.Bed.self)
        let context = ModelContext(container)
        context.insert(Plain.Bed("new"))
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<Plain.Bed>(sortBy: [SortDescriptor(\.rows)]))
        #expect(found.map(\.rows) == [nil, 4, 4, 7])
        let none = FetchDescriptor<Plain.Bed>(predicate: #Predicate { $0.rows == nil })
        #expect(try context.fetch(none).map(\.name) == ["new"])
        #expect(try container.store.check().faults == [])
        // The models that require the property again give the row with nil their default.
        let again = ModelContext(try folder.open(Required.Bed.self))
        #expect(
            try again.fetch(FetchDescriptor<Required.Bed>(sortBy: [SortDescriptor(\.rows)])).map(\.rows) == [
                4, 4, 4, 7,
            ])
        #expect(try container.store.check().faults == [])
    }

    @Test("a property made required without a default is refused by name while a row has nil")
    func requiredWithoutDefault() throws {
        try addBeds(3, nil)
        let before = try Data(contentsOf: folder.store)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(WithoutDefault.Bed.self) }
        #expect(error?.detail.contains("entity Bed, property rows") == true)
        #expect(error?.detail.contains("default value") == true)
        #expect(try Data(contentsOf: folder.store) == before)
        do {
            let context = ModelContext(try folder.open(Plain.Bed.self))
            for bed in try context.fetch(FetchDescriptor<Plain.Bed>()) where bed.rows == nil { bed.rows = 5 }
            try context.save()
        }
        let container = try folder.open(WithoutDefault.Bed.self)
        let found = try ModelContext(container).fetch(
            FetchDescriptor<WithoutDefault.Bed>(sortBy: [SortDescriptor(\.rows)]))
        #expect(found.map(\.rows) == [3, 5])
        #expect(try container.store.check().faults == [])
    }

    @Test("rows that a default would make equal keep a unique property from becoming required, and the file as it is")
    func defaultsThatAreNotUnique() throws {
        do {
            let context = ModelContext(try folder.open(UniqueRows.Bed.self))
            for name in ["a", "b"] { context.insert(UniqueRows.Bed(name)) }
            try context.save()
        }
        let before = try Data(contentsOf: folder.store)
        let error = #expect(throws: SwiftDataError.modelValidationFailure) {
            try folder.open(UniqueRequiredRows.Bed.self)
        }
        #expect(error?.detail.contains("rows") == true)
        #expect(try Data(contentsOf: folder.store) == before)
    }

    @Test("a required property is required of a program that goes on with the old models, too")
    func enforced() throws {
        try addBeds(1)
        let old = ModelContext(try folder.open(Plain.Bed.self))
        let bed = try #require(try old.fetch(FetchDescriptor<Plain.Bed>()).first)
        let container = try folder.open(Required.Bed.self, version: Schema.Version(2, 0, 0))
        bed.plant = "peas"
        try old.save()
        bed.rows = nil
        let error = #expect(throws: SwiftDataError.modelValidationFailure) { try old.save() }
        #expect(error?.detail.contains("property rows") == true)
        old.rollback()
        old.insert(Plain.Bed("without rows"))
        #expect(throws: SwiftDataError.modelValidationFailure) { try old.save() }
        // The older models, opened again, do not make the attribute optional.
        let opened = ModelContext(try folder.open(Plain.Bed.self))
        opened.insert(Plain.Bed("without rows"))
        #expect(throws: SwiftDataError.modelValidationFailure) { try opened.save() }
        let found = try ModelContext(container).fetch(FetchDescriptor<Required.Bed>())
        #expect(found.map(\.rows) == [1] && found.map(\.plant) == ["peas"])
    }

    @Test("a narrower type is refused by name, and the file stays as it is")
    func narrowing() throws {
        try addBeds(1)
        let before = try Data(contentsOf: folder.store)
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(Narrow.Bed.self) }
        #expect(error?.detail.contains("Bed.rows is stored as int64 and the model has int16") == true)
        #expect(try Data(contentsOf: folder.store) == before)
    }

    @Test("an older program does not open a store whose types are wider, and one that runs is stopped: both say why")
    func olderProgram() throws {
        let old = ModelContext(try folder.openParcels(ParcelsV1.self))
        old.insert(ParcelsV1.Parcel("p", serial: 1, code: 1, weight: 1, depot: ParcelsV1.Depot("north")))
        for parcel in old.insertedModelsArray { (parcel as? ParcelsV1.Parcel)?.rank = 1 }
        try old.save()
        let new = ModelContext(try folder.openParcels(ParcelsV2.self))
        for attempt in 0..<2 {
            let error = #expect(throws: SwiftDataError.loadIssueModelContainer) {
                if attempt == 0 {
                    _ = try old.fetch(FetchDescriptor<ParcelsV1.Parcel>())
                } else {
                    _ = try folder.openParcels(ParcelsV1.self)
                }
            }
            let text = error?.detail ?? ""
            #expect(text.contains("Parcel.serial is stored as int64 and the model has int32"), "\(text)")
            #expect(text.contains("2.0.0") && text.contains("1.0.0"), "\(text)")
        }
        #expect(try new.fetch(FetchDescriptor<ParcelsV2.Parcel>()).map(\.serial) == [1])
    }

    @Test("a reference becomes optional and, where all rows have one, required again")
    func references() throws {
        do {
            let context = ModelContext(try folder.open(RequiredHome.Cat.self))
            let home = RequiredHome.Home("Elm Street")
            for name in ["Tom", "Kit"] { context.insert(RequiredHome.Cat(name, home)) }
            try context.save()
        }
        do {
            let context = ModelContext(try folder.open(OptionalHome.Cat.self))
            let tom = try #require(try context.fetch(FetchDescriptor<OptionalHome.Cat>()).first { $0.name == "Tom" })
            tom.home = nil
            try context.save()
        }
        let error = #expect(throws: SwiftDataError.loadIssueModelContainer) { try folder.open(RequiredHome.Cat.self) }
        #expect(error?.detail.contains("entity Cat, property home") == true)
        do {
            let context = ModelContext(try folder.open(OptionalHome.Cat.self))
            let home = try #require(try context.fetch(FetchDescriptor<OptionalHome.Home>()).first)
            #expect(home.cats.map(\.name) == ["Kit"])
            for cat in try context.fetch(FetchDescriptor<OptionalHome.Cat>()) { cat.home = home }
            try context.save()
        }
        let container = try folder.open(RequiredHome.Cat.self)
        let cats = try ModelContext(container).fetch(FetchDescriptor<RequiredHome.Cat>())
        #expect(cats.map(\.home.street) == ["Elm Street", "Elm Street"])
        #expect(try container.store.check().faults == [])
    }

    @Test("several that make the change at once all succeed")
    func threads() throws {
        for _ in 0..<5 {
            let folder = try TemporaryFolder()
            do {
                let context = ModelContext(try folder.openParcels(ParcelsV1.self))
                let depot = ParcelsV1.Depot("north")
                for number in 0..<300 {
                    let parcel = ParcelsV1.Parcel(
                        "p\(number)", serial: Int32(number), code: UInt16(number), weight: 0.5, depot: depot)
                    parcel.rank = number
                    context.insert(parcel)
                }
                try context.save()
            }
            let url = folder.store
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 6) { number in
                do {
                    let context = ModelContext(try ParcelStages.open(ParcelsV2.self, at: url))
                    context.insert(ParcelsV2.Parcel("n\(number)", serial: -1 - number, code: -1, weight: 1e99, rank: 0))
                    try context.save()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock(\.self) == [])
            let container = try folder.openParcels(ParcelsV2.self)
            #expect(try ModelContext(container).fetchCount(FetchDescriptor<ParcelsV2.Parcel>()) == 306)
            #expect(try container.store.check().faults == [])
        }
    }

    @Test("a unique constraint over a wider type holds")
    func uniqueness() throws {
        do {
            let context = ModelContext(try folder.openParcels(ParcelsV1.self))
            let parcel = ParcelsV1.Parcel("p", serial: 5, code: 1, weight: 1, depot: ParcelsV1.Depot("north"))
            parcel.rank = 1
            context.insert(parcel)
            try context.save()
        }
        let container = try folder.openParcels(ParcelsV2.self)
        let context = ModelContext(container)
        context.insert(ParcelsV2.Parcel("q", serial: 5, code: 2, weight: 2, rank: 2))
        try context.save()
        let found = try ModelContext(container).fetch(FetchDescriptor<ParcelsV2.Parcel>())
        #expect(found.map(\.name) == ["q"] && found.map(\.weight) == [2])
        #expect(try container.store.check().faults == [])
    }
}
