import Foundation
import Loam
import Observation
import SeededRandom
import Synchronization
import Testing

/// A model with relationships of every kind, and the models that they lead to.
private enum Batch {
    @Model final class Owner {
        var name: String
        var group: Int
        @Relationship(deleteRule: .cascade, inverse: \Part.owner) var parts: [Part] = []
        @Relationship(deleteRule: .nullify, inverse: \Note.owner) var notes: [Note] = []
        @Relationship(deleteRule: .deny, inverse: \Debt.owner) var debts: [Debt] = []
        @Relationship(deleteRule: .noAction, inverse: \Trace.owner) var traces: [Trace] = []
        @Relationship(deleteRule: .cascade, inverse: \Badge.owner) var badge: Badge?
        var boss: Owner?
        @Relationship(deleteRule: .nullify, inverse: \Owner.boss) var team: [Owner] = []
        @Relationship(inverse: \Label.owners) var labels: [Label] = []

        init(_ name: String, _ group: Int) {
            self.name = name
            self.group = group
        }
    }

    @Model final class Part {
        var name: String
        var owner: Owner?
        var whole: Part?
        @Relationship(deleteRule: .cascade, inverse: \Part.whole) var pieces: [Part] = []
        @Relationship(deleteRule: .nullify, inverse: \Note.part) var notes: [Note] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Note {
        var name: String
        var owner: Owner?
        var part: Part?
        init(_ name: String) { self.name = name }
    }

    @Model final class Debt {
        var name: String
        var owner: Owner?
        init(_ name: String) { self.name = name }
    }

    @Model final class Trace {
        var name: String
        var owner: Owner?
        init(_ name: String) { self.name = name }
    }

    @Model final class Badge {
        var name: String
        var owner: Owner?
        init(_ name: String) { self.name = name }
    }

    @Model final class Label {
        var name: String
        var owners: [Owner] = []
        init(_ name: String) { self.name = name }
    }

    static func container() throws -> ModelContainer { try memoryContainer(Owner.self) }

