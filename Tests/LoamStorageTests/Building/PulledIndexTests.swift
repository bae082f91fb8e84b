import Foundation
import Testing

@testable import LoamStorage

/// Another change of the schema takes an index away, or puts another in its place, while it is built.
@Suite struct PulledIndexTests {
    private let temporary: TemporaryStore
    private let store: Store
    private let cities: [RowID]

    init() throws {
        temporary = try TemporaryStore()
        store = try temporary.open()
        try store.apply(
            .addEntities([
                EntityDefinition("Country", properties: [PropertyDefinition("name", type: .string)]),
                EntityDefinition(
                    "City",
                    properties: [
                        PropertyDefinition("name", type: .string), PropertyDefinition("population", type: .int32),
                    ]),
            ]))
        try store.insert([["name": .string("Japan")]], into: "Country")
        cities = try store.insert(
            (0..<4_200).map { ["name": .string("c\($0)"), "population": .int($0)] }, into: "City")
    }

    private var country: SchemaChange {
        .addRelationship(RelationshipDefinition("country", to: "Country"), to: "City")
    }

    /// Makes a change as an opening does, and another one on a second thread while the first reads its rows.
    private func open(
        _ changes: [SchemaChange], meanwhile other: @escaping @Sendable () throws -> Void
    ) throws {
        try withProgress(other) { progress in
            try store.changeSchema(progress: progress) { draft in
                for change in changes where try !change.isMade(in: draft) { try draft.apply(change) }
            }
        }
    }

    /// Makes a change as the tool does, and another one on a second thread while the first reads its rows.
    private func apply(_ change: SchemaChange, meanwhile other: @escaping @Sendable () throws -> Void) throws {
        try withProgress(other) { try store.apply(change, progress: $0) }
    }

    private func withProgress(
        _ other: @escaping @Sendable () throws -> Void, _ body: (@escaping (Int, Int) -> Void) throws -> Void
    ) throws {
        var isDone = false
        try body { _, _ in
            guard !isDone else { return }
            isDone = true
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                do { try other() } catch { Issue.record(error) }
                done.signal()
            }
            done.wait()
        }
        #expect(isDone)
    }

    /// Nothing is left over, and every index has the rows that it should have.
    private func expectWhole(_ names: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let document = try store.catalog().document
        #expect(document.builders.isEmpty && !document.hasRetiredData, sourceLocation: sourceLocation)
        let indexes = try store.entity("City").indexes
        #expect(indexes.map(\.name).sorted() == names.sorted(), sourceLocation: sourceLocation)
        #expect(indexes.allSatisfy { $0.state == .ready }, sourceLocation: sourceLocation)
        for name in names where name != "ref(country)" {
            #expect(try Set(store.rows(in: name, of: "City")) == Set(cities), sourceLocation: sourceLocation)
        }
        #expect(try store.check().faults == [], sourceLocation: sourceLocation)
    }

    private var addInverse: @Sendable () throws -> Void {
        { [store] in
            let inverse = RelationshipDefinition("cities", to: "City", isToMany: true, inverse: "country")
            try store.changeSchema { try $0.apply(.addInverse(inverse, to: "Country", of: "country")) }
        }
    }

    private var makeToMany: @Sendable () throws -> Void {
        { [store] in try store.changeSchema { try $0.apply(.makeToMany("country", in: "City")) } }
    }

    private var widen: @Sendable () throws -> Void {
        { [store] in try store.changeSchema { try $0.apply(.widen("population", to: .int64, in: "City")) } }
    }

    @Test func aRelationshipThatGetsAnInverseWhileItsIndexIsBuilt() throws {
        try open([country], meanwhile: addInverse)
        try expectWhole(["ref(country)"])
        #expect(try store.entity("Country").relationship(named: "cities")?.isToMany == true)
    }

    @Test func aRelationshipThatComesToLeadToSeveralRowsWhileItsIndexIsBuilt() throws {
        try open([country], meanwhile: makeToMany)
        try expectWhole([])
        #expect(try store.entity("City").relationship(named: "country")?.isToMany == true)
    }

    @Test func aRelationshipThatIsMovedWhileTheToolAddsIt() throws {
        try apply(country, meanwhile: addInverse)
        try expectWhole(["ref(country)"])
    }

    @Test func aRelationshipThatIsRemovedWhileTheToolAddsIt() throws {
        let store = store
        let kind = storageError {
            try apply(country) { try store.apply(.removeRelationship("country", from: "City")) }
        }
        #expect(kind == .unknownRelationship)
        try expectWhole([])
    }

    @Test func otherIndexesOfTheSameOpeningAreBuiltAllTheSame() throws {
        try open([country, .addIndex(IndexDefinition([.init("name")]), to: "City")], meanwhile: addInverse)
        try expectWhole(["ref(country)", "name"])
    }

    @Test(arguments: [IndexKind.ordered, .unique])
    func anIndexThatIsMadeAnewForAWiderAttribute(kind: IndexKind) throws {
        let index = SchemaChange.addIndex(IndexDefinition([.init("population")], kind: kind), to: "City")
        try open([index], meanwhile: widen)
        try expectWhole(["population"])
        #expect(try store.entity("City").properties.map(\.type) == [.string, .int64])
    }

    @Test(arguments: [IndexKind.ordered, .unique])
    func anIndexThatIsMadeAnewWhileTheToolAddsIt(kind: IndexKind) throws {
        try apply(.addIndex(IndexDefinition([.init("population")], kind: kind), to: "City"), meanwhile: widen)
        try expectWhole(["population"])
    }

    @Test func anIndexThatIsDroppedWhileTheToolAddsIt() throws {
        let store = store
        let kind = storageError {
            try apply(.addIndex(IndexDefinition([.init("population")]), to: "City")) {
                try store.apply(.dropIndex("population", from: "City"))
            }
        }
        #expect(kind == .unknownIndex)
        try expectWhole([])
    }

    /// Who declares it has it: what an opening decides holds when it returns.
    @Test func anIndexThatIsDroppedWhileAnOpeningAddsIt() throws {
        let store = store
        try open([.addIndex(IndexDefinition([.init("population")]), to: "City")]) {
            try store.apply(.dropIndex("population", from: "City"))
        }
        try expectWhole(["population"])
    }

    /// A copy that is to take the place of what is made anew goes with that.
    @Test func anIndexThatIsMadeAnewWhileItIsRebuilt() throws {
        try store.apply(.addIndex(IndexDefinition([.init("population")]), to: "City"))
        try apply(.rebuildIndex("population", of: "City"), meanwhile: widen)
        try expectWhole(["population"])
    }

    @Test func aRelationshipThatGetsAnInverseWhileItsIndexIsRebuilt() throws {
        try store.apply(country)
        try apply(.rebuildIndex("ref(country)", of: "City"), meanwhile: addInverse)
        try expectWhole(["ref(country)"])
    }

    @Test func anIndexThatTwoRebuildAtOnce() throws {
        try store.apply(.addIndex(IndexDefinition([.init("population")]), to: "City"))
        let store = store
        try apply(.rebuildIndex("population", of: "City")) {
            try store.apply(.rebuildIndex("population", of: "City"))
        }
        try expectWhole(["population"])
    }
}

extension SchemaChange {
    /// Whether the draft has what the change adds.
    fileprivate func isMade(in draft: SchemaDraft) throws -> Bool {
        switch self {
        case .addRelationship(let definition, let name, _):
            draft.schema.entity(named: name)?.relationship(named: definition.name) != nil
        case .addIndex(let definition, let name):
            draft.schema.entity(named: name)?.indexes.contains { $0.name == definition.name } == true
        default: false
        }
    }
}
