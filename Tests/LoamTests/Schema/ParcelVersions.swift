import Foundation
import Loam

/// One application's models in two versions: the second one has wider types, and other properties may be nil.
enum ParcelsV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        #Index<Parcel>([\.weight], [\.floor, \.name], [\.note, \.serial], [\.rank])
        #Unique<Parcel>([\.serial], [\.code, \.name])
        var id: UUID
        var name: String
        var serial: Int32
        var code: UInt16
        var floor: Int8?
        var weight: Float
        var width: Float?
        var note: String?
        var details: String?
        var rank: Int?
        var label: String
        var depot: Depot

        init(_ name: String, serial: Int32, code: UInt16, weight: Float, depot: Depot) {
            id = UUID()
            (self.name, self.serial, self.code, self.weight) = (name, serial, code, weight)
            (label, self.depot) = ("", depot)
        }
    }

    @Model final class Depot {
        var name: String
        @Relationship(inverse: \Parcel.depot) var parcels: [Parcel] = []

        init(_ name: String) { self.name = name }
    }
}

enum ParcelsV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)
    static var models: [any PersistentModel.Type] { [Parcel.self] }

    @Model final class Parcel {
        #Index<Parcel>([\.weight], [\.floor, \.name], [\.note, \.serial], [\.rank])
        #Unique<Parcel>([\.serial], [\.code, \.name])
        var id: UUID
        var name: String
        var serial: Int
        var code: Int32
        var floor: Int16?
        var weight: Double
        var width: Double?
        var note: String = "none"
        var details: String = "nothing"
        var rank: Int
        var label: String?
        var depot: Depot?

        init(_ name: String, serial: Int, code: Int32, weight: Double, rank: Int) {
            id = UUID()
            (self.name, self.serial, self.code, self.weight, self.rank) = (name, serial, code, weight, rank)
        }
    }

    @Model final class Depot {
        var name: String
        @Relationship(inverse: \Parcel.depot) var parcels: [Parcel] = []

        init(_ name: String) { self.name = name }
    }
}

enum ParcelStages: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [ParcelsV1.self, ParcelsV2.self] }
    static var stages: [MigrationStage] { [toV2] }
    static let toV2 = MigrationStage.lightweight(fromVersion: ParcelsV1.self, toVersion: ParcelsV2.self)

    static func open(_ version: any VersionedSchema.Type, at url: URL) throws -> ModelContainer {
        try ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: Self.self,
            configurations: ModelConfiguration(url: url))
    }
}

extension TemporaryFolder {
    func openParcels(_ version: any VersionedSchema.Type) throws -> ModelContainer {
        try ParcelStages.open(version, at: store)
    }
}

/// The parcel that the models of the second version must show, whichever version has saved it.
struct ExpectedParcel: Equatable {
    var name: String
    var serial: Int
    var code: Int32
    var floor: Int16?
    var weight: Double
    var width: Double?
    var note: String
    var details: String
    var rank: Int
    var label: String?
    var depot: String?
}

extension ExpectedParcel {
    init(_ parcel: ParcelsV2.Parcel) {
        self.init(
            name: parcel.name, serial: parcel.serial, code: parcel.code, floor: parcel.floor, weight: parcel.weight,
            width: parcel.width, note: parcel.note, details: parcel.details, rank: parcel.rank, label: parcel.label,
            depot: parcel.depot?.name)
    }

    init(_ parcel: ParcelsV1.Parcel) {
        self.init(
            name: parcel.name, serial: Int(parcel.serial), code: Int32(parcel.code),
            floor: parcel.floor.map(Int16.init),
            weight: Double(parcel.weight), width: parcel.width.map(Double.init), note: parcel.note ?? "none",
            details: parcel.details ?? "nothing", rank: parcel.rank ?? 0, label: parcel.label, depot: parcel.depot.name)
    }
}
