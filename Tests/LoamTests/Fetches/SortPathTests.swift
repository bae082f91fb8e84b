import Foundation
import SeededRandom
import Testing

@testable import Loam

@Model final class Branch {
    var id: Int
    var name: String
    var seat: Seat?

    init(id: Int, name: String) { (self.id, self.name) = (id, name) }
}

struct Seat: Codable, Hashable {
    struct Point: Codable, Hashable {
        var latitude: Double
        var longitude: Double?
        var level: Clerk.Level?
    }
    /// Stored by its name.
    enum Grade: Int, Codable {
        case first = 2, second = 1
        init(from decoder: any Decoder) throws {
            self = try decoder.singleValueContainer().decode(String.self) == "first" ? .first : .second
        }
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self == .first ? "first" : "second")
        }
    }

    var street: String
    var number: Int?
    var kind: Clerk.Kind
    var point: Point
    var grade = Grade.first
    var label: String { street }
}

@Model final class Clerk {
    enum Kind: String, Codable, CaseIterable {
        case owner, hired, external
        var title: String { rawValue.uppercased() }
        var nearlyRawValue: String { self == .external ? "" : rawValue }
    }
    enum Level: Int, Codable, CaseIterable, Comparable {
        case low = 3, middle = 5, high = 7
        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }
    enum Mood: String, Codable, Comparable {
        case zen, calm, angry
        private var rank: Int { self == .zen ? 0 : self == .calm ? 1 : 2 }
        static func < (left: Mood, right: Mood) -> Bool { left.rank < right.rank }
    }

    var id: Int
    var name: String
    var description: String?
    var kind: Kind
    var level: Level?
    var mood: Mood
    var home: Seat
    var office: Seat?
    var branch: Branch?
    var chief: Clerk?
    @Relationship(inverse: \Clerk.chief) var team: [Clerk] = []

    init(id: Int, name: String, kind: Kind, mood: Mood, home: Seat) {
        (self.id, self.name, self.kind, self.mood, self.home) = (id, name, kind, mood, home)
    }
}

/// Holds an object that is made of no zero values.
struct Contents: Codable {
    final class Seal: Codable {
        var number: Int

        init(_ number: Int) { self.number = number }

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            guard number > 0 else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "seals are numbered from one"))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(number)
        }
    }

    var kind = Clerk.Kind.hired
    var seal = Seal(1)
}

@Model final class Consignment {
    var content: Contents?

    init() {}
}

@Suite("Sort descriptors by what lies behind properties")
@MainActor
struct SortPathTests {
    private static let names = ["b", "B", "ab", "a 10", "a 9", "A 9", "é", "e", "f", "", "z", "ö", "Öl", "oz"]

    private static func seat(_ random: inout SeededGenerator) -> Seat {
        Seat(
            street: names.randomElement(using: &random) ?? "",
            number: Bool.random(using: &random) ? Int.random(in: 0...3, using: &random) : nil,
            kind: Clerk.Kind.allCases.randomElement(using: &random) ?? .owner,
            point: .init(
                latitude: Double(Int.random(in: -2...2, using: &random)),
                longitude: Bool.random(using: &random) ? 1 / Double(Int.random(in: 1...4, using: &random)) : nil,
                level: Bool.random(using: &random) ? Clerk.Level.allCases.randomElement(using: &random) : nil))
    }

    /// Employees of which some are not saved yet.
    private static func context(_ random: inout SeededGenerator, count: Int) throws -> ModelContext {
        let context = ModelContext(try memoryContainer(Clerk.self, Branch.self))
        let branches = (0..<4).map { Branch(id: $0 % 3, name: names[$0]) }
        for branch in branches.dropLast() { branch.seat = seat(&random) }
        branches.forEach(context.insert)
        var staff: [Clerk] = []
        for index in 0..<count {
            let made = Clerk(
                id: Int.random(in: 0...5, using: &random), name: names.randomElement(using: &random) ?? "",
                kind: Clerk.Kind.allCases.randomElement(using: &random) ?? .owner, mood: .calm, home: seat(&random))
            made.description = Bool.random(using: &random) ? names.randomElement(using: &random) : nil
            made.level = Bool.random(using: &random) ? Clerk.Level.allCases.randomElement(using: &random) : nil
            made.office = Bool.random(using: &random) ? seat(&random) : nil
            context.insert(made)
            made.branch = Bool.random(using: &random) ? branches.randomElement(using: &random) : nil
            made.chief = Bool.random(using: &random) ? staff.randomElement(using: &random) : nil
            staff.append(made)
            if index == count * 3 / 4 { try context.save() }
        }
        for changed in staff.prefix(count / 8) { changed.branch = branches.randomElement(using: &random) }
        return context
    }

