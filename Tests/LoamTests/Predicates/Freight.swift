import Foundation
import Loam
import SeededRandom

@Model final class Freight {
    enum Level: Int, Codable, CaseIterable {
        case low = 1
        case high
        var grade: Int { rawValue }
    }
    enum Mood: String, Codable, CaseIterable, Comparable {
        case calm = "z"
        case angry = "a"
        static func < (left: Mood, right: Mood) -> Bool { left == .calm && right == .angry }
    }
    struct Box: Codable, Hashable {
        var name: String
        var marks: Set<Int>
    }
    struct Tree: Codable, Hashable {
        var name: String
        var children: [Tree] = []
    }

    var id: Int
    var name: String
    var tags: [String]
    var codes: [Int?]
    var gaps: Set<Int?>
    var marks: Set<Int>
    var others: Set<Int>?
    var box: Box
    var description: Box?
    var sets: [Set<Int>]
    var table: [String: Set<Int>]
    var tree: Tree
    var oak: Tree?
    var level: Level?
    var mood: Mood
    var moods: [Mood]
    var scores: [String: Int]
    var blob: Data
    var age: Int?
    var boxes: [Box]
    var next: Freight?
    @Relationship(inverse: \Freight.next) var before: [Freight] = []

    init(_ id: Int, _ random: inout SeededGenerator) {
        func few<T>(_ values: [T]) -> [T] {
            (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in values.randomElement(using: &random) }
        }
        self.id = id
        name = few(["a", "b"]).first ?? ""
        tags = few(["a", "b", "c"])
        codes = few([nil, 1, 2])
        gaps = Set(few([nil, 1]))
        marks = Set(few([1, 2]))
        others = Bool.random(using: &random) ? Set(few([1, 2])) : nil
        box = Box(name: "a", marks: Set(few([1, 2])))
        description = nil
        sets = [Set(few([1, 2]))]
        table = ["a": Set(few([1, 2]))]
        tree = Tree(name: "a")
        oak = Bool.random(using: &random) ? Tree(name: "b") : nil
        level = few(Level.allCases).first
        mood = Bool.random(using: &random) ? .calm : .angry
        moods = few(Mood.allCases)
        scores = Dictionary(few(["a", "b"]).map { ($0, id % 3) }) { first, _ in first }
        blob = Data(few([1]))
        age = few([1, 2]).first
        boxes = []
    }
}
