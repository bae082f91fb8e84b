import Loam

enum Genre: String, Codable, Sendable, CaseIterable {
    case novel, poetry, science

    var isProse: Bool { self != .poetry }
}

struct Shelf: Codable, Hashable, Sendable {
    var room: String
    var number: Int
    var note: String?
}

@Model
final class Publisher {
    var name: String
    var town: String?
    @Relationship(inverse: \Book.publisher) var books: [Book] = []

    init(name: String, town: String? = nil) {
        self.name = name
        self.town = town
    }
}

@Model
final class Author {
    var name: String
    var mentor: Author?
    @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []

    init(name: String, mentor: Author? = nil) {
        self.name = name
        self.mentor = mentor
    }
}

@Model
final class Book {
    var title: String
    var subtitle: String?
    var pages: Int
    var price: Double
    var rating: Int?
    var isSigned: Bool
    var isLent: Bool?
    var published: Date
    var genre: Genre
    var shelf: Shelf
    var tags: [String]
    var code: UUID
    var cover: Data?
    var link: URL?
    var publisher: Publisher?
    var author: Author?
    @Transient var isOpen = false

    var shout: String { title + "!" }

    init(_ title: String, pages: Int, genre: Genre = .novel, author: Author? = nil, publisher: Publisher? = nil) {
        self.title = title
        self.pages = pages
        self.price = Double(pages) / 8
        self.isSigned = pages % 2 == 0
        self.published = Date(timeIntervalSinceReferenceDate: Double(pages) * 86_400)
        self.genre = genre
        self.shelf = Shelf(room: String(title.prefix(1)), number: pages % 7)
        self.tags = genre == .novel ? ["prose", "long"] : [genre.rawValue]
        self.code = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(pages % 256)))
        self.author = author
        self.publisher = publisher
    }
}
