import Foundation
import Loam
import Observation
import Testing

@Model private final class Kennel {
    var name: String
    /// Neither has an inverse.
    var keeper: Dog?
    var visitors: [Dog] = []
    var guest: Dog?

    init(_ name: String) { self.name = name }
}

@Model private final class Dog {
    var name: String
    @Relationship(inverse: \Kennel.guest) var kennels: [Kennel] = []

    init(_ name: String) { self.name = name }
}

/// Found by `campaigns predicates --seed 5000640`: the kennel went on leading to a dog that there was not.
@Suite("A model that was discarded before it was saved")
struct DiscardedTargetTests {
    private let container: ModelContainer
    private let context: ModelContext

    init() throws {
        container = try ModelContainer(for: Kennel.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        context.autosaveEnabled = false
    }

    @Test("is let go of by what leads one way to it", arguments: [true, false])
    func oneWay(isStored: Bool) throws {
        let (kennel, old, dog) = (Kennel("Oak"), Dog("Old"), Dog("Rex"))
        context.insert(kennel)
        kennel.keeper = old
        if isStored { try context.save() }
        kennel.keeper = dog
        kennel.visitors = [old, dog]
        context.delete(dog)
        #expect(kennel.keeper == nil)
        #expect(kennel.visitors.map(\.name) == ["Old"])
        let withoutKeeper = FetchDescriptor(predicate: #Predicate<Kennel> { $0.keeper?.name == nil })
        #expect(try context.fetchCount(withoutKeeper) == 1)
        try context.save()
        let saved = try #require(try ModelContext(container).fetch(withoutKeeper).first)
        #expect(saved.keeper == nil && saved.visitors.map(\.name) == ["Old"])
        #expect(try context.fetchCount(FetchDescriptor<Dog>()) == 1)
    }

    @Test("is nothing after a rollback, which brings back what there was")
    func rollback() throws {
        let (kennel, old) = (Kennel("Oak"), Dog("Old"))
        context.insert(kennel)
        kennel.keeper = old
        try context.save()
        let dog = Dog("Rex")
        kennel.keeper = dog
        context.delete(dog)
        context.rollback()
        #expect(kennel.keeper === old)
    }

    @Test("is let go of where an observer of another deletion has rolled back before")
    func rollbackOnTheWay() throws {
        let (kennel, rex) = (Kennel("Oak"), Dog("Rex"))
        rex.kennels = [Kennel("Elm")]
        context.insert(rex)
        let later = Dog("Later")
        nonisolated(unsafe) let (observingContext, observedKennel, observedDog) = (context, kennel, later)
        // Told when the kennel is let go of, which is a step of the deletion.
        withObservationTracking {
            _ = rex.kennels[0].guest
        } onChange: {
            observingContext.rollback()
            observingContext.insert(observedKennel)
            observedKennel.keeper = observedDog
            observingContext.delete(observedDog)
        }
        context.delete(rex)
        #expect(later.modelContext == nil)
        #expect(kennel.keeper == nil)
        try context.save()
        #expect(try ModelContext(container).fetch(FetchDescriptor<Kennel>()).map { $0.keeper == nil } == [true])
    }
}
