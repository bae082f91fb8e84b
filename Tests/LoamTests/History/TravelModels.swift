import Foundation
import Loam

/// Models with values that outlive the deletion of their rows.
enum Travel {
    enum Kind: String, Codable { case work, leisure }

    struct Place: Codable, Hashable {
        var city: String
        var floor: Int?
    }

    @Model final class Trip {
        @Attribute(.unique, .preserveValueOnDeletion) var code: String
        @Attribute(.preserveValueOnDeletion) var start: Date
        @Attribute(.preserveValueOnDeletion) var kind: Kind
        @Attribute(.preserveValueOnDeletion) var place: Place?
        @Attribute(.preserveValueOnDeletion) var notes: String
        var name: String
        var description: String
        @Relationship(deleteRule: .cascade, inverse: \Stay.trip) var stays: [Stay] = []
        var tags: [Tag] = []

        init(_ code: String, kind: Kind = .work, place: Place? = nil, notes: String = "") {
            (self.code, self.kind, self.place, self.notes) = (code, kind, place, notes)
            (start, name, description) = (Date(timeIntervalSinceReferenceDate: 5), "Trip \(code)", "")
        }
    }

    @Model final class Stay {
        #Index<Stay>([\.hotel])
        var hotel: String
        @Attribute(.preserveValueOnDeletion) var nights: Int
        var trip: Trip?

        init(_ hotel: String, nights: Int, trip: Trip? = nil) {
            (self.hotel, self.nights, self.trip) = (hotel, nights, trip)
        }
    }

    @Model final class Tag {
        var id: Int
        @Relationship(inverse: \Trip.tags) var trips: [Trip] = []

        init(id: Int) { self.id = id }
    }
}

typealias History = [DefaultHistoryTransaction]

extension ModelContext {
    func history(after token: DefaultHistoryToken? = nil) throws -> History {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token { descriptor.predicate = #Predicate { $0.token > token } }
        return try fetchHistory(descriptor)
    }
}

extension DefaultHistoryTransaction {
    func deletions<Model>(of type: Model.Type) -> [DefaultHistoryDelete<Model>] {
        changes.compactMap { if case .delete(let change as DefaultHistoryDelete<Model>) = $0 { change } else { nil } }
    }

    func updates<Model>(of type: Model.Type) -> [DefaultHistoryUpdate<Model>] {
        changes.compactMap { if case .update(let change as DefaultHistoryUpdate<Model>) = $0 { change } else { nil } }
    }

    func insertions<Model>(of type: Model.Type) -> [DefaultHistoryInsert<Model>] {
        changes.compactMap { if case .insert(let change as DefaultHistoryInsert<Model>) = $0 { change } else { nil } }
    }
}
