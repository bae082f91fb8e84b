// swift-format-ignore-file: NeverForceUnwrap

import LoamQuery
import SeededRandom
import Testing

@testable import Loam

@Model final class TextSample {
    #Index<TextSample>([\.name], [\.note], [\.data])
    var id: Int
    var name: String
    var note: String?
    var data: Data
    var blob: Data?
    var tags: [String]
    var others: [String]
    var nested: [[Int]]
    var pairs: [[[Int]]]
    var groups: Set<String>
    var counts: [String: Int]

    init(_ id: Int, _ name: String, note: String? = nil, data: [UInt8] = [], blob: [UInt8]? = nil) {
        (self.id, self.name, self.note) = (id, name, note)
        (self.data, self.blob) = (Data(data), blob.map { Data($0) })
        let tags = name.map { String($0) } + [note].compactMap { $0 }
        self.tags = tags
        others = Array(tags.reversed().prefix(2))
        let nested = [data.map(Int.init), [id]]
        self.nested = nested
        pairs = id % 3 == 0 ? [nested.reversed()] : [nested, [[1]]]
        groups = Set(tags)
        counts = [name: id]
    }
}

/// Samples that are partly saved: a few by hand, and some at random.
@MainActor
private struct TextSamples {
    let context: ModelContext
    let all: [TextSample]

    init(seed: UInt64) throws {
        context = ModelContext(try memoryContainer(TextSample.self))
        var samples = [
            TextSample(0, ""), TextSample(1, "Abc", note: "A", data: [3, 1, 2], blob: [3]),
            TextSample(2, "e\u{301}tude", note: "\u{e9}", data: [1, 3], blob: []), TextSample(3, "\u{e9}", data: [255]),
            TextSample(4, "\r\n", note: "\r\n", data: [0]), TextSample(5, "👩‍👩‍👧!", note: "🇫🇷", data: [9, 9, 9]),
            TextSample(6, "e", note: "", data: [3]), TextSample(7, "zA", note: "zz", data: [7, 200, 3], blob: [4, 3]),
            TextSample(8, String(repeating: "long ü ", count: 60), data: [UInt8](repeating: 5, count: 300)),
        ]
        var random = SeededGenerator(seed: seed)
        for id in 9..<60 {
            func bytes(_ random: inout SeededGenerator) -> [UInt8] {
                (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    [0, 1, 2, 3, 200, 255].randomElement(using: &random)!
                }
            }
            let name = HardText.text(Int.random(in: 0...6, using: &random), &random)
            let note = Bool.random(using: &random) ? HardText.part(of: name, &random) : nil
            let blob = Bool.random(using: &random) ? bytes(&random) : nil
            samples.append(TextSample(id, name, note: note, data: bytes(&random), blob: blob))
        }
        all = samples
        for sample in all {
            context.insert(sample)
            if sample.id == 40 { try context.save() }
        }
    }

    /// The fetch finds what Swift finds, with indexes and changes that are not saved; so does the predicate in memory; and
    /// the format that the predicate prints is read as the same tree.
    func expect(
        _ predicate: Predicate<TextSample>, _ closure: (TextSample) -> Bool,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let expected = all.filter(closure).map(\.id)
        #expect(!expected.isEmpty && expected.count < all.count, sourceLocation: location)
        let order = [SortDescriptor(\TextSample.id)]
        let found = try context.fetch(FetchDescriptor(predicate: predicate, sortBy: order)).map(\.id)
        #expect(found == expected, sourceLocation: location)
        #expect(try all.filter { try predicate.evaluate($0) }.map(\.id) == expected, sourceLocation: location)
        let tree = try PredicateLowering.lower(predicate)
        #expect(try PredicateParser.parse(tree.format) == tree, "\(tree.format)", sourceLocation: location)
        let text = try predicate.predicateFormat
        let read = try Predicate<TextSample>(format: text)
        let again = try context.fetch(FetchDescriptor(predicate: read, sortBy: order)).map(\.id)
        #expect(again == expected, "\(text)", sourceLocation: location)
    }
}