    private static func keys(_ order: SortOrder) -> [SortDescriptor<Clerk>] {
        [
            SortDescriptor(\.branch?.name, order: order), SortDescriptor(\.branch?.id, order: order),
            SortDescriptor(\.chief?.branch?.name, order: order), SortDescriptor(\.chief?.chief?.level, order: order),
            SortDescriptor(\.home.street, order: order), SortDescriptor(\.home.number, order: order),
            SortDescriptor(\.home.point.latitude, order: order), SortDescriptor(\.office?.street, order: order),
            SortDescriptor(\.office?.number, order: order), SortDescriptor(\.office?.point.longitude, order: order),
            SortDescriptor(\.branch?.seat?.point.latitude, order: order),
            SortDescriptor(\.kind.rawValue, order: order), SortDescriptor(\.level, order: order),
            SortDescriptor(\.home.kind.rawValue, order: order), SortDescriptor(\.office?.kind.rawValue, order: order),
            SortDescriptor(\.home.point.level?.rawValue, order: order),
            SortDescriptor(\.chief?.office?.point.level?.rawValue, order: order),
            SortDescriptor(\.chief?.kind.rawValue, order: order), SortDescriptor(\.chief?.level, order: order),
            SortDescriptor(\.chief?.level?.rawValue, order: order), SortDescriptor(\.id, order: order),
            SortDescriptor(\.description, comparator: .localizedStandard, order: order),
            SortDescriptor(\.branch?.name, comparator: .localized, order: order),
            SortDescriptor(\.home.street, comparator: .localized(locale: Locale(identifier: "sv")), order: order),
            SortDescriptor(\.name, comparator: .localizedCaseInsensitive, order: order),
            SortDescriptor(\.chief?.description, comparator: .caseInsensitive, order: order),
            SortDescriptor(\.name.count, order: order), SortDescriptor(\.branch?.name.count, order: order),
            SortDescriptor(\.description?.count, order: order), SortDescriptor(\.office?.street.count, order: order),
            SortDescriptor(\Clerk[.lowercased(\.name)], order: order),
            SortDescriptor(\Clerk[.floor(\.home.point.latitude)], order: order),
            SortDescriptor(\Clerk[.uppercased(\.description)], comparator: .localizedStandard, order: order),
        ]
    }

    @Test("order as Swift's own sort does, in any mixture, with unsaved changes", arguments: [11, 12, 13] as [UInt64])
    func order(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let context = try Self.context(&random, count: 120)
        let all = try context.fetch(FetchDescriptor<Clerk>())
        let keys = Self.keys(.forward) + Self.keys(.reverse)
        for first in keys {
            let order = [first, keys.randomElement(using: &random) ?? first, SortDescriptor(\.name)]
            var descriptor = FetchDescriptor(sortBy: order)
            descriptor.fetchLimit = Bool.random(using: &random) ? 30 : nil
            let found = try context.fetch(descriptor)
            let expected = all.sorted(using: order).prefix(descriptor.fetchLimit ?? .max)
            let differs = zip(found, expected).contains { left, right in
                order.contains { $0.compare(left, right) != .orderedSame }
            }
            #expect(found.count == expected.count && !differs, "seed \(seed): \(descriptor)")
        }
    }

    @Test("print the names along their paths")
    func names() {
        func text(_ key: SortDescriptor<Clerk>) -> String { "\(FetchDescriptor(sortBy: [key]))" }
        #expect(text(SortDescriptor(\.branch?.name)) == "Clerk by branch.name")
        #expect(text(SortDescriptor(\.chief?.chief?.branch?.id)) == "Clerk by chief.chief.branch.id")
        #expect(text(SortDescriptor(\.office?.point.longitude)) == "Clerk by office.point.longitude")
        #expect(text(SortDescriptor(\.chief!.home.street)) == "Clerk by chief.home.street")
        #expect(text(SortDescriptor(\.chief?.kind.rawValue)) == "Clerk by chief.kind")
        #expect(text(SortDescriptor(\.office?.point.level?.rawValue)) == "Clerk by office.point.level")
        #expect(text(SortDescriptor(\.chief?.home.street.count)) == "Clerk by length(chief.home.street)")
        #expect(text(SortDescriptor(\Clerk[.floor(\.home.point.latitude)])) == "Clerk by floor(home.point.latitude)")
        let swedish = LocalizedComparator.localized(locale: Locale(identifier: "sv"))
        #expect(text(SortDescriptor(\.branch?.name, comparator: swedish)) == "Clerk by branch.name (localized sv)")
    }

