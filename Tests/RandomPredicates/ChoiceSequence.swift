import SeededRandom

/// Random numbers that are remembered, so that what was made of them can be made again of fewer and smaller ones.
///
/// What is made of numbers is the simpler the smaller they are, and the fewer it takes: whoever draws them arranges it so.
package struct ChoiceSequence: RandomNumberGenerator {
    private var generator: SeededGenerator?
    private var replayed: [UInt64]
    /// The numbers that were drawn.
    package private(set) var drawn: [UInt64] = []

    package init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        replayed = []
    }

    /// Gives these numbers, and then the smallest ones for ever.
    package init(replaying choices: [UInt64]) {
        generator = nil
        replayed = choices
    }

    package mutating func next() -> UInt64 {
        let number: UInt64
        if let next = generator?.next() {
            number = next
        } else {
            number = drawn.count < replayed.count ? replayed[drawn.count] : Self.smallest
        }
        drawn.append(number)
        return number
    }

    /// Gives the lower end of any range. Zero does so only now and then: `Int.random(in:)` draws again where the low half
    /// of its product is small, which is how it is fair.
    private static let smallest: UInt64 = 1 << 20

    /// The simplest choices for which `fails` holds, as far as single steps lead: whole stretches left out, then numbers
    /// made the smallest.
    ///
    /// - Parameter limit: of the times that `fails` is asked.
    package static func smallest(
        _ choices: [UInt64], limit: Int = 2_000, where fails: ([UInt64]) -> Bool
    ) -> [UInt64] {
        var choices = choices
        var asked = 0
        func accepts(_ candidate: [UInt64]) -> Bool {
            asked += 1
            return asked <= limit && fails(candidate)
        }
        var isSmaller = true
        while isSmaller, asked < limit {
            isSmaller = false
            for length in [32, 8, 4, 2, 1] {
                var start = 0
                while start < choices.count {
                    var candidate = choices
                    candidate.removeSubrange(start..<min(start + length, choices.count))
                    if accepts(candidate) {
                        choices = candidate
                        isSmaller = true
                    } else {
                        start += length
                    }
                }
            }
            for index in choices.indices where choices[index] != smallest {
                var candidate = choices
                candidate[index] = smallest
                if accepts(candidate) {
                    choices = candidate
                    isSmaller = true
                }
            }
        }
        return choices
    }
}