@Suite("The characters of texts, the bytes of data, and what lies one behind the other, in predicates")
@MainActor
struct TextPartTests {
    @Test("the first and the last character are those of Swift, nil of the empty text", arguments: [1, 2] as [UInt64])
    func firstAndLastCharacter(seed: UInt64) throws {
        let samples = try TextSamples(seed: seed)
        try samples.expect(#Predicate { $0.name.first == nil }) { $0.name.first == nil }
        try samples.expect(#Predicate { $0.note?.last != nil }) { $0.note?.last != nil }
        try samples.expect(#Predicate { $0.name.first == $0.name.last }) { $0.name.first == $0.name.last }
        try samples.expect(#Predicate { $0.name.first == $0.note?.first }) { $0.name.first == $0.note?.first }
        try samples.expect(#Predicate { $0.name.first != $0.note?.last }) { $0.name.first != $0.note?.last }
        try samples.expect(#Predicate { $0.name.count > 0 && $0.name.first! < $0.name.last! }) {
            $0.name.count > 0 && $0.name.first! < $0.name.last!
        }
        try samples.expect(#Predicate { $0.name.lowercased().first != $0.name.first }) {
            $0.name.lowercased().first != $0.name.first
        }
        try samples.expect(#Predicate { ($0.note ?? "Abc").first == $0.name.first }) {
            ($0.note ?? "Abc").first == $0.name.first
        }
        try samples.expect(#Predicate { text in text.tags.contains { $0.count > 1 && $0.first == text.name.first } }) {
            text in text.tags.contains { $0.count > 1 && $0.first == text.name.first }
        }
        try samples.expect(#Predicate { $0.tags.first?.last == $0.name.last }) { $0.tags.first?.last == $0.name.last }
    }

    @Test("closures over the characters of a text, the least and the greatest", arguments: [3, 4] as [UInt64])
    func closuresOverCharacters(seed: UInt64) throws {
        let samples = try TextSamples(seed: seed)
        let letter: Character = "A"
        try samples.expect(#Predicate { $0.name.contains(letter) }) { $0.name.contains(letter) }
        try samples.expect(#Predicate { text in text.name.filter { $0 == text.name.first }.count > 1 }) { text in
            text.name.filter { $0 == text.name.first }.count > 1
        }
        try samples.expect(#Predicate { text in text.name.allSatisfy { $0 == text.note?.first } }) { text in
            text.name.allSatisfy { $0 == text.note?.first }
        }
        try samples.expect(#Predicate { text in text.note?.contains { $0 == text.name.last } == true }) { text in
            text.note?.contains { $0 == text.name.last } == true
        }
        try samples.expect(#Predicate { text in text.name.lowercased().contains { $0 == text.note?.first } }) { text in
            text.name.lowercased().contains { $0 == text.note?.first }
        }
        try samples.expect(#Predicate { $0.name.min() == $0.name.first && $0.name.count > 0 }) {
            $0.name.min() == $0.name.first && $0.name.count > 0
        }
        try samples.expect(#Predicate { $0.name.max() == $0.note?.max() }) { $0.name.max() == $0.note?.max() }
    }

    @Test("bytes of data are asked for as elements of an array are", arguments: [5, 6] as [UInt64])
    func bytes(seed: UInt64) throws {
        let samples = try TextSamples(seed: seed)
        let three: UInt8 = 3
        try samples.expect(#Predicate { $0.data.first == 3 }) { $0.data.first == 3 }
        try samples.expect(#Predicate { $0.data.last == three }) { $0.data.last == three }
        try samples.expect(#Predicate { $0.data.last == nil }) { $0.data.last == nil }
        try samples.expect(#Predicate { $0.blob?.first == 3 }) { $0.blob?.first == 3 }
        try samples.expect(#Predicate { $0.data.min() == 1 }) { $0.data.min() == 1 }
        try samples.expect(#Predicate { ($0.data.max() ?? 0) > 9 }) { ($0.data.max() ?? 0) > 9 }
        try samples.expect(#Predicate { $0.data.contains(3) }) { $0.data.contains(3) }
        try samples.expect(#Predicate { $0.data.contains { $0 > 100 } }) { $0.data.contains { $0 > 100 } }
        try samples.expect(#Predicate { $0.data.filter { $0 > 2 }.count == 2 }) {
            $0.data.filter { $0 > 2 }.count == 2
        }
        try samples.expect(#Predicate { $0.data.allSatisfy { $0 < 100 } }) { $0.data.allSatisfy { $0 < 100 } }
        try samples.expect(#Predicate { $0.data.count == 3 }) { $0.data.count == 3 }
        try samples.expect(#Predicate { $0.data.isEmpty }) { $0.data.isEmpty }
        try samples.expect(#Predicate { $0.data.count > 2 && $0.data[2] == 3 }) {
            $0.data.count > 2 && $0.data[2] == 3
        }
        try samples.expect(#Predicate { $0.data.count > 0 && $0.data[$0.data.count - 1] == 3 }) {
            $0.data.count > 0 && $0.data[$0.data.count - 1] == 3
        }
        try samples.expect(#Predicate { $0.id < $0.data.count && $0.data[$0.id] < 4 }) {
            $0.id < $0.data.count && $0.data[$0.id] < 4
        }
    }

    @Test("what lies one behind the other is found at the beginning and anywhere", arguments: [7, 8] as [UInt64])
    func runs(seed: UInt64) throws {
        let samples = try TextSamples(seed: seed)
        let (tags, bytes) = (["A", "b"], Data([1, 3]))
        try samples.expect(#Predicate { $0.tags.starts(with: ["A"]) }) { $0.tags.starts(with: ["A"]) }
        try samples.expect(#Predicate { $0.tags.starts(with: tags) }) { $0.tags.starts(with: tags) }
        try samples.expect(#Predicate { !$0.tags.isEmpty && $0.tags.starts(with: $0.others) }) {
            !$0.tags.isEmpty && $0.tags.starts(with: $0.others)
        }
        try samples.expect(#Predicate { !$0.tags.isEmpty && tags.starts(with: $0.tags) || $0.id == 3 }) {
            !$0.tags.isEmpty && tags.starts(with: $0.tags) || $0.id == 3
        }
        try samples.expect(#Predicate { $0.tags.contains(["b", "c"]) }) { $0.tags.contains(["b", "c"]) }
        try samples.expect(#Predicate { !$0.others.isEmpty && $0.tags.contains($0.others) }) {
            !$0.others.isEmpty && $0.tags.contains($0.others)
        }
        try samples.expect(#Predicate { tags.contains($0.tags) }) { tags.contains($0.tags) }
        try samples.expect(#Predicate { $0.data.starts(with: bytes) }) { $0.data.starts(with: bytes) }
        try samples.expect(#Predicate { $0.data.starts(with: [3]) }) { $0.data.starts(with: [3]) }
        try samples.expect(#Predicate { $0.data.contains(bytes) }) { $0.data.contains(bytes) }
        try samples.expect(#Predicate { $0.blob != nil && !$0.data.isEmpty && $0.data.starts(with: $0.blob!) }) {
            $0.blob != nil && !$0.data.isEmpty && $0.data.starts(with: $0.blob!)
        }
        try samples.expect(#Predicate { $0.nested.starts(with: [[3]]) }) { $0.nested.starts(with: [[3]]) }
        let (pair, nothing): ([[Int]], [[Int]]) = ([[3], [6]], [])
        try samples.expect(#Predicate { $0.nested.contains(pair) }) { $0.nested.contains(pair) }
        try samples.expect(#Predicate { $0.nested.contains(nothing) && $0.id > 5 }) { $0.id > 5 }
        let empty: [[Int]] = [[], []]
        try samples.expect(#Predicate { $0.nested.contains(empty) || $0.id == 1 }) {
            $0.nested.contains(empty) || $0.id == 1
        }
        // A run of arrays that the row has, beside one of these arrays.
        try samples.expect(#Predicate { $0.nested.contains($0.nested) && $0.id > 4 }) { $0.id > 4 }
        try samples.expect(#Predicate { s in s.pairs.contains { s.nested.contains($0) } }) { s in
            s.pairs.contains { s.nested.contains($0) }
        }
        try samples.expect(#Predicate { $0.nested.contains($0.pairs[0]) }) { $0.nested.contains($0.pairs[0]) }
        try samples.expect(#Predicate { s in s.nested.contains(s.pairs.filter { $0.count == 2 }.first!) }) { s in
            s.nested.contains(s.pairs.filter { $0.count == 2 }.first!)
        }
        #expect(throws: SwiftDataError.self) {
            try PredicateLowering.lower(#Predicate<TextSample> { $0.groups.starts(with: ["A"]) })
        }
    }

    @Test("the beginning of data is looked for in its index, and nothing else is read")
    func beginningsOfIndexedData() throws {
        let samples = try TextSamples(seed: 11)
        // So many others that reading all costs more than the index does.
        let others = (0..<1_000).map { TextSample(1_000 + $0, "", data: [77, UInt8($0 % 256)]) }
        for other in others { samples.context.insert(other) }
        try samples.context.save()
        let all = samples.all + others
        let long = [UInt8](repeating: 5, count: 290)
        for bytes in [[], [0], [1, 3], [255], [255, 255], [0, 1, 0], [5, 5], long] as [[UInt8]] {
            let expected = all.filter { $0.data.starts(with: bytes) }
            let descriptor = FetchDescriptor<TextSample>(predicate: #Predicate { $0.data.starts(with: bytes) })
            let found = try samples.context.fetch(descriptor)
            #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(bytes)")
            let rest = FetchDescriptor<TextSample>(predicate: #Predicate { !$0.data.starts(with: bytes) })
            #expect(try samples.context.fetch(rest).count == all.count - expected.count, "\(bytes)")
            guard !bytes.isEmpty else { continue }
            let explanation = try samples.context.explanation(of: descriptor)
            #expect("\(explanation)".contains("index data, forwards, 1 range"), "\(bytes): \(explanation)")
            #expect(explanation.total?.entries == expected.count, "\(bytes): \(explanation)")
        }
    }

    @Test("what has siblings of these forms runs, too", arguments: [9, 10] as [UInt64])
    func siblings(seed: UInt64) throws {
        let samples = try TextSamples(seed: seed)
        try samples.expect(#Predicate { $0.nested.first?.first == 3 }) { $0.nested.first?.first == 3 }
        let (five, none): ([Int], [Int]) = ([5], [])
        try samples.expect(#Predicate { $0.nested.contains(five) || $0.nested.contains(none) || $0.id == 2 }) {
            $0.nested.contains(five) || $0.nested.contains(none) || $0.id == 2
        }
        try samples.expect(#Predicate { $0.nested.contains { $0.contains(1) } }) {
            $0.nested.contains { $0.contains(1) }
        }
        try samples.expect(#Predicate { $0.groups.contains("A") && $0.groups.count > 1 }) {
            $0.groups.contains("A") && $0.groups.count > 1
        }
        try samples.expect(#Predicate { $0.tags.filter { $0 > "c" }.first == $0.name.lowercased() }) {
            $0.tags.filter { $0 > "c" }.first == $0.name.lowercased()
        }
        try samples.expect(#Predicate { $0.tags.filter { $0 != "A" }.last == $0.note }) {
            $0.tags.filter { $0 != "A" }.last == $0.note
        }
        try samples.expect(#Predicate { $0.nested.filter { $0.count > 1 }.first?.contains(3) == true }) {
            $0.nested.filter { $0.count > 1 }.first?.contains(3) == true
        }
        try samples.expect(#Predicate { $0.counts["Abc", default: 0] > 0 }) { $0.counts["Abc", default: 0] > 0 }
    }

    @Test(
        "a closure over an array of an outer row sees the element of the closure between",
        arguments: [12, 13] as [UInt64])
    func elementsBetween(seed: UInt64) throws {
        let samples = try TextSamples(seed: seed)
        try samples.expect(#Predicate { row in row.tags.contains { tag in row.others.contains { $0 > tag } } }) { row in
            row.tags.contains { tag in row.others.contains { $0 > tag } }
        }
        try samples.expect(
            #Predicate { row in row.tags.allSatisfy { tag in row.others.allSatisfy { $0 == tag } } && row.id > 0 }
        ) { row in row.tags.allSatisfy { tag in row.others.allSatisfy { $0 == tag } } && row.id > 0 }
        try samples.expect(
            #Predicate { row in row.nested.contains { list in row.tags.filter { $0.count == list.count }.count > 1 } }
        ) { row in row.nested.contains { list in row.tags.filter { $0.count == list.count }.count > 1 } }
        try samples.expect(
            #Predicate { row in row.tags.contains { tag in row.name.contains { $0 == tag.first } && tag.count > 1 } }
        ) { row in row.tags.contains { tag in row.name.contains { $0 == tag.first } && tag.count > 1 } }
    }

    @Test("an expression may give a character") func expression() throws {
        let initial = #Expression<TextSample, Character?> { $0.name.first }
        try TextSamples(seed: 11).expect(#Predicate { initial.evaluate($0) == $0.name.last }) {
            $0.name.first == $0.name.last
        }
    }

    @Test("closures over a captured text, or over one that stands in for nil, take its characters") func captured()
        throws
    {
        let (letters, bytes) = ("aeiou", Data([1, 2, 3]))
        let samples = try TextSamples(seed: 12)
        try samples.expect(#Predicate { row in letters.contains { $0 == row.name.first } }) { row in
            letters.contains { $0 == row.name.first }
        }
        try samples.expect(#Predicate { row in letters.allSatisfy { $0 != row.name.last } }) { row in
            letters.allSatisfy { $0 != row.name.last }
        }
        try samples.expect(#Predicate { row in row.id > letters.filter { $0 > "e" }.count }) { row in row.id > 3 }
        try samples.expect(#Predicate { row in bytes.contains { $0 == row.data.first } }) { row in
            bytes.contains { $0 == row.data.first }
        }
    }
}