    /// What a context sees, line by line.
    static func view(_ context: ModelContext) throws -> [String] {
        func name(_ owner: Owner?) -> String { owner?.name ?? "-" }
        var lines = try all(Owner.self, context, \.name).map { owner in
            "owner \(owner.name): \(owner.parts.map(\.name)) \(owner.notes.map(\.name)) \(owner.debts.map(\.name)) "
                + "\(name(owner.boss)) \(owner.team.map(\.name)) \(owner.traces.map(\.name)) \(owner.badge?.name ?? "-") \(owner.labels.map(\.name).sorted())"
        }
        lines += try all(Part.self, context, \.name).map {
            "part \($0.name): \(name($0.owner)) \($0.whole?.name ?? "-") \($0.pieces.map(\.name)) \($0.notes.map(\.name))"
        }
        lines += try all(Note.self, context, \.name).map {
            "note \($0.name): \(name($0.owner)) \($0.part?.name ?? "-")"
        }
        lines += try all(Debt.self, context, \.name).map { "debt \($0.name): \(name($0.owner))" }
        lines += try all(Trace.self, context, \.name).map { "trace \($0.name): \(name($0.owner))" }
        lines += try all(Badge.self, context, \.name).map { "badge \($0.name): \(name($0.owner))" }
        lines += try all(Label.self, context, \.name).map { "label \($0.name): \($0.owners.map(\.name).sorted())" }
        let orphans = try context.fetch(FetchDescriptor<Note>(predicate: #Predicate<Note> { $0.owner == nil }))
        let labelled = try context.fetchCount(
            FetchDescriptor<Label>(predicate: #Predicate<Label> { $0.owners.contains { $0.group < 3 } }))
        let owned = try context.fetchCount(
            FetchDescriptor<Part>(predicate: #Predicate<Part> { ($0.owner?.group ?? 9) < 3 }))
        return lines + ["orphans \(orphans.map(\.name).sorted())", "labelled \(labelled)", "owned \(owned)"]
    }

    private static func all<T: PersistentModel>(
        _ type: T.Type, _ context: ModelContext, _ name: any KeyPath<T, String> & Sendable
    ) throws -> [T] {
        try context.fetch(FetchDescriptor<T>(sortBy: [SortDescriptor(name)]))
    }
}

@Suite("Deleting many models")
struct BatchDeletionTests {
    /// Two containers get the same changes; one deletes by predicate, the other model by model.
    @Test("does what deleting one after the other does", arguments: 0..<30 as Range<UInt64>)
    func likeOneByOne(_ seed: UInt64) throws {
        let (left, right) = (try Batch.container(), try Batch.container())
        let views = try [(left, true), (right, false)].map { container, isBatch in
            var random = SeededGenerator(seed: seed)
            let context = ModelContext(container)
            var views: [[String]] = []
            try fill(context, &random)
            for _ in 0..<4 {
                let working = Bool.random(using: &random) ? context : ModelContext(container)
                let kept = try touch(working, &random)
                try delete(isBatch, working, &random)
                views.append(try Batch.view(working))
                let others = try touch(working, &random)
                views.append(try Batch.view(working))
                views += try finish(working, &random)
                views.append(try Batch.view(ModelContext(container)))
                withExtendedLifetime((kept, others)) {}
            }
            return views
        }
        for (batch, single) in zip(views[0], views[1]) { #expect(batch == single, "seed \(seed)") }
        #expect(views[0].count == views[1].count)
    }

    private func fill(_ context: ModelContext, _ random: inout SeededGenerator) throws {
        let labels = (0..<4).map { Batch.Label("l\($0)") }
        var owners: [Batch.Owner] = []
        let denies = random.next() % 3 == 0
        for index in 0..<12 {
            let owner = Batch.Owner("o\(index + 10)", Int.random(in: 0..<6, using: &random))
            context.insert(owner)
            owner.boss = owners.randomElement(using: &random)
            owners.append(owner)
            for part in 0..<Int.random(in: 0..<3, using: &random) {
                let part = Batch.Part("p\(index + 10)\(part)")
                part.whole = owner.parts.randomElement(using: &random)
                owner.parts.append(part)
                if Bool.random(using: &random) { part.notes.append(Batch.Note("q\(part.name)")) }
            }
            for note in 0..<Int.random(in: 0..<3, using: &random) {
                owner.notes.append(Batch.Note("n\(index + 10)\(note)"))
            }
            if denies, Int.random(in: 0..<4, using: &random) == 0 { owner.debts.append(Batch.Debt("d\(index + 10)")) }
            if Bool.random(using: &random) { owner.traces.append(Batch.Trace("t\(index + 10)")) }
            if Bool.random(using: &random) { owner.badge = Batch.Badge("b\(index + 10)") }
            owner.labels = labels.filter { _ in Bool.random(using: &random) }
        }
        try context.save()
    }

    /// Reads and changes some models, so that some are registered and some relationships have unsaved changes.
    private func touch(_ context: ModelContext, _ random: inout SeededGenerator) throws -> [any PersistentModel] {
        let owners = try context.fetch(FetchDescriptor<Batch.Owner>(sortBy: [SortDescriptor(\.name)]))
        let notes = try context.fetch(FetchDescriptor<Batch.Note>(sortBy: [SortDescriptor(\.name)]))
        let labels = try context.fetch(FetchDescriptor<Batch.Label>(sortBy: [SortDescriptor(\.name)]))
        var kept: [any PersistentModel] = []
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            guard let owner = owners.randomElement(using: &random), let note = notes.randomElement(using: &random),
                let label = labels.randomElement(using: &random)
            else { continue }
            switch Int.random(in: 0..<14, using: &random) {
            case 0: kept.append(owner)
            case 1: kept += owner.parts as [any PersistentModel]
            case 2: kept += owner.notes as [any PersistentModel]
            case 3: note.owner = owner
            case 4: owner.notes.append(Batch.Note("x\(random.next() % 1_000)"))
            case 5: owner.labels.append(label)
            case 6: kept += label.owners as [any PersistentModel]
            case 7: label.owners = label.owners.reversed()
            case 8: owner.labels.removeAll { $0.name == label.name }
            case 9: note.part?.notes = [note]
            case 10: owner.parts = owner.parts.filter { _ in Bool.random(using: &random) }
            case 11: owner.boss = owners.randomElement(using: &random)
            case 12: note.part?.whole = owner.parts.first { $0.whole == nil }
            default: owner.parts.first.map { note.part = $0 }
            }
        }
        return kept
    }

    private func delete(_ isBatch: Bool, _ context: ModelContext, _ random: inout SeededGenerator) throws {
        let group = Int.random(in: 0..<6, using: &random)
        if Int.random(in: 0..<3, using: &random) == 0 {
            try delete(isBatch, context, #Predicate<Batch.Part> { ($0.owner?.group ?? 0) == group })
        }
        try delete(isBatch, context, #Predicate<Batch.Owner> { $0.group == group })
    }

    private func delete<T: PersistentModel>(
        _ isBatch: Bool, _ context: ModelContext, _ predicate: Predicate<T>
    ) throws {
        if isBatch { return try context.delete(model: T.self, where: predicate) }
        for model in try context.fetch(FetchDescriptor<T>(predicate: predicate)) { context.delete(model) }
    }

    /// Saves, which a rule may deny, or rolls back.
    private func finish(_ context: ModelContext, _ random: inout SeededGenerator) throws -> [[String]] {
        if Int.random(in: 0..<4, using: &random) == 0 {
            context.rollback()
        } else {
            do { try context.save() } catch let error as SwiftDataError {
                let view = try Batch.view(context)
                context.rollback()
                return [["\(error == .modelValidationFailure)"], view, try Batch.view(context)]
            }
        }
        return [try Batch.view(context)]
    }

    @Test("makes no objects, and yet has them when somebody asks")
    func objects() throws {
        let container = try memoryContainer(Country.self)
        let context = ModelContext(container)
        for index in 0..<20 { context.insert(City("City \(index + 10)", population: index)) }
        try context.save()
        let other = ModelContext(container)
        let kept = try other.fetch(FetchDescriptor<City>(predicate: #Predicate<City> { $0.population == 3 }))
        try other.delete(model: City.self, where: #Predicate<City> { $0.population < 10 })
        #expect(other.hasChanges)
        #expect(kept[0].isDeleted)
        #expect(try other.fetchCount(FetchDescriptor<City>()) == 10)
        var stored = FetchDescriptor<City>(sortBy: [SortDescriptor(\.population)])
        stored.includePendingChanges = false
        #expect(
            try other.fetch(stored).map(\.isDeleted) == Array(repeating: true, count: 10)
                + Array(repeating: false, count: 10))
        let deleted = other.deletedModelsArray
        #expect(Set(deleted.compactMap { ($0 as? City)?.population }) == Set(0..<10))
        let undeleted = try #require(deleted.first { ($0 as? City)?.population == 7 } as? City)
        other.insert(undeleted)
        try other.save()
        #expect(!other.hasChanges)
        #expect(other.deletedModelsArray.isEmpty)
        #expect(try ModelContext(container).fetch(stored).map(\.population) == [7] + Array(10..<20))
        try other.delete(model: City.self)
        other.rollback()
        #expect(!other.hasChanges)
        #expect(try other.fetchCount(FetchDescriptor<City>()) == 11)
    }

    @Test("tells observers of the objects whose relationships it changes")
    func observers() throws {
        let container = try Batch.container()
        let context = ModelContext(container)
        let (owner, part, note) = (Batch.Owner("o", 1), Batch.Part("p"), Batch.Note("n"))
        context.insert(owner)
        owner.parts = [part]
        owner.notes = [note]
        part.notes = [note]
        try context.save()
        let reader = ModelContext(container)
        let read = try #require(try reader.fetch(FetchDescriptor<Batch.Owner>()).first)
        let kept = try #require(try reader.fetch(FetchDescriptor<Batch.Note>()).first)
        let heard = Mutex<[String]>([])
        withObservationTracking {
            #expect(read.parts.count == 1)
        } onChange: {
            heard.withLock { $0.append("parts") }
        }
        withObservationTracking {
            #expect(kept.part != nil)
        } onChange: {
            heard.withLock { $0.append("part") }
        }
        try reader.delete(model: Batch.Part.self)
        #expect(heard.withLock(\.self).sorted() == ["part", "parts"])
        #expect(read.parts.isEmpty)
        #expect(kept.part == nil)
        #expect(kept.hasChanges)
        heard.withLock { $0 = [] }
        withObservationTracking {
            #expect(read.parts.isEmpty)
        } onChange: {
            heard.withLock { $0.append("parts again") }
        }
        reader.rollback()
        #expect(heard.withLock(\.self) == ["parts again"])
        #expect(read.parts.map(\.name) == ["p"])
        #expect(kept.part?.name == "p")
    }

    @Test("an erased container is empty, and its contexts hear of it")
    func erase() throws {
        let container = try Batch.container()
        let context = ModelContext(container)
        var random = SeededGenerator(seed: 3)
        try fill(context, &random)
        let owner = try #require(try context.fetch(FetchDescriptor<Batch.Owner>()).first)
        #expect(owner.modelContext === context)
        try container.erase()
        #expect(try Batch.view(context) == ["orphans []", "labelled 0", "owned 0"])
        #expect(owner.modelContext == nil)
    }
}
