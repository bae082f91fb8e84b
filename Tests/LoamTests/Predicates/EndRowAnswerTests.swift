import Foundation
import LoamQuery
import LoamStorage
import SeededRandom
import Testing

@testable import Loam

@Suite("Answers about the first and the last of related rows are those that Swift gives, or errors")
@MainActor
struct EndRowAnswerTests {
    private let answers: FreightAnswers

    init() throws { answers = try FreightAnswers() }

    @Test("the first and the last of related rows are asked for what they have")
    func firstAndLastRow() throws {
        try answers.expect(#Predicate { $0.before.first?.name == "a" })
        try answers.expect(#Predicate { $0.before.last?.name != "a" })
        try answers.expect(#Predicate { $0.before.first == nil })
        try answers.expect(#Predicate { $0.before.last != nil })
        try answers.expect(#Predicate { ($0.before.last?.id ?? 0) > 40 })
        // The first one's age, though it be nil where a later one has one.
        try answers.expect(#Predicate { $0.before.first?.age == nil })
        try answers.expect(#Predicate { ($0.before.first?.age ?? 5) == 5 })
        try answers.expect(#Predicate { $0.before.first?.box.name == "a" })
        try answers.expect(#Predicate { $0.before.last?.tags.contains("a") == true })
        try answers.expect(#Predicate { $0.before.first?.tags.count == 2 })
        try answers.expect(#Predicate { $0.before.first?.next?.name == $0.name })
        try answers.expect(#Predicate { $0.before.filter { $0.name == "b" }.first?.id == $0.before.first?.id })
        try answers.expect(#Predicate { s in s.before.filter { $0.name == s.name }.last?.age == 1 })
        try answers.expect(#Predicate { s in s.next?.before.first?.id == s.id })
        try answers.expect(#Predicate { s in s.before.contains { b in s.before.first?.name == b.name && b.id > 20 } })
        try answers.expect(#Predicate { s in s.before.contains { b in b.before.last?.name == s.name } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.before.filter { $0.id > b.id }.first?.name == b.name } })
        let second = answers.all[1].persistentModelID
        try answers.expect(#Predicate { $0.before.first?.persistentModelID == second })
        try answers.expect(Predicate(format: "before[FIRST].name == 'a' AND before[LAST].next.name == name"))
        try answers.expect(Predicate(format: "SUBQUERY(before, $x, $x.age == 1)[LAST].id > 20"))
        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            _ = try answers.fetch(Predicate<Freight>(format: "before[FIRST].nothing == 1"))
        }
        for format in ["before[FIRST] > before[LAST]", "before[LAST].before == 1"] {
            #expect(throws: SwiftDataError.unsupportedPredicate, "\(format)") {
                _ = try answers.fetch(Predicate<Freight>(format: format))
            }
        }
    }

    @Test("the first and the last of related rows are asked for their own related rows")
    func relatedRowsOfEndRow() throws {
        try answers.expect(#Predicate { $0.before.first?.before.isEmpty == true })
        try answers.expect(#Predicate { $0.before.last?.before.isEmpty != true })
        try answers.expect(#Predicate { ($0.before.first?.before.count ?? 2) == 2 })
        try answers.expect(#Predicate { $0.before.first?.before.contains { $0.name == "a" } == true })
        try answers.expect(#Predicate { s in s.before.first?.before.contains { $0.name == s.name } ?? true })
        try answers.expect(#Predicate { s in s.before.last?.before.allSatisfy { $0.id > s.id } == true })
        try answers.expect(#Predicate { s in s.before.first?.before.filter { $0.age == s.age }.count == 1 })
        try answers.expect(#Predicate { s in s.before.filter { $0.age != s.age }.last?.before.isEmpty == false })
        try answers.expect(#Predicate { $0.before.first?.before.first?.name == "a" })
        try answers.expect(#Predicate { $0.before.first?.before.last?.before.count == 1 })
        try answers.expect(#Predicate { s in s.before.first?.before.filter { $0.name == s.name }.first?.age == 1 })
        // The row that it leads to, and from there back to it.
        try answers.expect(#Predicate { $0.before.first?.next?.before.count == 2 })
        try answers.expect(#Predicate { s in s.before.first?.next?.before.contains { $0.id == s.id } == true })
        try answers.expect(#Predicate { ($0.before.first?.next?.next?.before.count ?? 7) == 7 })
        let third = answers.all[2]
        try answers.expect(#Predicate { $0.before.first?.before.contains(third) == true })
        // Of a row further out, and in a closure over its rows.
        try answers.expect(#Predicate { s in s.next?.before.first?.before.isEmpty == true })
        try answers.expect(
            #Predicate { s in s.before.contains { b in s.before.first?.before.count == b.before.count } })
        try answers.expect(
            #Predicate { s in s.before.contains { b in b.before.first?.before.contains { $0.id > s.id } == true } })
        try answers.expect(
            #Predicate { s in
                s.before.contains { b in s.before.last?.before.contains { $0.name == b.name } == true }
            })
        try answers.expect(
            #Predicate { s in s.tags.contains { t in s.before.first?.before.contains { $0.name == t } == true } })
        for format in [
            "before[FIRST].before.@count == 1", "before[LAST].before[SIZE] > 1",
            "before[FIRST].before[LAST].name == 'a'",
            "SUBQUERY(before[FIRST].before, $x, $x.age == 1).@count > 0", "before[FIRST].next.before.@count == 2",
            "SUBQUERY(before[FIRST].before, $x, $x.id > 3).@max.age == 2",
        ] {
            let predicate = try Predicate<Freight>(format: format)
            #expect(try !answers.fetch(predicate).isEmpty, "\(format)")
            try answers.expect(predicate)
        }
        // A way of many such steps is read in no time to speak of; where it ends nothing is found.
        let steps = String(repeating: ".before[FIRST]", count: 60)
        #expect(try answers.fetch(Predicate(format: "before[FIRST]" + steps + ".name == 'a'")).isEmpty)
        // Where there is no first row nothing is counted, and no order holds.
        let isUnread = { (s: Freight) in !(s.before.first.map { !$0.before.isEmpty } ?? false) }
        let unread = answers.all.filter(isUnread).map(\.id)
        #expect(unread.count < answers.all.count)
        #expect(try answers.fetch(Predicate(format: "NOT before[FIRST].before.@count > 0")) == unread)
        #expect(
            try answers.fetch(Predicate(format: "NOT SUBQUERY(before[FIRST].before, $x, TRUEPREDICATE).@count > 0"))
                == unread)
        let known = answers.all.filter { $0.before.first != nil }.map(\.id)
        #expect(try answers.fetch(Predicate(format: "before[FIRST].before.@count >= 0")) == known)
        // The same through a row that there may be none of, from a row further out.
        let nested = "SUBQUERY(tags, $t, NOT SUBQUERY(next.before, $c, $c.name == $t).@count > 0).@count > 0"
        let expected = answers.all.filter { s in
            s.tags.contains { t in !(s.next.map { $0.before.contains { $0.name == t } } ?? false) }
        }
        #expect(try answers.fetch(Predicate(format: nested)) == expected.map(\.id))
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
            let explanation = try answers.context.explanation(of: FetchDescriptor(predicate: predicate))
            let shown = try #require("\(explanation)".split(separator: "\n").first)
            let written = try #require(shown.components(separatedBy: " where ").last)
            #expect(try answers.fetch(Predicate(format: written)) == answers.fetch(predicate), "\(format): \(written)")
        }
    }
}