    @Test("through what is unwrapped by force put nil first, and never stop the process")
    func forced() throws {
        var random = SeededGenerator(seed: 5)
        let context = try Self.context(&random, count: 20)
        let found = try context.fetch(FetchDescriptor(sortBy: [SortDescriptor<Clerk>(\.branch!.name)]))
        let names = found.map { $0.branch?.name }
        #expect(names.first == .some(nil) && names.compactMap(\.self) == names.compactMap(\.self).sorted())
    }

    @Test("of computed properties, and of enums that order their cases otherwise, are refused by name")
    func refuse() throws {
        let context = ModelContext(try memoryContainer(Clerk.self, Branch.self))
        for key in [
            SortDescriptor<Clerk>(\.home.label), SortDescriptor(\.kind.title),
            SortDescriptor(\.team.count), SortDescriptor(\.mood), SortDescriptor(\.chief?.mood),
            // A computed property of an enum in a structure that is not its raw value, or not for each case.
            SortDescriptor(\.home.kind.title), SortDescriptor(\.home.kind.nearlyRawValue),
            // One that is stored in another way than its raw value.
            SortDescriptor(\.home.grade.rawValue),
        ] {
            #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
                try context.fetch(FetchDescriptor(sortBy: [key]))
            }
        }
        _ = try context.fetch(FetchDescriptor<Clerk>(sortBy: [SortDescriptor(\.mood.rawValue)]))
    }

    @Test("are refused behind what cannot be made to try them, also by force")
    func unmakeable() throws {
        let context = ModelContext(try memoryContainer(Consignment.self))
        context.insert(Consignment())
        for key in [SortDescriptor<Consignment>(\.content!.kind.rawValue), SortDescriptor(\.content?.kind.rawValue)] {
            #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
                try context.fetch(FetchDescriptor(sortBy: [key]))
            }
        }
    }

    @Test("compare as Core Data's selectors do, and as languages do")
    func comparators() throws {
        let context = ModelContext(try memoryContainer(Clerk.self, Branch.self))
        let texts = ["z", "ö", "a 10", "a 9", "B", "b", "A 9", "C"]
        for (index, text) in texts.enumerated() { context.insert(Branch(id: index, name: text)) }
        try context.save()
        func names(_ comparator: LocalizedComparator) throws -> [String] {
            let order = [SortDescriptor(\Branch.name, comparator: comparator), SortDescriptor(\.id)]
            return try context.fetch(FetchDescriptor(sortBy: order)).map(\.name)
        }
        #expect(try names(.init(selector: "compare:")) == texts.sorted())
        #expect(
            try names(.init(selector: "caseInsensitiveCompare:")) == ["a 10", "a 9", "A 9", "B", "b", "C", "z", "ö"])
        #expect(try names(.init(selector: "localizedCompare:")) == ["a 10", "a 9", "A 9", "b", "B", "C", "ö", "z"])
        #expect(
            try names(.init(selector: "localizedCaseInsensitiveCompare:"))
                == ["a 10", "a 9", "A 9", "B", "b", "C", "ö", "z"])
        #expect(
            try names(.init(selector: "localizedStandardCompare:")) == ["a 9", "A 9", "a 10", "b", "B", "C", "ö", "z"])
        let swedish = Locale(identifier: "sv_SE")
        #expect(try names(.localized(locale: swedish)) == ["a 10", "a 9", "A 9", "b", "B", "C", "z", "ö"])
        #expect(try names(.localizedStandard(locale: swedish)) == ["a 9", "A 9", "a 10", "b", "B", "C", "z", "ö"])
        #expect(try names(.localized(locale: Locale(identifier: "xx"))) == names(.localized))
        let error = #expect(throws: SwiftDataError.self) { try LocalizedComparator(selector: "compareNumerically:") }
        #expect(error == .unsupportedSortDescriptor && error?.detail.contains("localizedStandardCompare:") == true)
    }

    @Test("name what values, groups and aggregates are made of, too")
    func values() throws {
        var random = SeededGenerator(seed: 3)
        let context = try Self.context(&random, count: 40)
        let all = try context.fetch(FetchDescriptor<Clerk>())
        let rows = try context.fetch(\Clerk.branch?.name, \.office?.number, \.home.street)
        #expect(rows.map { $0.0 } == all.map { $0.branch?.name } && rows.map { $0.1 } == all.map { $0.office?.number })
        #expect(rows.map { $0.2 } == all.map { $0.home.street })
        let groups = try context.fetch(groupedBy: \Clerk.branch?.name, aggregates: .count)
        let expected = Dictionary(grouping: all) { $0.branch?.name }.mapValues(\.count)
        #expect(Dictionary(uniqueKeysWithValues: groups.map { ($0.0, $0.1) }) == expected)
        #expect(
            try context.fetch(.maximum(\Clerk.chief?.home.street)) == all.compactMap { $0.chief?.home.street }.max())
    }
}
