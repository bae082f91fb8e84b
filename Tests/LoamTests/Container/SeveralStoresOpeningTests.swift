import Foundation
import Testing

@testable import Loam

private enum Crossing {
    @Model final class Ship {
        var name: String
        var port: Port?
        init(_ name: String) { self.name = name }
    }

    @Model final class Port {
        var name: String
        init(_ name: String) { self.name = name }
    }

    @Model final class Crane {
        var port: Port?
        init() {}
    }
}

@Suite("The configurations of a container")
struct SeveralStoresOpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name + ".loam") }

    private func configuration(_ name: String, _ models: any PersistentModel.Type...) -> ModelConfiguration {
        ModelConfiguration(name, schema: models.isEmpty ? nil : Schema(models), url: file(name))
    }

    /// The error that opening throws, after a check that opening made no file.
    private func refusal(
        _ models: [any PersistentModel.Type], _ configurations: ModelConfiguration...
    ) throws -> SwiftDataError {
        let error = try #require(throws: SwiftDataError.self) {
            try ModelContainer(for: Schema(models), configurations: configurations)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        return error
    }

    @Test("take the models of their schemas with what these lead to, and one without a schema takes the rest")
    func assignment() throws {
        let schema = Schema([Voyage.self, Remark.self, Stop.self])
        func names(_ configurations: ModelConfiguration...) throws -> [[String]] {
            try ModelAssignment.schemas(of: configurations, from: schema).map { $0.entities.map(\.name) }
        }
        let all = ["Anchorage", "Mark", "Remark", "Stop", "Voyage"]
        #expect(try names(configuration("a")) == [all])
        #expect(try names(configuration("a", Anchorage.self, Stop.self, Mark.self)) == [all])
        #expect(
            try names(configuration("a", Anchorage.self), configuration("b"), configuration("c", Stop.self))
                == [["Anchorage", "Voyage"], ["Mark", "Remark"], ["Stop"]])
        #expect(
            try names(configuration("a", Anchorage.self, Voyage.self), configuration("b", Remark.self, Stop.self))
                == [["Anchorage", "Voyage"], ["Mark", "Remark", "Stop"]])
        // All models are listed elsewhere, so none is left for the configuration without a schema.
        #expect(try names(configuration("a"), configuration("b", Stop.self, Mark.self, Voyage.self)) == [[], all])
    }

    @Test("are refused where a relationship leads from one to another, by its name")
    func relationship() throws {
        let models: [any PersistentModel.Type] = [Crossing.Ship.self, Crossing.Port.self]
        for error in [
            try refusal(models, configuration("ships", Crossing.Ship.self), configuration("ports", Crossing.Port.self)),
            try refusal(models, configuration("ports", Crossing.Port.self), configuration("ships")),
        ] {
            #expect(error == .loadIssueModelContainer)
            for word in ["Ship.port", "Port", "ships", "ports"] { #expect(error.detail.contains(word)) }
        }
        // A model that nobody lists goes with the first model that leads to it, so another store's model cannot lead to
        // it.
        let error = try refusal(
            [Crossing.Ship.self, Crossing.Crane.self], configuration("ships", Crossing.Ship.self),
            configuration("cranes", Crossing.Crane.self))
        #expect(error == .loadIssueModelContainer && error.detail.contains("Crane.port"))
    }

    @Test("are refused where two list a model, or none takes one, by its name")
    func models() throws {
        let models: [any PersistentModel.Type] = [Voyage.self, Remark.self]
        let twice = try refusal(
            models, configuration("a", Voyage.self), configuration("b", Remark.self, Voyage.self))
        #expect(twice == .duplicateConfiguration)
        for word in ["Voyage", "a", "b"] { #expect(twice.detail.contains(word)) }
        let none = try refusal(models, configuration("a", Voyage.self))
        #expect(none == .loadIssueModelContainer && none.detail.contains("Remark"))
        let foreign = try refusal([Voyage.self], configuration("a", Voyage.self), configuration("b", Remark.self))
        #expect(foreign == .configurationSchemaNotFoundInContainerSchema && foreign.detail.contains("Remark"))
        let rest = try refusal(models, configuration("a"), configuration("b"))
        #expect(rest == .duplicateConfiguration && rest.detail.contains("schema"))
    }

    @Test("are refused where two are for one file, by any path, or of one name in memory")
    func files() throws {
        let models: [any PersistentModel.Type] = [Voyage.self, Remark.self]
        let link = FileManager.default.temporaryDirectory.appendingPathComponent("loam-link-\(UUID().uuidString)")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.url)
        defer { try? FileManager.default.removeItem(at: link) }
        let others = [
            file("a"), folder.url.appendingPathComponent("x/../a.loam"), link.appendingPathComponent("a.loam"),
        ]
        for other in others {
            let error = try refusal(
                models, configuration("a", Voyage.self),
                ModelConfiguration("b", schema: Schema([Remark.self]), url: other))
            #expect(error == .duplicateConfiguration && error.detail.contains("a.loam"), "\(other)")
        }
        let name = UUID().uuidString
        let memory = try refusal(
            models, ModelConfiguration(name, schema: Schema([Voyage.self]), isStoredInMemoryOnly: true),
            ModelConfiguration(name, isStoredInMemoryOnly: true))
        #expect(memory == .duplicateConfiguration && memory.detail.contains(name))
        let container = try ModelContainer(
            for: Voyage.self, Remark.self,
            configurations: ModelConfiguration(schema: Schema([Voyage.self]), isStoredInMemoryOnly: true),
            ModelConfiguration(isStoredInMemoryOnly: true))
        #expect(container.stores[0].id != container.stores[1].id)
    }

    @Test("are refused where a file is a copy of another, whose identifiers it has")
    func copies() throws {
        do { _ = try ModelContainer(for: Voyage.self, Remark.self, configurations: configuration("a")) }
        try FileManager.default.copyItem(at: file("a"), to: file("b"))
        let error = try #require(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Voyage.self, Remark.self, configurations: configuration("a", Voyage.self),
                configuration("b", Remark.self))
        }
        #expect(error == .duplicateConfiguration && error.detail.contains("copy"))
        for word in ["configuration a", "configuration b"] { #expect(error.detail.contains(word)) }
    }

    @Test("are refused where a file is a copy of another, which does not become what its models say")
    func unchangedCopy() throws {
        do { _ = try ModelContainer(for: Voyage.self, configurations: configuration("a")) }
        try FileManager.default.copyItem(at: file("a"), to: file("b"))
        let before = try Data(contentsOf: file("b"))
        let error = try #require(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Voyage.self, Remark.self, configurations: configuration("a", Voyage.self),
                configuration("b", Remark.self))
        }
        #expect(error == .duplicateConfiguration)
        #expect(try Data(contentsOf: file("b")) == before)
    }

    @Test("are named where one of their files cannot be opened")
    func damaged() throws {
        try Data("no store".utf8).write(to: file("b"))
        let error = try #require(throws: SwiftDataError.self) {
            try ModelContainer(
                for: Voyage.self, Remark.self, configurations: configuration("a", Voyage.self),
                configuration("b", Remark.self))
        }
        #expect(error == .loadIssueModelContainer && error.detail.contains("configuration b"))
    }

    private enum Plan: SchemaMigrationPlan {
        enum First: VersionedSchema {
            static let versionIdentifier = Schema.Version(1, 0, 0)
            static var models: [any PersistentModel.Type] { [Voyage.self, Remark.self] }
        }

        static var schemas: [any VersionedSchema.Type] { [First.self] }
        static var stages: [MigrationStage] { [] }
    }

    @Test("and the plan stay with the container as they were given; the files become what the models say")
    func kept() throws {
        let given = [configuration("a", Voyage.self), configuration("b", Remark.self)]
        let container = try ModelContainer(
            for: Schema(versionedSchema: Plan.First.self), migrationPlan: Plan.self, configurations: given)
        #expect(container.configurations == Set(given))
        #expect(container.migrationPlan == Plan.self)
        #expect(container.schema == Schema(versionedSchema: Plan.First.self))
        let plain = try ModelContainer(for: Voyage.self, configurations: configuration("a"))
        #expect(plain.migrationPlan == nil && plain.configurations == [configuration("a")])
    }
}
