import LoamViews

// The models of the articles, as they print them, but for the edits that Linux asks for.

@Model final class Item {
    var timestamp: Date?
    var categoryID: Int16

    init(timestamp: Date? = nil, categoryID: Int16 = 0) {
        self.timestamp = timestamp
        self.categoryID = categoryID
    }
}

@Model final class Country {
    var name: String
    var capital: String
    var visited = false

    init(_ name: String, capital: String, visited: Bool) {
        (self.name, self.capital, self.visited) = (name, capital, visited)
    }

    static var visitedPredicate: NSPredicate { NSPredicate(format: "%K == true", "visited") }
    static var searchByNamePredicate: NSPredicate { NSPredicate(format: "%K BEGINSWITH[cd] $query", "name") }
    static var searchByCapitalPredicate: NSPredicate { NSPredicate(format: "%K BEGINSWITH[cd] $query", "capital") }
}

@Model
class User {
    var name: String
    var city: String
    var joinDate: Date
    @Relationship(deleteRule: .cascade) var jobs = [Job]()

    init(name: String, city: String, joinDate: Date) {
        self.name = name
        self.city = city
        self.joinDate = joinDate
    }
}

@Model
class Job {
    var name: String
    var priority: Int
    var owner: User?

    init(name: String, priority: Int, owner: User? = nil) {
        self.name = name
        self.priority = priority
        self.owner = owner
    }
}

@Observable
class People {
    var name: String
    var age: Int
    init(name: String, age: Int) {
        self.name = name
        self.age = age
    }
}

struct Trend: Identifiable {
    let id: Int
    let message: String
    let isPositive: Bool
    let count: Int
}
