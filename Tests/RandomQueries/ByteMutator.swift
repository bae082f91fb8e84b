import SeededRandom

/// Changes a few bytes of an input: most results are malformed, and many almost right.
package struct ByteMutator {
    private var generator: SeededGenerator
    private let words: [[UInt8]]

    /// - Parameter words: what is put in at random places, beside single bytes.
    package init(seed: UInt64, words: [String] = []) {
        generator = SeededGenerator(seed: seed)
        self.words = words.map { Array($0.utf8) }
    }

    /// Bytes that readers of text look at.
    private static let signs = Array("\"'\\{}[](),.:;$%@#+-*/<>=!&|^~0123456789eExX \n\t\u{0}".utf8)

    package mutating func mutated(_ input: [UInt8]) -> [UInt8] {
        var bytes = input
        for _ in 0..<Int.random(in: 1...4, using: &generator) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 0...8, using: &generator))
        switch Int.random(in: 0...7, using: &generator) {
        case 0: bytes.insert(byte(), at: place)
        case 1: if place < bytes.count { bytes[place] = byte() }
        case 2: if place < bytes.count { bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &generator) }
        case 3: bytes.removeSubrange(place..<end)
        case 4: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &generator))
        case 5: if let word = words.randomElement(using: &generator) { bytes.insert(contentsOf: word, at: place) }
        case 6: if let word = words.randomElement(using: &generator) { bytes.replaceSubrange(place..<end, with: word) }
        default:
            // A number becomes a long one, a name a long name.
            if place < bytes.count {
                let count = Int.random(in: 1...40, using: &generator)
                bytes.insert(contentsOf: Array(repeating: bytes[place], count: count), at: place)
            }
        }
    }

    private mutating func byte() -> UInt8 {
        Bool.random(using: &generator)
            ? Self.signs[Int.random(in: 0..<Self.signs.count, using: &generator)]
            : UInt8.random(in: 0...255, using: &generator)
    }
}
