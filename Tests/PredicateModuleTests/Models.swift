import Foundation
import Loam

enum Priority: String, Codable, CaseIterable { case low, medium, high }

@Model final class Folder {
    var id: UUID
    var name: String
    var isPinned: Bool
    @Relationship(deleteRule: .cascade, inverse: \Note.folder) var notes: [Note] = []
    var parent: Folder?

    init(_ name: String, isPinned: Bool = false, parent: Folder? = nil) {
        (self.id, self.name, self.isPinned, self.parent) = (UUID(), name, isPinned, parent)
    }
}

@Model final class Tag {
    @Attribute(.unique) var name: String
    var notes: [Note] = []

    init(_ name: String) { self.name = name }
}

@Model final class Note {
    var title: String
    var body: String?
    var created: Date
    var due: Date?
    var priority: Priority
    var rating: Int?
    var price: Double
    var isDone: Bool
    var folder: Folder?
    @Relationship(inverse: \Tag.notes) var tags: [Tag] = []
    var address: String?

    init(_ title: String, body: String? = nil, created: Date, rating: Int? = nil, folder: Folder? = nil) {
        (self.title, self.body, self.created, self.rating, self.folder) = (title, body, created, rating, folder)
        priority = rating ?? 0 > 3 ? .high : .low
        (price, isDone) = (Double(rating ?? 1) * 1.5, rating == nil)
        (due, address) = (rating.map { created.addingTimeInterval(Double($0) * 3_600) }, body.map { "\($0) Street" })
    }
}
