import Foundation
import LoamStorage

@testable import LoamQuery

/// 3,000 photos of five years, some without a date or a caption.
final class PhotoAlbum {
    struct Photo {
        var id: RowID
        var caption: String?
        var taken: Date?
        var rating: Int64
    }

    static let byLength = IndexDefinition([.init("caption", function: .length)])
    static let berlin = "Europe/Berlin"
    static let byDay = IndexDefinition(
        [.init("taken", function: .startOfDay, timeZone: berlin), .init("rating", direction: .descending)])
    private static let words = [
        "", "a", "É", "Sea", "sea", "Harbour at night", "🇵🇪", "A much longer caption of a photo",
    ]

    let store: Store
    private(set) var photos: [Photo] = []

    init(_ indexes: [IndexDefinition] = [], captions: [String]? = nil) throws {
        var options = StoreOptions()
        options.isInMemory = true
        store = try Store.open(path: "", options: options)
        try store.apply(
            .addEntity(
                EntityDefinition(
                    "Photo",
                    properties: [
                        .init("caption", type: .string, isOptional: true),
                        .init("taken", type: .date, isOptional: true),
                        .init("rating", type: .int64),
                    ],
                    indexes: indexes)))
        let entity = try store.read { try $0.entity(named: "Photo") }
        var batch = WriteBatch(author: "test")
        for number in 0..<(captions?.count ?? 3_000) {
            let word = number % 11 == 3 ? nil : Self.words[number * 7 % 8] + "\(number % 13)"
            let caption = captions?[number] ?? word
            let taken =
                number % 17 == 5 ? nil : Date(timeIntervalSinceReferenceDate: Double(number * 7_919 % 3_001) * 5e4)
            let photo = Photo(
                id: try store.makeRowID(), caption: caption, taken: taken, rating: Int64(number % 5))
            photos.append(photo)
            batch.insert(
                try store.catalog().encode(
                    [caption.map(Value.string) ?? .null, taken.map(Value.date) ?? .null, .int(photo.rating)],
                    as: entity.id),
                into: entity.id, rowID: photo.id)
        }
        try store.save(batch)
    }

    func run(_ query: Query) throws -> (plan: Plan, rows: [RowID], work: Work) {
        try store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let rows = try plan.rows(in: snapshot, work: &work).map(\.rowID)
            return (plan, rows, work)
        }
    }

    func sections(_ query: Query) throws -> (plan: Plan, sections: [(value: Value, count: Int)], work: Work) {
        try store.read { snapshot in
            let plan = try Planner.plan(query, in: snapshot)
            var work = Work()
            let sections = try plan.sections(in: snapshot, work: &work)
            return (plan, sections, work)
        }
    }

    /// The photos by a key, nil first, and then by id.
    func sorted<Key: Comparable>(by key: (Photo) -> Key?, descending: Bool = false) -> [Photo] {
        photos.sorted { left, right in
            switch (key(left), key(right)) {
            case (nil, nil): return descending ? left.id > right.id : left.id < right.id
            case (nil, _): return !descending
            case (_, nil): return descending
            case (let first?, let second?):
                if first == second { return descending ? left.id > right.id : left.id < right.id }
                return (first < second) != descending
            }
        }
    }
}
