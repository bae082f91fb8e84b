import Foundation
import Loam

// The models of the campaign: one relationship under each delete rule, one to the same entity, one of many to many, and
// one that leads one way.

@Model final class Player {
    #Index<Player>([\.score, \.key], [\.name])
    @Attribute(.unique) var key: Int
    var name: String
    var score: Int
    var nick: String?
    var team: Team?
    var club: Club?
    var guild: Guild?
    var squad: Squad?
    var mentor: Player?
    @Relationship(inverse: \Player.mentor) var students: [Player] = []
    var likes: [Player] = []
    @Relationship(inverse: \Player.likes) var likedBy: [Player] = []
    var badges: [Badge] = []

    init(key: Int, name: String, score: Int) {
        self.key = key
        self.name = name
        self.score = score
    }
}

/// A model that is found by its key.
protocol Keyed: PersistentModel {
    static func with(key: Int) -> Predicate<Self>
}

/// The properties that the four kinds of group have.
protocol Group: Keyed {
    var key: Int { get set }
    var title: String { get set }
    var members: [Player] { get set }
    init(key: Int, title: String)
}

/// A group whose players stay when it is deleted.
@Model final class Team {
    @Attribute(.unique) var key: Int
    var title: String
    @Relationship(deleteRule: .nullify, inverse: \Player.team) var members: [Player] = []

    init(key: Int, title: String) {
        self.key = key
        self.title = title
    }
}

/// A group whose players are deleted with it.
@Model final class Club {
    @Attribute(.unique) var key: Int
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Player.club) var members: [Player] = []

    init(key: Int, title: String) {
        self.key = key
        self.title = title
    }
}

/// A group that cannot be deleted while it has players.
@Model final class Guild {
    @Attribute(.unique) var key: Int
    var title: String
    @Relationship(deleteRule: .deny, inverse: \Player.guild) var members: [Player] = []

    init(key: Int, title: String) {
        self.key = key
        self.title = title
    }
}

/// A group whose players keep a reference that leads nowhere when it is deleted.
@Model final class Squad {
    @Attribute(.unique) var key: Int
    var title: String
    @Relationship(deleteRule: .noAction, inverse: \Player.squad) var members: [Player] = []

    init(key: Int, title: String) {
        self.key = key
        self.title = title
    }
}

@Model final class Badge {
    @Attribute(.unique) var key: Int

    init(key: Int) { self.key = key }
}

extension Player: Keyed {
    static func with(key: Int) -> Predicate<Player> { #Predicate<Player> { $0.key == key } }
}

extension Team: Group {
    static func with(key: Int) -> Predicate<Team> { #Predicate<Team> { $0.key == key } }
}

extension Club: Group {
    static func with(key: Int) -> Predicate<Club> { #Predicate<Club> { $0.key == key } }
}

extension Guild: Group {
    static func with(key: Int) -> Predicate<Guild> { #Predicate<Guild> { $0.key == key } }
}

extension Squad: Group {
    static func with(key: Int) -> Predicate<Squad> { #Predicate<Squad> { $0.key == key } }
}

extension Badge: Keyed {
    static func with(key: Int) -> Predicate<Badge> { #Predicate<Badge> { $0.key == key } }
}
