import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import LoamQuery

@Suite("The elements of collections, where they lie")
struct PartsTests {
    @Test("characters and bytes are those of Swift", arguments: [41, 42] as [UInt64])
    func parts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let memory = TextMemory()
        for _ in 0..<1_500 {
            let text = HardText.text(Int.random(in: 0...9, using: &random), &random)
            let values = [Value.string(text), .data(Data(text.utf8)), .array(text.map { .string(String($0)) })]
            for value in values {
                let parts = try #require(value.parts)
                var found: [Value] = []
                try memory.keep(value).forEachPart {
                    found.append(try $0.boxed())
                    return true
                }
                #expect(found == parts && parts.count == (value == values[1] ? text.utf8.count : text.count))
                #expect(try memory.keep(value).partCount == parts.count, "\(Array(text.utf8))")
            }
            memory.removeAll()
        }
    }

    @Test("a string that is not UTF-8 is damage, and a number no collection") func refusals() {
        let bytes: [UInt8] = [0x61, 0xC3]
        bytes.withUnsafeBytes { bytes in
            let damaged = UnboxedValue.text(.string, bytes)
            #expect(throws: StorageError.self) { try damaged.partCount }
            #expect(throws: StorageError.self) { try damaged.forEachPart { _ in true } }
        }
        #expect(throws: StorageError.self) { try UnboxedValue.int(1).partCount }
        #expect(Value.int(1).parts == nil)
    }

    @Test(
        "what lies one behind the other is found in bytes as in values, and as Swift finds it",
        arguments: [43, 44] as [UInt64])
    func runs(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let memory = TextMemory()
        var found = 0
        for _ in 0..<2_000 {
            // Few numbers, so that there are many false beginnings; and now and then more than a word has bits.
            let isLong = Int.random(in: 0..<10, using: &random) == 0
            let whole = (0..<Int.random(in: 0...(isLong ? 200 : 12), using: &random)).map { _ in
                Int.random(in: 0...(isLong ? 0 : 1), using: &random)
            }
            let start = Int.random(in: 0...whole.count, using: &random)
            var run = Array(whole[start..<Int.random(in: start...whole.count, using: &random)])
            if Bool.random(using: &random) { run.append(Int.random(in: 0...1, using: &random)) }
            let answers: [(TextOperator, Bool)] = [
                (.beginsWith, whole.starts(with: run)), (.endsWith, whole.reversed().starts(with: run.reversed())),
                (.contains, whole.contains(run)),
            ]
            let (left, right) = (whole.map { Value.int(Int64($0)) }, run.map { Value.uint(UInt64($0)) })
            for (place, answer) in answers {
                let values = (Value.array(left), Value.array(right))
                #expect(values.0.has(values.1, place, form: .exact) == answer, "\(whole) \(place) \(run)")
                let bytes = (memory.keep(values.0), memory.keep(values.1))
                #expect(try bytes.0.has(bytes.1, place, form: .exact) == answer, "\(whole) \(place) \(run)")
                let data = (Value.data(Data(whole.map(UInt8.init))), Value.data(Data(run.map(UInt8.init))))
                #expect(try memory.keep(data.0).has(memory.keep(data.1), place, form: .exact) == answer)
                if answer { found += 1 }
            }
            memory.removeAll()
        }
        #expect(found > 1_500 && found < 5_500)
    }
}
