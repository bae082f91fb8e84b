import Foundation
import Loam
import SeededRandom

@Model final class Pupil {
    #Index<Pupil>([\.age], [\.name, \.age], [\.nickname], [\.joined], [\.house], [\.price], [\.isAway, \.points])
    @Attribute(.unique) var number: Int
    var name: String
    var nickname: String?
    var age: Int
    var points: Int?
    var score: Double
    var isAway: Bool
    var isPrefect: Bool?
    var joined: Date?
    var house: House
    var guest: House?
    var price: Decimal?
    var token: UUID
    var tags: [String]
    var notes: [String: [String]]
    var address: Address
    var course: Course?
    @Relationship(inverse: \Club.members) var clubs: [Club] = []

    enum House: String, Codable, CaseIterable { case red, green, blue }

    struct Address: Codable, Hashable {
        var city: String
        var zip: Int?
    }

    init(number: Int) {
        self.number = number
        token = School.tokens[0]
        tags = []
        notes = [:]
        address = Address(city: "", zip: nil)
        name = ""
        age = 0
        score = 0
        isAway = false
        house = .red
    }
}

@Model final class Course {
    #Index<Course>([\.level])
    var title: String
    var level: Int
    var room: String?
    var tutor: Pupil?
    @Relationship(inverse: \Pupil.course) var pupils: [Pupil] = []

    init(title: String, level: Int) {
        self.title = title
        self.level = level
    }
}

@Model final class Club {
    var name: String
    var fee: Int?
    var members: [Pupil] = []

    init(name: String) { self.name = name }
}

/// A small random school, which changes at random.
struct School {
    static let tokens = (0..<4).map { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, $0)) }
    static let prices: [Decimal] = [0, 1, Decimal(sign: .plus, exponent: -1, significand: 15), -3, 12]
    static let keys = ["a", "b"]
    static let names = ["", "Ada", "ada", "Örn", "orn", "Zoe", "Zoë 2", "Zoe 10"]

    let container: ModelContainer
    let context: ModelContext
    var random: SeededGenerator
    private var lastNumber = 0

    init(seed: UInt64) throws {
        container = try ModelContainer(
            for: Pupil.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        context = ModelContext(container)
        context.autosaveEnabled = false
        random = SeededGenerator(seed: seed)
        for number in 0..<5 {
            let course = Course(title: name(), level: number)
            course.room = chance(30) ? nil : name()
            context.insert(course)
            let club = Club(name: name())
            club.fee = chance(30) ? nil : number
            context.insert(club)
        }
        try context.save()
        for _ in 0..<30 { try change(.insert) }
        try context.save()
    }

    enum Change: CaseIterable { case insert, update, delete, move, join, course, club }

    /// Makes one change and leaves it unsaved.
    mutating func change(_ change: Change? = nil) throws {
        let pupils = try context.fetch(FetchDescriptor<Pupil>())
        let courses = try context.fetch(FetchDescriptor<Course>())
        let clubs = try context.fetch(FetchDescriptor<Club>())
        let pupil = pupils.randomElement(using: &random)
        switch change ?? Change.allCases.randomElement(using: &random) ?? .insert {
        case .insert:
            lastNumber += 1
            let pupil = Pupil(number: lastNumber)
            context.insert(pupil)
            fill(pupil)
            if chance(70) { pupil.course = courses.randomElement(using: &random) }
            pupil.clubs = clubs.filter { _ in chance(30) }
        case .update: pupil.map { fill($0) }
        case .delete: if let pupil, pupils.count > 20 { context.delete(pupil) }
        case .move: pupil?.course = chance(20) ? nil : courses.randomElement(using: &random)
        case .join: pupil?.clubs = clubs.filter { _ in chance(40) }
        case .course:
            let course = courses.randomElement(using: &random)
            course?.level = Int.random(in: 0...5, using: &random)
            course?.tutor = chance(30) ? nil : pupil
        case .club: clubs.randomElement(using: &random)?.name = name()
        }
    }

    private mutating func fill(_ pupil: Pupil) {
        pupil.name = name()
        pupil.nickname = chance(40) ? nil : name()
        pupil.age = Int.random(in: 0...10, using: &random)
        pupil.points = chance(30) ? nil : Int.random(in: 0...10, using: &random)
        pupil.score = Double(Int.random(in: -4...8, using: &random)) / 2
        pupil.isAway = chance(50)
        pupil.isPrefect = chance(40) ? nil : chance(50)
        pupil.joined =
            chance(40)
            ? nil : Date(timeIntervalSinceReferenceDate: Double(Int.random(in: 0...8, using: &random)) * 86_400)
        pupil.house = Pupil.House.allCases.randomElement(using: &random) ?? .red
        pupil.price = chance(30) ? nil : Self.prices.randomElement(using: &random)
        pupil.token = Self.tokens.randomElement(using: &random) ?? UUID()
        pupil.tags = (0..<Int.random(in: 0...2, using: &random)).map { _ in name() }
        pupil.notes = [:]
        for key in Self.keys where chance(60) {
            pupil.notes[key] = (0..<Int.random(in: 0...2, using: &random)).map { _ in name() }
        }
        pupil.address = Pupil.Address(city: name(), zip: chance(40) ? nil : Int.random(in: 0...9, using: &random))
        pupil.guest = chance(50) ? nil : Pupil.House.allCases.randomElement(using: &random)
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func name() -> String { Self.names.randomElement(using: &random) ?? "" }
}
