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
    private let context: ModelContext
    private let all: [Freight]

    /// Freights of which a quarter is not saved.
    init() throws {
        var random = SeededGenerator(seed: 7)
        context = ModelContext(try memoryContainer(Freight.self))
        var made: [Freight] = []
        for id in 0..<80 {
            let freight = Freight(id, &random)
            context.insert(freight)
            freight.next = made.randomElement(using: &random)
            made.append(freight)
            if id == 60 { try context.save() }
        }
        all = made
    }

    private func fetch(_ predicate: Predicate<Freight>) throws -> [Int] {
        try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.id)])).map(\.id)
    }

    /// The fetch finds what the closure says in memory, and so does the format that the predicate prints.
    private func expect(_ predicate: Predicate<Freight>, _ line: Int = #line) throws {
        let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
        #expect(try fetch(predicate) == expected, "line \(line)")
        let text = try predicate.predicateFormat
        #expect(try fetch(Predicate<Freight>(format: text)) == expected, "line \(line): \(text)")
    }

    private func refuses(_ predicate: Predicate<Freight>, _ part: String, _ line: Int = #line) {
        do {
            _ = try fetch(predicate)
            Issue.record("line \(line): nothing was thrown")
        } catch {
            #expect(error as? SwiftDataError == .unsupportedPredicate, "line \(line)")
            #expect("\(error)".contains(part), "line \(line): \(error)")
        }
    }

    @Test("closures over collections of a row further out read the rows that are meant, or are refused")
    func scopes() throws {
        try expect(#Predicate { s in s.before.contains { b in s.tags.contains(b.name) } })
        try expect(#Predicate { s in s.before.contains { b in b.tags.contains { $0 == b.name } } })
        try expect(#Predicate { s in s.before.contains { b in b.tags.contains { $0 == s.name } } })
        try expect(#Predicate { s in s.before.contains { b in b.id > 3 && s.tags.contains { $0 == s.name } } })
        try expect(#Predicate { s in s.before.contains { b in s.tags.allSatisfy { $0 == s.name } && b.id > 3 } })
        try expect(#Predicate { s in s.before.contains { b in s.tags.filter { $0 == s.name }.count < b.id } })
        try expect(#Predicate { s in s.before.contains { _ in s.tags.filter { $0 != "c" }.contains(s.name) } })
        try expect(#Predicate { s in s.before.contains { _ in s.before.contains { $0.name == s.name } } })
        try expect(#Predicate { s in s.tags.contains { t in s.before.allSatisfy { $0.name == s.name } && t == "a" } })
        try expect(
            #Predicate { s in s.before.contains { b in b.before.contains { _ in b.tags.contains { $0 == s.name } } } })
        try expect(
            #Predicate { s in s.before.contains { b in b.before.contains { _ in s.tags.contains { $0 == s.name } } } })

        try expect(#Predicate { s in s.before.contains { b in s.tags.contains { $0 == b.name } } })
        try expect(#Predicate { s in s.before.contains { b in s.tags.allSatisfy { $0 == b.name } } })
        try expect(#Predicate { s in s.before.contains { b in s.tags.filter { $0 == b.name }.isEmpty } })
        try expect(#Predicate { s in s.before.contains { b in s.tags.filter { $0 != "c" }.contains(b.name) } })
        try expect(#Predicate { s in s.before.contains { b in s.before.contains { $0.name == b.name } } })
        try expect(
            #Predicate { s in s.before.contains { b in b.before.contains { c in b.tags.contains { $0 == c.name } } } })
    }

    @Test("a closure over related rows of a row further out reads the row between")
    func rowsBetween() throws {
        try expect(
            #Predicate { s in s.before.contains { b in s.before.contains { $0.id > b.id && $0.name == b.name } } })
        try expect(
            #Predicate { s in s.before.contains { b in s.before.allSatisfy { $0.id >= b.id } && b.name == "a" } })
        try expect(#Predicate { s in s.before.contains { b in s.before.filter { $0.id < b.id }.count == 2 } })
        try expect(#Predicate { s in s.before.contains { b in s.before.filter { $0.id > b.id }.isEmpty && b.id > 9 } })
        try expect(
            #Predicate { s in
                s.before.contains { b in s.before.filter { $0.name != "" }.filter { $0.name != b.name }.count > 0 }
            })
        try expect(
            #Predicate { s in s.before.contains { b in b.before.contains { c in s.before.contains { $0.id > c.id } } } }
        )
        try expect(
            #Predicate { s in s.before.contains { b in b.before.contains { c in b.before.contains { $0.id < c.id } } } }
        )
        try expect(#Predicate { s in s.tags.contains { t in s.before.contains { $0.name == t } } })
        try expect(#Predicate { s in s.tags.contains { t in s.before.filter { $0.tags.contains(t) }.count > 1 } })
        // A condition that is bound outside holds of the row outside.
        try expect(
            #Predicate { s in
                let isYoung = s.age == 1
                return s.before.contains { b in isYoung && b.age != 1 }
            })
        try expect(
            #Predicate { s in
                let few = s.before.filter { $0.id > s.id }
                return s.tags.contains { t in few.contains { $0.name == t } }
            })
        try expect(
            Predicate(format: "SUBQUERY(before, $b, SUBQUERY(before, $c, $c.id > $b.id).@count == 0).@count == 1"))
        try expect(
            Predicate(format: "SUBQUERY(before, $b, ANY SUBQUERY(before, $c, $c.name == $b.name).id > 40).@count > 0"))
    }

    @Test("the first and the last of related rows are asked for what they have")
    func firstAndLastRow() throws {
        try expect(#Predicate { $0.before.first?.name == "a" })
        try expect(#Predicate { $0.before.last?.name != "a" })
        try expect(#Predicate { $0.before.first == nil })
        try expect(#Predicate { $0.before.last != nil })
        try expect(#Predicate { ($0.before.last?.id ?? 0) > 40 })
        // The first one's age, though it be nil where a later one has one.
        try expect(#Predicate { $0.before.first?.age == nil })
        try expect(#Predicate { ($0.before.first?.age ?? 5) == 5 })
        try expect(#Predicate { $0.before.first?.box.name == "a" })
        try expect(#Predicate { $0.before.last?.tags.contains("a") == true })
        try expect(#Predicate { $0.before.first?.tags.count == 2 })
        try expect(#Predicate { $0.before.first?.next?.name == $0.name })
        try expect(#Predicate { $0.before.filter { $0.name == "b" }.first?.id == $0.before.first?.id })
        try expect(#Predicate { s in s.before.filter { $0.name == s.name }.last?.age == 1 })
        try expect(#Predicate { s in s.next?.before.first?.id == s.id })
        try expect(#Predicate { s in s.before.contains { b in s.before.first?.name == b.name && b.id > 20 } })
        try expect(#Predicate { s in s.before.contains { b in b.before.last?.name == s.name } })
        try expect(
            #Predicate { s in s.before.contains { b in s.before.filter { $0.id > b.id }.first?.name == b.name } })
        let second = all[1].persistentModelID
        try expect(#Predicate { $0.before.first?.persistentModelID == second })
        try expect(Predicate(format: "before[FIRST].name == 'a' AND before[LAST].next.name == name"))
        try expect(Predicate(format: "SUBQUERY(before, $x, $x.age == 1)[LAST].id > 20"))
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            _ = try fetch(Predicate<Freight>(format: "before[FIRST].nothing == 1"))
        }
        for format in ["before[FIRST] > before[LAST]", "before[LAST].before == 1"] {
            #expect(throws: SwiftDataError.unsupportedPredicate, "\(format)") {
                _ = try fetch(Predicate<Freight>(format: format))
            }
        }
    }

    @Test("the first and the last of related rows are asked for their own related rows")
    func relatedRowsOfEndRow() throws {
        try expect(#Predicate { $0.before.first?.before.isEmpty == true })
        try expect(#Predicate { $0.before.last?.before.isEmpty != true })
        try expect(#Predicate { ($0.before.first?.before.count ?? 2) == 2 })
        try expect(#Predicate { $0.before.first?.before.contains { $0.name == "a" } == true })
        try expect(#Predicate { s in s.before.first?.before.contains { $0.name == s.name } ?? true })
        try expect(#Predicate { s in s.before.last?.before.allSatisfy { $0.id > s.id } == true })
        try expect(#Predicate { s in s.before.first?.before.filter { $0.age == s.age }.count == 1 })
        try expect(#Predicate { s in s.before.filter { $0.age != s.age }.last?.before.isEmpty == false })
        try expect(#Predicate { $0.before.first?.before.first?.name == "a" })
        try expect(#Predicate { $0.before.first?.before.last?.before.count == 1 })
        try expect(#Predicate { s in s.before.first?.before.filter { $0.name == s.name }.first?.age == 1 })
        // The row that it leads to, and from there back to it.
        try expect(#Predicate { $0.before.first?.next?.before.count == 2 })
        try expect(#Predicate { s in s.before.first?.next?.before.contains { $0.id == s.id } == true })
        try expect(#Predicate { ($0.before.first?.next?.next?.before.count ?? 7) == 7 })
        let third = all[2]
        try expect(#Predicate { $0.before.first?.before.contains(third) == true })
        // Of a row further out, and in a closure over its rows.
        try expect(#Predicate { s in s.next?.before.first?.before.isEmpty == true })
        try expect(#Predicate { s in s.before.contains { b in s.before.first?.before.count == b.before.count } })
        try expect(
            #Predicate { s in s.before.contains { b in b.before.first?.before.contains { $0.id > s.id } == true } })
        try expect(
            #Predicate { s in
                s.before.contains { b in s.before.last?.before.contains { $0.name == b.name } == true }
            })
        try expect(
            #Predicate { s in s.tags.contains { t in s.before.first?.before.contains { $0.name == t } == true } })
        for format in [
            "before[FIRST].before.@count == 1", "before[LAST].before[SIZE] > 1",
            "before[FIRST].before[LAST].name == 'a'",
            "SUBQUERY(before[FIRST].before, $x, $x.age == 1).@count > 0", "before[FIRST].next.before.@count == 2",
            "SUBQUERY(before[FIRST].before, $x, $x.id > 3).@max.age == 2",
        ] {
            let predicate = try Predicate<Freight>(format: format)
            #expect(try !fetch(predicate).isEmpty, "\(format)")
            try expect(predicate)
        }
        // A way of many such steps is read in no time to speak of; where it ends nothing is found.
        let steps = String(repeating: ".before[FIRST]", count: 60)
        #expect(try fetch(Predicate(format: "before[FIRST]" + steps + ".name == 'a'")).isEmpty)
        // Where there is no first row nothing is counted, and no order holds.
        let isUnread = { (s: Freight) in !(s.before.first.map { !$0.before.isEmpty } ?? false) }
        let unread = all.filter(isUnread).map(\.id)
        #expect(unread.count < all.count)
        #expect(try fetch(Predicate(format: "NOT before[FIRST].before.@count > 0")) == unread)
        #expect(
            try fetch(Predicate(format: "NOT SUBQUERY(before[FIRST].before, $x, TRUEPREDICATE).@count > 0")) == unread)
        let known = all.filter { $0.before.first != nil }.map(\.id)
        #expect(try fetch(Predicate(format: "before[FIRST].before.@count >= 0")) == known)
        // The same through a row that there may be none of, from a row further out.
        let nested = "SUBQUERY(tags, $t, NOT SUBQUERY(next.before, $c, $c.name == $t).@count > 0).@count > 0"
        let expected = all.filter { s in
            s.tags.contains { t in !(s.next.map { $0.before.contains { $0.name == t } } ?? false) }
        }
        #expect(try fetch(Predicate(format: nested)) == expected.map(\.id))
    }

    @Test("an explanation writes the first and the last of related rows as they are read")
    func explainedEndRows() throws {
        for format in [
            "before[FIRST].name == 'a'", "before[LAST].next.name == 'b'", "next.before[FIRST].age == 1",
            "SUBQUERY(before, $x, $x.age == 1)[LAST].id > 20", "before[FIRST] == nil",
            "before[FIRST].next.before.@count == 2", "before[FIRST].before[LAST].name == 'a'",
            "SUBQUERY(before, $x, before[FIRST].name == $x.name).@count > 1",
        ] {
            let predicate = try Predicate<Freight>(format: format)
            let explanation = try context.explanation(of: FetchDescriptor(predicate: predicate))
            let shown = try #require("\(explanation)".split(separator: "\n").first)
            let written = try #require(shown.components(separatedBy: " where ").last)
            #expect(try fetch(Predicate(format: written)) == fetch(predicate), "\(format): \(written)")
        }
    }

    @Test("as many alternatives as one likes are computed")
    func manyAlternatives() throws {
        try expect(
            #Predicate { s in
                let own = s.age ?? 3
                let next = s.next?.age ?? 4
                let later = s.next?.next?.age ?? 5
                let first = s.before.first?.age ?? 6
                let second = s.before.last?.before.first?.age ?? 7
                let last = s.next?.before.last?.age ?? 8
                return own + next + later > 24 - first - second - last
            })
        try expect(
            #Predicate { s in
                let first = s.before.first?.before.first?.age ?? 1
                let here = (s.age ?? 3) * first
                let later = s.next?.next?.next?.age ?? 2
                let there = later + (s.before.last?.next?.age ?? 1)
                return here % 3 < there * (s.next?.age ?? 2)
            })
        try expect(
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
        try expect(#Predicate { s in names.filter { $0 > s.name }.count == 2 })
        try expect(#Predicate { s in names.filter { $0 != s.name }.isEmpty })
        try expect(#Predicate { s in names.filter { $0 > s.name }.first == "b" })
        try expect(#Predicate { s in names.filter { $0 < s.name }.last == nil })
        try expect(#Predicate { s in names.filter { s.tags.contains($0) }.contains("b") })
        try expect(#Predicate { s in names.filter { s.tags.contains($0) }.contains(s.name) })
        try expect(#Predicate { s in names.filter { s.tags.contains($0) }.allSatisfy { $0 == s.name } })
        try expect(#Predicate { s in names.filter { s.tags.contains($0) }.contains { $0 > s.name } })
        try expect(#Predicate { s in names.filter { s.tags.contains($0) }.filter { $0 != s.name }.count == 1 })
        try expect(#Predicate { s in numbers.filter { $0 < s.id }.max() == 3 })
        try expect(#Predicate { s in numbers.filter { $0 > s.id }.min() == 50 })
        try expect(#Predicate { s in none.filter { $0 < s.id }.isEmpty })
        try expect(#Predicate { s in boxes.filter { $0.name == s.name }.count == 1 })
        try expect(#Predicate { s in boxes.filter { $0.name != s.name }.first?.name == "b" })
        try expect(#Predicate { s in s.before.contains { b in names.filter { $0 > s.name }.contains(b.name) } })
        try expect(
            #Predicate { s in
                let later = names.filter { $0 > s.name }
                return s.before.contains { b in later.contains(b.name) }
            })
    }

    @Test("sets are equal by their elements, whichever row each is of")
    func sets() throws {
        let few: Set = [1, 2]
        let many = Set(0..<2000)
        try expect(#Predicate { s in s.before.contains { b in s.marks == b.marks } })
        try expect(#Predicate { s in s.before.contains { b in b.marks == s.marks } })
        try expect(#Predicate { s in s.before.contains { b in s.marks != b.marks } })
        try expect(#Predicate { s in s.before.contains { b in s.others == b.others } })
        try expect(#Predicate { s in s.before.contains { _ in s.marks == few } })
        try expect(#Predicate { $0.marks == few })
        try expect(#Predicate { $0.marks == [] })
        try expect(#Predicate { $0.marks != many })
        try expect(#Predicate { $0.others == few })
        try expect(#Predicate { $0.others != [] })
        let lists: [Set<Int>] = [[2, 1], []]
        try expect(#Predicate { lists.contains($0.marks) })
        let (first, second) = (Set(0..<100), Set((0..<100).reversed()))
        try expect(#Predicate { $0.id > 3 && first == second })
    }

    @Test("sets inside of other values are refused: they are stored in no order")
    func insideSets() throws {
        let (box, sets, table) = (Freight.Box(name: "a", marks: [1, 2]), [Set([1, 2])], ["a": Set([1, 2])])
        let set: Set = [1, 2]
        let none: Freight.Box? = nil
        try expect(#Predicate { $0.description == none })
        try expect(#Predicate { $0.description == nil })
        refuses(#Predicate { $0.box == box }, "Box")
        refuses(#Predicate { $0.box != $0.box }, "Box")
        refuses(#Predicate { $0.description == box }, "Box")
        refuses(#Predicate { [box].contains($0.box) }, "Box")
        refuses(#Predicate { $0.boxes.contains(box) }, "Box")
        refuses(#Predicate { $0.boxes.contains { $0 == box } }, "Box")
        refuses(#Predicate { $0.sets == sets }, "Set<Int>")
        refuses(#Predicate { $0.sets.contains(set) }, "Set<Int>")
        refuses(#Predicate { $0.table == table }, "Set<Int>")
    }

    @Test("elements that are nil are elements")
    func nilElements() throws {
        let gaps: Set<Int?> = [nil]
        let both: Set<Int?> = [nil, 1]
        try expect(#Predicate { $0.codes.count == 2 })
        try expect(#Predicate { $0.codes.contains { $0 == nil } })
        try expect(#Predicate { $0.codes.allSatisfy { $0 != nil } })
        try expect(#Predicate { $0.codes.filter { $0 == nil }.count == 1 })
        try expect(#Predicate { $0.codes.isEmpty })
        try expect(#Predicate { $0.codes.contains(nil) })
        try expect(#Predicate { $0.gaps == gaps })
        try expect(#Predicate { $0.gaps == both })
        try expect(#Predicate { $0.gaps != [] })
    }

    @Test("values that only their type reads are refused")
    func opaque() throws {
        let tree = Freight.Tree(name: "a")
        let none: Freight.Tree? = nil
        try expect(#Predicate { $0.oak == nil })
        try expect(#Predicate { $0.oak != none })
        refuses(#Predicate { $0.tree == tree }, "Tree")
        refuses(#Predicate { $0.oak != tree }, "Tree")
        refuses(#Predicate { $0.oak == $0.tree }, "Tree")
        refuses(#Predicate { [tree].contains($0.tree) }, "Tree")
    }

    @Test("a property of an optional enum is its raw value only where it is nil of nil")
    func optionalEnums() throws {
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try context.fetch(FetchDescriptor<Freight>(sortBy: [SortDescriptor(\.level.rank)]))
        }
        let sorted = try context.fetch(FetchDescriptor<Freight>(sortBy: [SortDescriptor(\.level?.grade)]))
        #expect(sorted.map { $0.level?.rawValue ?? 0 } == all.map { $0.level?.rawValue ?? 0 }.sorted())
        let old = #Predicate<Freight> { $0.age != nil }
        let aged = try context.fetch(FetchDescriptor(predicate: old, sortBy: [SortDescriptor(\.age!)]))
        #expect(aged.map(\.age) == all.compactMap(\.age).sorted())
    }

    @Test("an order of cases that a store does not have is refused wherever it is asked")
    func caseOrder() throws {
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(.minimum(\Freight.mood)) }
        #expect(throws: SwiftDataError.unsupportedKeyPath) { try context.fetch(.maximum(\Freight.mood)) }
        #expect(throws: SwiftDataError.unsupportedSortDescriptor) {
            try context.fetch(groupedBy: \Freight.mood, aggregates: .count, sortBy: [.ascending(\.mood)])
        }
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try context.fetch(groupedBy: \Freight.name, aggregates: .count, having: .minimum(\.mood) < .angry)
        }
        let (calm, angry) = (Freight.Mood.calm, Freight.Mood.angry)
        refuses(#Predicate { $0.mood < angry }, "rawValue")
        refuses(#Predicate { ($0.moods.min() ?? calm) == angry }, "rawValue")
        refuses(#Predicate { ($0.moods.max() ?? calm) == angry }, "rawValue")
        refuses(#Predicate { (calm...angry).contains($0.mood) }, "rawValue")
        try expect(#Predicate { $0.mood == angry && calm < angry })
        #expect(try context.fetch(groupedBy: \Freight.mood, aggregates: .count).count == 2)
        #expect(try context.fetch(.count(of: \Freight.level)) == all.count { $0.level != nil })
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
        try expect(#Predicate { $0.scores.isEmpty })
        try expect(#Predicate { !$0.blob.isEmpty })
        try expect(#Predicate { $0.scores.count == 1 })
        try expect(#Predicate { $0.blob.count == 1 })
        try expect(#Predicate { $0.blob.first == 1 })
    }

    @Test("a dictionary's pairs, keys and values are asked for as elements are")
    func pairs() throws {
        let limits = ["a": 1, "c": 0]
        try expect(#Predicate { $0.scores.contains { $0.value == 1 } })
        try expect(#Predicate { $0.scores.contains { $0.key == "a" && $0.value > 0 } })
        try expect(#Predicate { s in s.scores.contains { $0.key == s.name || $0.value == s.id } })
        try expect(#Predicate { $0.scores.allSatisfy { $0.value < 2 } })
        try expect(#Predicate { $0.scores.filter { $0.value == 2 }.count == 1 })
        try expect(#Predicate { $0.scores.filter { $0.key != "a" }.isEmpty })
        try expect(#Predicate { $0.scores.filter { $0.key != "a" }.contains { $0.value == 1 } })
        try expect(#Predicate { $0.scores.keys.contains("a") })
        try expect(#Predicate { s in s.scores.keys.contains(s.name) })
        try expect(#Predicate { s in s.scores.keys.contains { $0 == s.name } })
        try expect(#Predicate { $0.scores.keys.allSatisfy { $0 < "b" } })
        try expect(#Predicate { $0.scores.keys.count == 2 })
        try expect(#Predicate { $0.scores.keys.isEmpty })
        try expect(#Predicate { ($0.scores.keys.max() ?? "") == "b" })
        try expect(#Predicate { $0.scores.values.contains(2) })
        try expect(#Predicate { s in s.scores.values.contains { $0 == s.age } })
        try expect(#Predicate { $0.scores.values.filter { $0 > 0 }.count == 2 })
        try expect(#Predicate { ($0.scores.values.min() ?? 7) == 1 })
        try expect(#Predicate { ($0.scores.values.filter { $0 > 0 }.max() ?? 7) == 2 })
        try expect(#Predicate { $0.table.contains { $0.value.contains(2) } })
        try expect(#Predicate { s in s.table.contains { p in s.marks.contains { p.value.contains($0) } } })
        try expect(#Predicate { $0.table.values.contains { $0.contains { $0 == 2 } } })
        try expect(#Predicate { $0.next?.scores.contains { $0.value == 1 } == true })
        try expect(#Predicate { $0.next?.scores.keys.contains("b") == true })
        try expect(#Predicate { s in s.before.contains { $0.scores.contains { $0.value == s.age } } })
        try expect(#Predicate { s in s.before.contains { b in s.scores.keys.contains { $0 == b.name } } })
        try expect(#Predicate { s in s.before.contains { b in s.scores.values.contains { $0 == 1 } && b.id > 3 } })
        try expect(#Predicate { s in s.tags.contains { t in s.scores.keys.contains(t) } })
        try expect(#Predicate { s in limits.contains { $0.key == s.name && $0.value < s.id } })
        refuses(#Predicate { $0.scores.keys.first == "a" }, "no order")
    }

    @Test("members of elements of related rows are no properties of these, whose changes are not saved")
    func membersOfElements() throws {
        // Rows that are stored, and have other values now.
        for freight in all.prefix(5) { freight.age = freight.age.map { 3 - $0 } ?? 1 }
        all[1].scores = ["a": 2]
        all[2].boxes = [Freight.Box(name: "a", marks: [])]
        try expect(#Predicate { s in s.before.contains { $0.scores.contains { $0.key == "a" } } })
        try expect(#Predicate { s in s.before.contains { $0.scores.contains { $0.value == s.age } } })
        try expect(#Predicate { $0.next?.scores.contains { $0.value == 2 } == true })
        try expect(#Predicate { s in s.before.contains { $0.boxes.contains { $0.name == "a" } } })
        try expect(#Predicate { s in s.before.contains { b in b.before.contains { $0.scores.keys.contains("b") } } })
    }
}
