import SeededRandom

/// Chooses a next change among those that are possible in a world.
struct StepChooser {
    let mostPlayers: Int
    private let names = ["a", "b", "c", "d", "é", "e\u{301}", "Ǆ", ""]

    init(mostPlayers: Int) {
        self.mostPlayers = mostPlayers
    }

    func choose(from world: PlayerWorld, nextKey: inout Int, _ random: inout SeededGenerator) -> PlayerStep? {
        func name(_ random: inout SeededGenerator) -> String { names.randomElement(using: &random) ?? "" }
        func newKey() -> Int {
            defer { nextKey += 1 }
            return nextKey
        }
        let people = world.people.keys.sorted()
        let kind = PlayerWorld.Kind.allCases.randomElement(using: &random) ?? .team
        let groups = world.groups[kind.rawValue].keys.sorted()
        let choice = Int.random(in: 0..<100, using: &random)
        if people.count < 2 || (choice < 14 && people.count < mostPlayers) {
            return .addPerson(newKey(), name: name(&random), score: Int.random(in: 0..<12, using: &random))
        }
        if groups.isEmpty || (choice < 18 && groups.count < 4) {
            return .addGroup(kind, newKey(), title: name(&random))
        }
        guard let person = people.randomElement(using: &random), let group = groups.randomElement(using: &random) else {
            return nil
        }
        switch choice {
        case 0..<30: return .score(person, Int.random(in: 0..<12, using: &random))
        case 30..<38: return .rename(person, name(&random))
        case 38..<42: return .nick(person, random.percent(50) ? nil : name(&random))
        case 42..<46: return .retitle(kind, group, name(&random))
        case 46..<62: return .join(person, kind, random.percent(20) ? nil : group)
        case 62..<70: return .setMembers(kind, group, rearranged(members(world, kind, group), people, &random))
        case 70..<78: return mentor(person, people, world, &random)
        case 78..<84: return .setLikes(person, rearranged(world.people[person]?.likes ?? [], people, &random))
        case 84..<87: return world.badges.count < 5 ? .addBadge(newKey()) : .deleteBadge(world.badges.min() ?? 0)
        case 87..<91:
            return .setBadges(person, rearranged(world.people[person]?.badges ?? [], world.badges.sorted(), &random))
        case 91..<97: return .deletePerson(person)
        default: return .deleteGroup(kind, group)
        }
    }

    private func members(_ world: PlayerWorld, _ kind: PlayerWorld.Kind, _ group: Int) -> [Int] {
        world.groups[kind.rawValue][group]?.members ?? []
    }

    private func mentor(
        _ person: Int, _ people: [Int], _ world: PlayerWorld, _ random: inout SeededGenerator
    ) -> PlayerStep {
        guard !random.percent(25), let mentor = people.randomElement(using: &random) else {
            return .mentor(person, nil)
        }
        return .mentor(person, mentor)
    }

    /// The list with a few members moved, taken out and put in.
    private func rearranged(_ list: [Int], _ all: [Int], _ random: inout SeededGenerator) -> [Int] {
        var list = list
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where !list.isEmpty: list.remove(at: Int.random(in: 0..<list.count, using: &random))
            case 1 where list.count > 1: list.shuffle(using: &random)
            case 2:
                if let new = all.randomElement(using: &random), !list.contains(new) {
                    list.insert(new, at: Int.random(in: 0...list.count, using: &random))
                }
            default:
                if let new = all.randomElement(using: &random), !list.contains(new) { list.append(new) }
            }
        }
        return list
    }

    /// Whether a step deletes a guild with players that the same save does not delete, which is denied.
    func isDenied(_ step: PlayerStep, in stored: PlayerWorld, after steps: [PlayerStep]) -> Bool {
        guard case .deleteGroup(_, let key) = step else { return false }
        var world = stored
        for step in steps {
            if case .deleteGroup(.guild, key) = step { continue }
            world.apply(step)
        }
        return world.groups[PlayerWorld.Kind.guild.rawValue][key]?.members.isEmpty == false
    }
}
