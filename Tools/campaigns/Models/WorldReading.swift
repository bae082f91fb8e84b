import Foundation
import Loam

extension PlayerWorld {
    /// Reads the world that a context shows, through its models.
    init(reading context: ModelContext) throws {
        let players = try context.fetch(FetchDescriptor<Player>(sortBy: [SortDescriptor(\.key)]))
        for player in players {
            var person = Person(name: player.name, score: player.score, nick: player.nick)
            person.groups = [player.team?.key, player.club?.key, player.guild?.key, player.squad?.key]
            person.mentor = player.mentor?.key
            person.students = player.students.map(\.key)
            person.likes = player.likes.map(\.key)
            person.likedBy = Set(player.likedBy.map(\.key))
            person.badges = player.badges.map(\.key)
            people[player.key] = person
        }
        func read<T: campaigns.Group>(_ type: T.Type) throws -> [Int: PlayerWorld.Group] {
            try context.fetch(FetchDescriptor<T>()).reduce(into: [:]) {
                $0[$1.key] = PlayerWorld.Group(title: $1.title, members: $1.members.map(\.key))
            }
        }
        groups = [try read(Team.self), try read(Club.self), try read(Guild.self), try read(Squad.self)]
        badges = Set(try context.fetch(FetchDescriptor<Badge>()).map(\.key))
    }

    /// The first thing that differs, in words.
    func difference(from other: PlayerWorld) -> String? {
        if self == other { return nil }
        for key in Set(people.keys).union(other.people.keys).sorted() where people[key] != other.people[key] {
            return "player \(key): \(describe(people[key])) instead of \(describe(other.people[key]))"
        }
        for kind in Kind.allCases where groups[kind.rawValue] != other.groups[kind.rawValue] {
            let (found, wanted) = (groups[kind.rawValue], other.groups[kind.rawValue])
            for key in Set(found.keys).union(wanted.keys).sorted() where found[key] != wanted[key] {
                return "\(kind) \(key): \(describe(found[key])) instead of \(describe(wanted[key]))"
            }
        }
        return "badges \(badges.sorted()) instead of \(other.badges.sorted())"
    }

    private func describe(_ value: Any?) -> String { value.map { "\($0)" } ?? "nothing" }
}
