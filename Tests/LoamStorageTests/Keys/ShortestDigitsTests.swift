import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Digits of numbers without a string")
struct ShortestDigitsTests {
    @Test("they are those of Swift's description")
    func digits() {
        var generator = SeededGenerator(seed: 43)
        for _ in 0..<5_000 {
            let number = RandomValues.double(using: &generator)
            #expect(ShortestDigits.withText(of: number) { String(decoding: $0, as: UTF8.self) } == "\(number)")
            let narrow = Float(number)
            #expect(ShortestDigits.withText(of: narrow) { String(decoding: $0, as: UTF8.self) } == "\(narrow)")
        }
    }
}
