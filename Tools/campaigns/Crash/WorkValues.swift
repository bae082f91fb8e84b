import Foundation
import LoamStorage
import SeededRandom

/// Makes values: short and long, equal and unlike, nil, and of every length that is kept in another way.
struct WorkValues {
    /// The bytes of the longest values, about.
    var mostBytes = 1_200_000

    private static let words = [
        "ash", "Élan", "e\u{301}lan", "ZÜRICH", "zürich", "straße", "STRASSE", "", "Ωmega", "\u{1F33E}", "a", "A b",
        "naïve", "zero\u{0}inside", "\u{1}",
    ]

    func row(
        _ name: RowName, unique: String, _ random: inout SeededGenerator
    ) -> [Value] {
        (0..<name.entity.definition.properties.count).map { value($0, of: name, unique: unique, &random) }
    }

    /// A new value for the property at a position. Those of unique indexes are different for every row and `unique`.
    func value(
        _ position: Int, of name: RowName, unique: String, _ random: inout SeededGenerator
    ) -> Value {
        switch (name.entity, position) {
        case (_, 0): .int(Int64(name.slot))
        case (.item, 1): random.percent(20) ? .null : .string(unique)
        case (.item, 2): .string(text(&random))
        case (.item, 3): random.percent(30) ? .null : .int(.random(in: -20...20, using: &random))
        case (.item, 4): score(&random)
        case (.item, 5): random.percent(30) ? .null : .string(longText(&random))
        case (.item, 6): .date(Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9, using: &random)))
        case (.item, _): random.percent(60) ? .null : .data(blob(&random))
        case (_, 1): .int(.random(in: 0...6, using: &random))
        case (_, 2): .int(Int64(name.slot) * 7)
        case (_, 3): .string(text(&random))
        default: .bool(.random(using: &random))
        }
    }

    private func text(_ random: inout SeededGenerator) -> String {
        let count = Int.random(in: 1...4, using: &random)
        return (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined(separator: " ")
    }

    private func score(_ random: inout SeededGenerator) -> Value {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: .null
        case 1: .double(.nan)
        case 2: .double(-0.0)
        case 3: .double(.infinity)
        default: .double(Double(Int.random(in: -50...50, using: &random)) / 4)
        }
    }

    /// A text: some texts share more than a key holds, some lie outside the record, a few take several chunks.
    private func longText(_ random: inout SeededGenerator) -> String {
        let tail = "\(Int.random(in: 0...9_999, using: &random)) " + text(&random)
        switch Int.random(in: 0..<100, using: &random) {
        case ..<50: return tail
        case ..<85:
            return String(repeating: "loam ", count: 100 + Int.random(in: 0...3, using: &random)) + tail
        case ..<98:
            let most = min(9_000, mostBytes / 5)
            return String(repeating: "soil\u{E9}", count: .random(in: most / 3...most, using: &random)) + tail
        default: return String(repeating: "clay", count: mostBytes / 4) + tail
        }
    }

    private func blob(_ random: inout SeededGenerator) -> Data {
        let isLong = random.percent(20)
        let count = Int.random(in: isLong ? 16_000...min(40_000, mostBytes) : 0...300, using: &random)
        return Data(repeating: .random(in: .min ... .max, using: &random), count: count)
    }
}
