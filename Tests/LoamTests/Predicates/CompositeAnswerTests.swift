import Foundation
import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

extension Freight.Level? {
    fileprivate var rank: Int { self?.rawValue ?? 99 }
}

@Suite("Answers about collections are those that Swift gives, or errors")
@MainActor
struct CompositeAnswerTests {
    private let answers: FreightAnswers

    init() throws { answers = try FreightAnswers() }

    @Test("closures over collections of a row further out read the rows that are meant, or are refused")
    func scopes() throws {
        try answers.expect(#Predicate { s in s.before.contains { b in s.tags.contains(b.name) } })
        try answers.expect(#Predicate { s in s.before.contains { b in b.tags.contains { $0 == b.name } } })
        try answers.expect(#Predicate { s in s.before.contains { b in b.tags.contains { $0 == s.name } } })
        try answers.expect(#Predicate { s in s.before.contains { b in b.id > 3 && s.tags.contains { $0 == s.name } } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.tags.allSatisfy { $0 == s.name } && b.id > 3 } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.tags.filter { $0 == s.name }.count < b.id } })
        try answers.expect(#Predicate { s in s.before.contains { _ in s.tags.filter { $0 != "c" }.contains(s.name) } })
        try answers.expect(#Predicate { s in s.before.contains { _ in s.before.contains { $0.name == s.name } } })
        try answers.expect(
            #Predicate { s in s.tags.contains { t in s.before.allSatisfy { $0.name == s.name } && t == "a" } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.contains { _ in b.tags.contains { $0 == s.name } } } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.contains { _ in s.tags.contains { $0 == s.name } } } })

        try answers.expect(#Predicate { s in s.before.contains { b in s.tags.contains { $0 == b.name } } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.tags.allSatisfy { $0 == b.name } } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.tags.filter { $0 == b.name }.isEmpty } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.tags.filter { $0 != "c" }.contains(b.name) } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.before.contains { $0.name == b.name } } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.contains { c in b.tags.contains { $0 == c.name } } } })
    }

    @Test("a closure over related rows of a row further out reads the row between")
    func rowsBetween() throws {
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.before.contains { $0.id > b.id && $0.name == b.name } } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.before.allSatisfy { $0.id >= b.id } && b.name == "a" } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.before.filter { $0.id < b.id }.count == 2 } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.before.filter { $0.id > b.id }.isEmpty && b.id > 9 } })
        try answers.expect(
            #Predicate { s in
                s.before.contains { b in s.before.filter { $0.name != "" }.filter { $0.name != b.name }.count > 0 }
            })
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.contains { c in s.before.contains { $0.id > c.id } } } }
        )
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.contains { c in b.before.contains { $0.id < c.id } } } }
        )
        try answers.expect(#Predicate { s in s.tags.contains { t in s.before.contains { $0.name == t } } })
        try answers.expect(
            #Predicate { s in s.tags.contains { t in s.before.filter { $0.tags.contains(t) }.count > 1 } })
        // A condition that is bound outside holds of the row outside.
        try answers.expect(
            #Predicate { s in
                let isYoung = s.age == 1
                return s.before.contains { b in isYoung && b.age != 1 }
            })
        try answers.expect(
            #Predicate { s in
                let few = s.before.filter { $0.id > s.id }
                return s.tags.contains { t in few.contains { $0.name == t } }
            })
        try answers.expect(
            Predicate(format: "SUBQUERY(before, $b, SUBQUERY(before, $c, $c.id > $b.id).@count == 0).@count == 1"))
        try answers.expect(
            Predicate(format: "SUBQUERY(before, $b, ANY SUBQUERY(before, $c, $c.name == $b.name).id > 40).@count > 0"))
    }

    @Test("as many alternatives as one likes are computed")
    func manyAlternatives() throws {
        try answers.expect(
            #Predicate { s in
                let own = s.age ?? 3
                let next = s.next?.age ?? 4
                let later = s.next?.next?.age ?? 5
                let first = s.before.first?.age ?? 6
                let second = s.before.last?.before.first?.age ?? 7
                let last = s.next?.before.last?.age ?? 8
                return own + next + later > 24 - first - second - last
            })
        try answers.expect(
            #Predicate { s in
                let first = s.before.first?.before.first?.age ?? 1
                let here = (s.age ?? 3) * first
                let later = s.next?.next?.next?.age ?? 2
                let there = later + (s.before.last?.next?.age ?? 1)
                return here % 3 < there * (s.next?.age ?? 2)
            })
        try answers.expect(
            #Predicate { s in
                let next = s.next?.next?.next?.next?.name ?? s.next?.next?.name ?? s.name
                let before = s.before.first?.before.last?.name ?? s.before.last?.name ?? s.next?.name ?? "b"
                return next == before
            })
    }

    @Test("captured values are filtered by what the row has")
    func chosenValues() throws {
        let (names, numbers, none): ([String], [Int], [Int]) = (["a", "b", "c"], [3, 1, 2, 50], [])
        let boxes = [Freight.Box(name: "a", marks: []), Freight.Box(name: "b", marks: [1])]
        try answers.expect(#Predicate { s in names.filter { $0 > s.name }.count == 2 })
        try answers.expect(#Predicate { s in names.filter { $0 != s.name }.isEmpty })
        try answers.expect(#Predicate { s in names.filter { $0 > s.name }.first == "b" })
        try answers.expect(#Predicate { s in names.filter { $0 < s.name }.last == nil })
        try answers.expect(#Predicate { s in names.filter { s.tags.contains($0) }.contains("b") })
        try answers.expect(#Predicate { s in names.filter { s.tags.contains($0) }.contains(s.name) })
        try answers.expect(#Predicate { s in names.filter { s.tags.contains($0) }.allSatisfy { $0 == s.name } })
        try answers.expect(#Predicate { s in names.filter { s.tags.contains($0) }.contains { $0 > s.name } })
        try answers.expect(#Predicate { s in names.filter { s.tags.contains($0) }.filter { $0 != s.name }.count == 1 })
        try answers.expect(#Predicate { s in numbers.filter { $0 < s.id }.max() == 3 })
        try answers.expect(#Predicate { s in numbers.filter { $0 > s.id }.min() == 50 })
        try answers.expect(#Predicate { s in none.filter { $0 < s.id }.isEmpty })
        try answers.expect(#Predicate { s in boxes.filter { $0.name == s.name }.count == 1 })
        try answers.expect(#Predicate { s in boxes.filter { $0.name != s.name }.first?.name == "b" })
        try answers.expect(#Predicate { s in s.before.contains { b in names.filter { $0 > s.name }.contains(b.name) } })
        try answers.expect(
            #Predicate { s in
                let later = names.filter { $0 > s.name }
                return s.before.contains { b in later.contains(b.name) }
            })
    }

    @Test("sets are equal by their elements, whichever row each is of")
    func sets() throws {
        let few: Set = [1, 2]
        let many = Set(0..<2000)
        try answers.expect(#Predicate { s in s.before.contains { b in s.marks == b.marks } })
        try answers.expect(#Predicate { s in s.before.contains { b in b.marks == s.marks } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.marks != b.marks } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.others == b.others } })
        try answers.expect(#Predicate { s in s.before.contains { _ in s.marks == few } })
        try answers.expect(#Predicate { $0.marks == few })
        try answers.expect(#Predicate { $0.marks == [] })
        try answers.expect(#Predicate { $0.marks != many })
        try answers.expect(#Predicate { $0.others == few })
        try answers.expect(#Predicate { $0.others != [] })
        let lists: [Set<Int>] = [[2, 1], []]
        try answers.expect(#Predicate { lists.contains($0.marks) })
        let (first, second) = (Set(0..<100), Set((0..<100).reversed()))
        try answers.expect(#Predicate { $0.id > 3 && first == second })
    }

    @Test("sets inside of other values are refused: they are stored in no order")
    func insideSets() throws {
        let (box, sets, table) = (Freight.Box(name: "a", marks: [1, 2]), [Set([1, 2])], ["a": Set([1, 2])])
        let set: Set = [1, 2]
        let none: Freight.Box? = nil
        try answers.expect(#Predicate { $0.description == none })
        try answers.expect(#Predicate { $0.description == nil })
        answers.refuses(#Predicate { $0.box == box }, "Box")
        answers.refuses(#Predicate { $0.box != $0.box }, "Box")
        answers.refuses(#Predicate { $0.description == box }, "Box")
        answers.refuses(#Predicate { [box].contains($0.box) }, "Box")
        answers.refuses(#Predicate { $0.boxes.contains(box) }, "Box")
        answers.refuses(#Predicate { $0.boxes.contains { $0 == box } }, "Box")
        answers.refuses(#Predicate { $0.sets == sets }, "Set<Int>")
        answers.refuses(#Predicate { $0.sets.contains(set) }, "Set<Int>")
        answers.refuses(#Predicate { $0.table == table }, "Set<Int>")
    }

    @Test("elements that are nil are elements")
    func nilElements() throws {
        let gaps: Set<Int?> = [nil]
        let both: Set<Int?> = [nil, 1]
        try answers.expect(#Predicate { $0.codes.count == 2 })
        try answers.expect(#Predicate { $0.codes.contains { $0 == nil } })
        try answers.expect(#Predicate { $0.codes.allSatisfy { $0 != nil } })
        try answers.expect(#Predicate { $0.codes.filter { $0 == nil }.count == 1 })
        try answers.expect(#Predicate { $0.codes.isEmpty })
        try answers.expect(#Predicate { $0.codes.contains(nil) })
        try answers.expect(#Predicate { $0.gaps == gaps })
        try answers.expect(#Predicate { $0.gaps == both })
        try answers.expect(#Predicate { $0.gaps != [] })
    }

    @Test("values that only their type reads are refused")
    func opaque() throws {
        let tree = Freight.Tree(name: "a")
        let none: Freight.Tree? = nil
        try answers.expect(#Predicate { $0.oak == nil })
        try answers.expect(#Predicate { $0.oak != none })
        answers.refuses(#Predicate { $0.tree == tree }, "Tree")
        answers.refuses(#Predicate { $0.oak != tree }, "Tree")
        answers.refuses(#Predicate { $0.oak == $0.tree }, "Tree")
        answers.refuses(#Predicate { [tree].contains($0.tree) }, "Tree")
    }

    @Test("a property of an optional enum is its raw value only where it is nil of nil")
    func optionalEnums() throws {
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try answers.context.fetch(FetchDescriptor<Freight>(sortBy: [SortDescriptor(\.level.rank)]))
        }
        let sorted = try answers.context.fetch(FetchDescriptor<Freight>(sortBy: [SortDescriptor(\.level?.grade)]))
        #expect(sorted.map { $0.level?.rawValue ?? 0 } == answers.all.map { $0.level?.rawValue ?? 0 }.sorted())
        let old = #Predicate<Freight> { $0.age != nil }
        let aged = try answers.context.fetch(FetchDescriptor(predicate: old, sortBy: [SortDescriptor(\.age!)]))
        #expect(aged.map(\.age) == answers.all.compactMap(\.age).sorted())
    }

    @Test("an order of cases that a store does not have is refused wherever it is asked")
    func caseOrder() throws {
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try answers.context.fetch(.minimum(\Freight.mood)) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try answers.context.fetch(.maximum(\Freight.mood)) }
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try answers.context.fetch(groupedBy: \Freight.mood, aggregates: .count, sortBy: [.ascending(\.mood)])
        }
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try answers.context.fetch(groupedBy: \Freight.name, aggregates: .count, having: .minimum(\.mood) < .angry)
        }
        let (calm, angry) = (Freight.Mood.calm, Freight.Mood.angry)
        answers.refuses(#Predicate { $0.mood < angry }, "rawValue")
        answers.refuses(#Predicate { ($0.moods.min() ?? calm) == angry }, "rawValue")
        answers.refuses(#Predicate { ($0.moods.max() ?? calm) == angry }, "rawValue")
        answers.refuses(#Predicate { (calm...angry).contains($0.mood) }, "rawValue")
        try answers.expect(#Predicate { $0.mood == angry && calm < angry })
        #expect(try answers.context.fetch(groupedBy: \Freight.mood, aggregates: .count).count == 2)
        #expect(try answers.context.fetch(.count(of: \Freight.level)) == answers.all.count { $0.level != nil })
    }

    @Test("rules count in a language that ICU does not take")
    func unknownLanguage() throws {
        let locale = String(repeating: "language", count: 100)
        let rules = Collation.Rules(locale: locale, isNumeric: false, ignoresCase: true)
        let form = StringForm.localized(try #require(Collation(rules)))
        #expect(StringForms.compare("file 10", "file 9", form: form) < 0)
        #expect(StringForms.compare("FILE", "file", form: form) == 0)
    }

    @Test("dictionaries and data are empty or not, and are counted; data has bytes")
    func others() throws {
        try answers.expect(#Predicate { $0.scores.isEmpty })
        try answers.expect(#Predicate { !$0.blob.isEmpty })
        try answers.expect(#Predicate { $0.scores.count == 1 })
        try answers.expect(#Predicate { $0.blob.count == 1 })
        try answers.expect(#Predicate { $0.blob.first == 1 })
    }

    @Test("a dictionary's pairs, keys and values are asked for as elements are")
    func pairs() throws {
        let limits = ["a": 1, "c": 0]
        try answers.expect(#Predicate { $0.scores.contains { $0.value == 1 } })
        try answers.expect(#Predicate { $0.scores.contains { $0.key == "a" && $0.value > 0 } })
        try answers.expect(#Predicate { s in s.scores.contains { $0.key == s.name || $0.value == s.id } })
        try answers.expect(#Predicate { $0.scores.allSatisfy { $0.value < 2 } })
        try answers.expect(#Predicate { $0.scores.filter { $0.value == 2 }.count == 1 })
        try answers.expect(#Predicate { $0.scores.filter { $0.key != "a" }.isEmpty })
        try answers.expect(#Predicate { $0.scores.filter { $0.key != "a" }.contains { $0.value == 1 } })
        try answers.expect(#Predicate { $0.scores.keys.contains("a") })
        try answers.expect(#Predicate { s in s.scores.keys.contains(s.name) })
        try answers.expect(#Predicate { s in s.scores.keys.contains { $0 == s.name } })
        try answers.expect(#Predicate { $0.scores.keys.allSatisfy { $0 < "b" } })
        try answers.expect(#Predicate { $0.scores.keys.count == 2 })
        try answers.expect(#Predicate { $0.scores.keys.isEmpty })
        try answers.expect(#Predicate { ($0.scores.keys.max() ?? "") == "b" })
        try answers.expect(#Predicate { $0.scores.values.contains(2) })
        try answers.expect(#Predicate { s in s.scores.values.contains { $0 == s.age } })
        try answers.expect(#Predicate { $0.scores.values.filter { $0 > 0 }.count == 2 })
        try answers.expect(#Predicate { ($0.scores.values.min() ?? 7) == 1 })
        try answers.expect(#Predicate { ($0.scores.values.filter { $0 > 0 }.max() ?? 7) == 2 })
        try answers.expect(#Predicate { $0.table.contains { $0.value.contains(2) } })
        try answers.expect(#Predicate { s in s.table.contains { p in s.marks.contains { p.value.contains($0) } } })
        try answers.expect(#Predicate { $0.table.values.contains { $0.contains { $0 == 2 } } })
        try answers.expect(#Predicate { $0.next?.scores.contains { $0.value == 1 } == true })
        try answers.expect(#Predicate { $0.next?.scores.keys.contains("b") == true })
        try answers.expect(#Predicate { s in s.before.contains { $0.scores.contains { $0.value == s.age } } })
        try answers.expect(#Predicate { s in s.before.contains { b in s.scores.keys.contains { $0 == b.name } } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.scores.values.contains { $0 == 1 } && b.id > 3 } })
        try answers.expect(#Predicate { s in s.tags.contains { t in s.scores.keys.contains(t) } })
        try answers.expect(#Predicate { s in limits.contains { $0.key == s.name && $0.value < s.id } })
        answers.refuses(#Predicate { $0.scores.keys.first == "a" }, "no order")
    }

    @Test("members of elements of related rows are no properties of these, whose changes are not saved")
    func membersOfElements() throws {
        // Rows that are stored, and have other values now.
        for freight in answers.all.prefix(5) { freight.age = freight.age.map { 3 - $0 } ?? 1 }
        answers.all[1].scores = ["a": 2]
        answers.all[2].boxes = [Freight.Box(name: "a", marks: [])]
        try answers.expect(#Predicate { s in s.before.contains { $0.scores.contains { $0.key == "a" } } })
        try answers.expect(#Predicate { s in s.before.contains { $0.scores.contains { $0.value == s.age } } })
        try answers.expect(#Predicate { $0.next?.scores.contains { $0.value == 2 } == true })
        try answers.expect(#Predicate { s in s.before.contains { $0.boxes.contains { $0.name == "a" } } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.contains { $0.scores.keys.contains("b") } } })
    }
}
