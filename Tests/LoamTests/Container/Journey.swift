import Foundation
import Loam
import Testing

/// The models of one of two stores.
@Model final class Voyage {
    #Index<Voyage>([\.name])
    @Attribute(.unique) var name: String
    var days = 1
    @Relationship(deleteRule: .cascade, inverse: \Anchorage.voyage) var anchorages: [Anchorage] = []

    init(_ name: String, days: Int = 1) {
        self.name = name
        self.days = days
    }
}

@Model final class Anchorage {
    var name: String
    var voyage: Voyage?

    init(_ name: String, voyage: Voyage? = nil) {
        self.name = name
        self.voyage = voyage
    }
}

/// The models of the other store. A remark names a voyage by its identifier.
@Model final class Remark {
    #Index<Remark>([\.text])
    @Attribute(.unique) var text: String
    var stars = 0
    var about: PersistentIdentifier?
    var marks: [Mark] = []

    init(_ text: String, stars: Int = 0, about: PersistentIdentifier? = nil) {
        self.text = text
        self.stars = stars
        self.about = about
    }
}

@Model final class Mark {
    var name: String
    @Relationship(inverse: \Remark.marks) var remarks: [Remark] = []

    init(_ name: String) { self.name = name }
}

/// A container of voyages and remarks in a file each.
final class TwoFiles {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var voyages: URL { folder.url.appendingPathComponent("voyages.loam") }
    var remarks: URL { folder.url.appendingPathComponent("remarks.loam") }

    func open(canSaveRemarks: Bool = true) throws -> ModelContainer {
        try ModelContainer(
            for: Voyage.self, Remark.self,
            configurations: ModelConfiguration("voyages", schema: Schema([Voyage.self]), url: voyages),
            ModelConfiguration("remarks", schema: Schema([Remark.self]), url: remarks, allowsSave: canSaveRemarks))
    }

    /// Opens one of the files alone, as another program would.
    func openVoyages() throws -> ModelContainer {
        try ModelContainer(for: Voyage.self, configurations: ModelConfiguration(url: voyages))
    }

    func openRemarks() throws -> ModelContainer {
        try ModelContainer(for: Remark.self, configurations: ModelConfiguration(url: remarks))
    }

    func storedVoyages() throws -> [String] {
        try ModelContext(openVoyages()).fetch(FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])).map(\.name)
    }

    func storedRemarks() throws -> [String] {
        try ModelContext(openRemarks()).fetch(FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)])).map(\.text)
    }
}
