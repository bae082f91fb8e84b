/// The models that the store must hold, as plain values.
struct PlayerWorld: Equatable {
    enum Kind: Int, CaseIterable { case team, club, guild, squad }

    struct Person: Equatable {
        var name: String
        var score: Int
        var nick: String?
        /// The group of each kind.
        var groups: [Int?] = [nil, nil, nil, nil]
        var mentor: Int?
        var students: [Int] = []
        var likes: [Int] = []
        /// The likes of others, in no order: they are appended on the other side.
        var likedBy: Set<Int> = []
        var badges: [Int] = []
    }

    struct Group: Equatable {
        var title: String
        var members: [Int] = []
    }

    var people: [Int: Person] = [:]
    /// The groups, by kind and then by key.
    var groups: [[Int: Group]] = [[:], [:], [:], [:]]
    var badges: Set<Int> = []
}

/// One change of a context.
enum PlayerStep {
    case addPerson(Int, name: String, score: Int)
    case addGroup(PlayerWorld.Kind, Int, title: String)
    case addBadge(Int)
    case rename(Int, String)
    case score(Int, Int)
    case nick(Int, String?)
    case retitle(PlayerWorld.Kind, Int, String)
    case join(Int, PlayerWorld.Kind, Int?)
    case setMembers(PlayerWorld.Kind, Int, [Int])
    case mentor(Int, Int?)
    case setLikes(Int, [Int])
    case setBadges(Int, [Int])
    case deletePerson(Int)
    case deleteGroup(PlayerWorld.Kind, Int)
    case deleteBadge(Int)
}

extension PlayerWorld {
    mutating func apply(_ step: PlayerStep) {
        switch step {
        case .addPerson(let key, let name, let score): people[key] = Person(name: name, score: score)
        case .addGroup(let kind, let key, let title): groups[kind.rawValue][key] = Group(title: title)
        case .addBadge(let key): badges.insert(key)
        case .rename(let key, let name): people[key]?.name = name
        case .score(let key, let score): people[key]?.score = score
        case .nick(let key, let nick): people[key]?.nick = nick
        case .retitle(let kind, let key, let title): groups[kind.rawValue][key]?.title = title
        case .join(let key, let kind, let group): join(key, kind, group)
        case .setMembers(let kind, let key, let members): setMembers(kind, key, members)
        case .mentor(let key, let mentor): setMentor(key, mentor)
        case .setLikes(let key, let likes): setLikes(key, likes)
        case .setBadges(let key, let badges): people[key]?.badges = badges
        case .deletePerson(let key): deletePerson(key)
        case .deleteGroup(let kind, let key): deleteGroup(kind, key)
        case .deleteBadge(let key):
            badges.remove(key)
            for person in people.keys { people[person]?.badges.removeAll { $0 == key } }
        }
    }

    private mutating func join(_ key: Int, _ kind: Kind, _ group: Int?) {
        let old = people[key]?.groups[kind.rawValue]
        guard old != group else { return }
        if let old = old ?? nil { groups[kind.rawValue][old]?.members.removeAll { $0 == key } }
        people[key]?.groups[kind.rawValue] = group
        if let group { groups[kind.rawValue][group]?.members.append(key) }
    }

    private mutating func setMembers(_ kind: Kind, _ key: Int, _ members: [Int]) {
        for old in groups[kind.rawValue][key]?.members ?? [] where !members.contains(old) { join(old, kind, nil) }
        for new in members { join(new, kind, key) }
        groups[kind.rawValue][key]?.members = members
    }

    private mutating func setMentor(_ key: Int, _ mentor: Int?) {
        guard people[key]?.mentor != mentor else { return }
        if let old = people[key]?.mentor { people[old]?.students.removeAll { $0 == key } }
        people[key]?.mentor = mentor
        if let mentor { people[mentor]?.students.append(key) }
    }

    private mutating func setLikes(_ key: Int, _ likes: [Int]) {
        for old in people[key]?.likes ?? [] { people[old]?.likedBy.remove(key) }
        people[key]?.likes = likes
        for new in likes { people[new]?.likedBy.insert(key) }
    }

    private mutating func deletePerson(_ key: Int) {
        for kind in Kind.allCases { join(key, kind, nil) }
        setMentor(key, nil)
        for student in people[key]?.students ?? [] { setMentor(student, nil) }
        setLikes(key, [])
        for other in people[key]?.likedBy ?? [] { people[other]?.likes.removeAll { $0 == key } }
        people[key] = nil
    }

    private mutating func deleteGroup(_ kind: Kind, _ key: Int) {
        let members = groups[kind.rawValue][key]?.members ?? []
        for member in members {
            if kind == .club { deletePerson(member) } else { join(member, kind, nil) }
        }
        groups[kind.rawValue][key] = nil
    }

    /// Whether the store must refuse the step.
    func isDenied(_ step: PlayerStep) -> Bool {
        guard case .deleteGroup(.guild, let key) = step else { return false }
        return groups[Kind.guild.rawValue][key]?.members.isEmpty == false
    }

    /// Everything that a step may touch: people as their keys, groups and badges as negative numbers.
    func touched(by step: PlayerStep) -> Set<Int> {
        func group(_ kind: Kind, _ key: Int) -> Int { -(key * 4 + kind.rawValue) - 1 }
        func badge(_ key: Int) -> Int { Int.min + key }
        func person(_ key: Int) -> Set<Int> {
            guard let person = people[key] else { return [key] }
            var result: Set<Int> = [key]
            for kind in Kind.allCases {
                if let joined = person.groups[kind.rawValue] { result.insert(group(kind, joined)) }
            }
            if let mentor = person.mentor { result.insert(mentor) }
            return result.union(person.students).union(person.likes).union(person.likedBy)
        }
        switch step {
        case .addPerson(let key, _, _), .rename(let key, _), .score(let key, _), .nick(let key, _): return [key]
        case .addGroup(let kind, let key, _), .retitle(let kind, let key, _): return [group(kind, key)]
        case .addBadge: return []
        case .join(let key, let kind, let joined):
            return person(key).union(joined.map { [group(kind, $0)] } ?? [])
        case .setMembers(let kind, let key, let members):
            let all = Set(members).union(groups[kind.rawValue][key]?.members ?? [])
            return all.reduce(into: [group(kind, key)]) { $0.formUnion(person($1)) }
        case .mentor(let key, let mentor): return person(key).union(mentor.map { [$0] } ?? [])
        case .setLikes(let key, let likes): return person(key).union(likes)
        case .setBadges(let key, let badges):
            return Set((badges + (people[key]?.badges ?? [])).map(badge)).union([key])
        case .deletePerson(let key): return person(key)
        case .deleteGroup(let kind, let key):
            return (groups[kind.rawValue][key]?.members ?? []).reduce(into: [group(kind, key)]) {
                $0.formUnion(person($1))
            }
        case .deleteBadge(let key): return Set(people.keys).union([badge(key)])
        }
    }
}
