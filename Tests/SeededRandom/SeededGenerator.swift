/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers for the same seed, on every machine.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// - Parameter stream: further numbers that tell this sequence from others of the same seed.
    package init(seed: UInt64, stream: UInt64...) {
        state = seed
        for number in stream { state = next() ^ number }
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// True in so many of a hundred cases.
    package mutating func percent(_ share: Int) -> Bool { Int.random(in: 0..<100, using: &self) < share }
}
