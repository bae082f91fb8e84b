import Foundation
import Loam

// Models that contexts insert, change and delete with no regard for each other.

@Model final class Ticket {
    @Attribute(.unique) var code: Int
    var title: String
    var note: String?
    var stall: Stall?

    init(code: Int, title: String) {
        self.code = code
        self.title = title
    }
}

/// A model of which there are always the same rows.
@Model final class Stall {
    @Attribute(.unique) var key: Int
    @Relationship(inverse: \Ticket.stall) var tickets: [Ticket] = []

    init(key: Int) { self.key = key }
}

extension Stall: Keyed {
    static func with(key: Int) -> Predicate<Stall> { #Predicate<Stall> { $0.key == key } }
}

extension Ticket: Keyed {
    static func with(key: Int) -> Predicate<Ticket> { #Predicate<Ticket> { $0.code == key } }
}
