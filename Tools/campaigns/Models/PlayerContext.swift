import Foundation
import Loam

/// A context of the campaign with the steps that it has not saved.
final class PlayerContext {
    let context: ModelContext
    private(set) var steps: [PlayerStep] = []
    /// Everything that the steps touch. No other context touches it before this one has saved.
    private(set) var locked: Set<Int> = []

    init(_ container: ModelContainer) {
        context = ModelContext(container)
    }

    /// The world that the context must show over what is stored.
    func view(of stored: PlayerWorld) -> PlayerWorld {
        var world = stored
        for step in steps { world.apply(step) }
        return world
    }

    func forget() {
        steps = []
        locked = []
    }

    /// Does a step to the models.
    func perform(_ step: PlayerStep, touching: Set<Int>) throws {
        steps.append(step)
        locked.formUnion(touching)
        switch step {
        case .addPerson(let key, let name, let score): context.insert(Player(key: key, name: name, score: score))
        case .addGroup(let kind, let key, let title): insertGroup(kind, key, title)
        case .addBadge(let key): context.insert(Badge(key: key))
        case .rename(let key, let name): try player(key).name = name
        case .score(let key, let score): try player(key).score = score
        case .nick(let key, let nick): try player(key).nick = nick
        case .retitle(let kind, let key, let title): try with(kind, key) { $0.title = title }
        case .join(let key, let kind, let group): try join(player(key), kind, group)
        case .setMembers(let kind, let key, let members):
            let members = try members.map(player)
            try with(kind, key) { $0.members = members }
        case .mentor(let key, let mentor): try player(key).mentor = mentor.map(player)
        case .setLikes(let key, let likes): try player(key).likes = likes.map(player)
        case .setBadges(let key, let badges): try player(key).badges = badges.map { try find($0) as Badge }
        case .deletePerson(let key): context.delete(try player(key))
        case .deleteGroup(let kind, let key): try with(kind, key) { context.delete($0) }
        case .deleteBadge(let key): context.delete(try find(key) as Badge)
        }
    }

    private func insertGroup(_ kind: PlayerWorld.Kind, _ key: Int, _ title: String) {
        switch kind {
        case .team: context.insert(Team(key: key, title: title))
        case .club: context.insert(Club(key: key, title: title))
        case .guild: context.insert(Guild(key: key, title: title))
        case .squad: context.insert(Squad(key: key, title: title))
        }
    }

    private func join(_ player: Player, _ kind: PlayerWorld.Kind, _ key: Int?) throws {
        switch kind {
        case .team: player.team = try key.map { try find($0) }
        case .club: player.club = try key.map { try find($0) }
        case .guild: player.guild = try key.map { try find($0) }
        case .squad: player.squad = try key.map { try find($0) }
        }
    }

    private func with(_ kind: PlayerWorld.Kind, _ key: Int, _ body: (any Group) -> Void) throws {
        switch kind {
        case .team: body(try find(key) as Team)
        case .club: body(try find(key) as Club)
        case .guild: body(try find(key) as Guild)
        case .squad: body(try find(key) as Squad)
        }
    }

    func player(_ key: Int) throws -> Player { try find(key) }

    /// Finds a model by a fetch, so that unsaved models are found as stored ones are.
    private func find<T: Keyed>(_ key: Int) throws -> T {
        let models = try context.fetch(FetchDescriptor<T>(predicate: T.with(key: key)))
        guard let model = models.first, models.count == 1 else {
            throw CampaignError("a fetch of \(T.self) \(key) gives \(models.count) models")
        }
        return model
    }
}
