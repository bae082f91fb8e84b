import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite("Ranges of keys")
struct KeyRangeTests {
    /// Whether a condition holds for a value, by comparing values.
    static func holds(_ condition: KeyCondition, _ value: Value, form: StringForm) -> Bool {
        func isNaN(_ value: Value) -> Bool {
            switch value {
            case .float(let value): value.isNaN
            case .double(let value): value.isNaN
            case .decimal(let value): value.isNaN
            case .date(let value): value.seconds.isNaN
            default: false
            }
        }
        switch condition {
        case .isNull: return value.isNull
        case .isNotNull: return !value.isNull
        case .equal(let other): return keyOrder(value, other, form: form) == 0
        case .hasPrefix(let prefix):
            guard case .string(let text) = value else { return false }
            return StringForms.hasPrefix(text, prefix: prefix, form: form)
        case .hasBytes(let bytes):
            guard case .data(let data) = value else { return false }
            return data.starts(with: bytes)
        case .ordered(let lower, let upper):
            guard !value.isNull, !isNaN(value) else { return false }
            for (bound, sign) in [(lower, 1), (upper, -1)] {
                guard let bound else { continue }
                if bound.value.isNull || isNaN(bound.value) { return false }
                let order = keyOrder(value, bound.value, form: form) * sign
                if order < 0 || (order == 0 && !bound.isInclusive) { return false }
            }
            return true
        }
    }

    static func condition(_ component: KeyComponent, using random: inout SeededGenerator) -> KeyCondition {
        func value() -> Value {
            Int.random(in: 0..<12, using: &random) == 0 ? .null : RandomValues.value(component.type, using: &random)
        }
        func bound() -> KeyBound? {
            Int.random(in: 0..<3, using: &random) == 0
                ? nil : KeyBound(value(), isInclusive: Bool.random(using: &random))
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return .equal(value())
        case 1: return Bool.random(using: &random) ? .isNull : .isNotNull
        case 2 where component.type == .string && component.form != .localizedStandard:
            return .hasPrefix(RandomValues.string(using: &random))
        case 2 where component.type == .data:
            guard case .data(let data) = RandomValues.value(.data, using: &random) else { return .isNotNull }
            return .hasBytes(data.prefix(Int.random(in: 0...3, using: &random)))
        default: return .ordered(lower: bound(), upper: bound())
        }
    }

    @Test("short and long keys are ordered as their bytes are")
    func bytes() {
        let seed: UInt64 = .random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        func key() -> [UInt8] {
            let count = [0, 1, 7, 8, 9, 15, 16, 17, 23, 24, 25, 26, 40].randomElement(using: &random) ?? 0
            // Mostly they begin alike, and end with the least or the greatest bytes.
            let common: UInt8 = [0, 1, 0xFF].randomElement(using: &random) ?? 0
            return (0..<count).map {
                $0 + 3 < count ? common : [0, 1, 2, 0xFE, 0xFF].randomElement(using: &random) ?? 0
            }
        }
        func range() -> (range: KeyRange, lower: [UInt8], upper: [UInt8]?) {
            let lower = key()
            if Bool.random(using: &random) { return (.prefix(lower), lower, KeyRange.successor(of: lower)) }
            let upper = Int.random(in: 0..<4, using: &random) == 0 ? nil : key()
            return (KeyRange(lower: lower, upper: upper), lower, upper)
        }
        func isBefore(_ key: [UInt8], _ end: [UInt8]?) -> Bool { end.map { key.lexicographicallyPrecedes($0) } ?? true }
        for _ in 0..<4_000 {
            let ((one, lower, upper), (other, otherLower, otherUpper)) = (range(), range())
            let place = Comment(rawValue: "seed \(seed): \(lower) \(upper as Any), \(otherLower) \(otherUpper as Any)")
            #expect(one.lower == lower && one.upper == upper && one.hasLower == !lower.isEmpty, place)
            #expect(one.hasUpper == (upper != nil) && one.isEmpty == !isBefore(lower, upper), place)
            #expect(one.begins(before: other) == lower.lexicographicallyPrecedes(otherLower), place)
            #expect(one.reachesInto(other) == isBefore(otherLower, upper), place)
            #expect(one.endsBehind(otherLower) == isBefore(otherLower, upper), place)
            let endsBefore = upper.map { isBefore($0, otherUpper) } ?? false
            #expect(one.endsBefore(other) == endsBefore, place)
            #expect((one == other) == (lower == otherLower && upper == otherUpper), place)
            let common = one.intersection(other)
            for key in [key(), key(), lower, otherLower] {
                let (isInside, isInOther) = (one.contains(key), other.contains(key))
                #expect(isInside == (!key.lexicographicallyPrecedes(lower) && isBefore(key, upper)), place)
                #expect(common.contains(key) == (isInside && isInOther), place)
            }
        }
    }

    @Test("a range holds every entry that meets the condition, and no other when it is exact")
    func bruteForce() throws {
        let seed: UInt64 = .random(in: 0 ... .max)
        print("key ranges: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1500 {
            let shape = try CompositeKeyTests.shape(using: &random)
            let count = Int.random(in: 0..<shape.components.count, using: &random)
            let rows = (0..<40).map { _ in CompositeKeyTests.values(shape, using: &random) }
            let equal = Array((rows.randomElement(using: &random) ?? []).prefix(count))
            let component = shape.components[count]
            let condition = Self.condition(component, using: &random)
            guard let result = try shape.range(equalTo: equal, next: condition) else {
                Issue.record("no range for \(condition)")
                continue
            }
            for var row in rows {
                if Bool.random(using: &random) { row.replaceSubrange(0..<count, with: equal) }
                var key = try shape.key(of: row).bytes
                shape.append(rowID: .random(in: 0 ... .max, using: &random), to: &key)
                let expected =
                    zip(zip(row, equal), shape.components).allSatisfy {
                        keyOrder($0.0, $0.1, form: $1.form) == 0
                    } && Self.holds(condition, row[count], form: component.form)
                let isInside = result.range.contains(key)
                if expected && !isInside {
                    Issue.record("lost: \(row) \(equal) \(condition) \(component) seed \(seed)")
                }
                if isInside && !expected && result.isExact {
                    Issue.record("too much: \(row) \(equal) \(condition) seed \(seed)")
                }
                if isInside && result.range.isEmpty { Issue.record("inside an empty range, seed \(seed)") }
            }
        }
    }

    @Test("a bound whose key is cut widens the range")
    func cutBound() throws {
        let shape = try IndexKeyShape(components: [KeyOrderTests.component(.string, share: 6)])
        let long = "abcdefgh"
        let bound = KeyCondition.ordered(lower: KeyBound(.string(long), isInclusive: false), upper: nil)
        let result = try #require(try shape.range(equalTo: [], next: bound))
        #expect(!result.isExact)
        #expect(result.range.contains(try shape.key(of: [.string(long + "i")]).bytes))
        let equal = try #require(try shape.range(equalTo: [.string(long)]))
        let cut = try shape.key(of: [.string(long)]).bytes
        #expect(!equal.isExact && equal.range.contains(cut))
        let short = try #require(try shape.range(equalTo: [.string("abc")]))
        #expect(short.isExact && !short.range.contains(cut))
    }

    @Test("nil and NaN satisfy no ordered comparison")
    func nullAndNaN() throws {
        for direction in [SortDirection.ascending, .descending] {
            let shape = try IndexKeyShape(components: [KeyOrderTests.component(.double, direction)])
            let all = try #require(try shape.range(equalTo: [], next: .ordered(lower: nil, upper: nil)))
            #expect(!all.range.contains(try shape.key(of: [.null]).bytes))
            #expect(!all.range.contains(try shape.key(of: [.double(.nan)]).bytes))
            for value in [-Double.infinity, -1, 0, .infinity] {
                #expect(all.range.contains(try shape.key(of: [.double(value)]).bytes))
            }
            let notNull = try #require(try shape.range(equalTo: [], next: .isNotNull))
            #expect(notNull.range.contains(try shape.key(of: [.double(.nan)]).bytes))
        }
    }

    @Test("conditions without a range, and with too many values")
    func withoutRange() throws {
        let localized = try IndexKeyShape(components: [KeyOrderTests.component(.string, form: .localizedStandard)])
        #expect(try localized.range(equalTo: [], next: .hasPrefix("a")) == nil)
        let number = try IndexKeyShape(components: [KeyOrderTests.component(.int8, isOptional: false)])
        #expect(try number.range(equalTo: [], next: .hasPrefix("a")) == nil)
        #expect(try number.range(equalTo: [.null])?.range.isEmpty == true)
        #expect(try number.range(equalTo: [], next: .isNull)?.range.isEmpty == true)
        #expect(throws: StorageError.self) { try number.range(equalTo: [.int(1)], next: .isNull) }
        #expect(throws: StorageError.self) { try number.range(equalTo: [.string("a")]) }
    }

    @Test("a range moves behind another key where both of its ends begin with the first one")
    func moves() {
        let (key, others): ([UInt8], [[UInt8]]) = ([1, 7], [[1, 8, 9], [], [0xFF, 0xFF]])
        let long = [UInt8](repeating: 5, count: 40)
        for other in others {
            for rest in [[], [3], [3, 0xFF], [0xFF], long] as [[UInt8]] {
                #expect(KeyRange.prefix(key + rest).moved(from: key, to: other) == .prefix(other + rest))
                let range = KeyRange(lower: key + rest, upper: key + rest + [9])
                #expect(
                    range.moved(from: key, to: other) == KeyRange(lower: other + rest, upper: other + rest + [9]))
            }
        }
        #expect(KeyRange(lower: [1, 7, 3]).moved(from: key, to: [2]) == nil)
        #expect(KeyRange(lower: [1, 7, 3], upper: [1, 8]).moved(from: key, to: [2]) == nil)
        #expect(KeyRange(lower: [1], upper: [1, 7, 3]).moved(from: key, to: [2]) == nil)
        #expect(KeyRange.all.moved(from: key, to: [2]) == nil)
    }

    @Test("the successor of a prefix is the smallest key above all that begin with it")
    func successor() {
        #expect(KeyRange.successor(of: []) == nil)
        #expect(KeyRange.successor(of: [0xFF, 0xFF]) == nil)
        #expect(KeyRange.successor(of: [1, 0xFF]) == [2])
        #expect(KeyRange.successor(of: [1, 2]) == [1, 3])
    }

    @Test("the range of a prefix is the one that ends at the prefix's successor")
    func prefixes() {
        let seed: UInt64 = .random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        func bytes() -> [UInt8] {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in
                [0, 1, 0xFE, 0xFF].randomElement(using: &random) ?? 0
            }
        }
        for _ in 0..<2_000 {
            let (one, two, key) = (bytes(), bytes(), bytes())
            let comment = Comment(rawValue: "seed \(seed): \(one), \(two), \(key)")
            let made = [KeyRange.prefix(one), .prefix(two)]
            let plain = [one, two].map { KeyRange(lower: $0, upper: KeyRange.successor(of: $0)) }
            #expect(made == plain && Set(made) == Set(plain), comment)
            #expect(made.map(\.isEmpty) == plain.map(\.isEmpty), comment)
            #expect(made.map(\.hasUpper) == plain.map { $0.upper != nil }, comment)
            let below = plain[0].upper.map { key.lexicographicallyPrecedes($0) } ?? true
            #expect(made[0].endsBehind(key) == below && plain[0].endsBehind(key) == below, comment)
            #expect(made[0].contains(key) == key.starts(with: one), comment)
            for left in [made[0], plain[0]] {
                for right in [made[1], plain[1]] {
                    #expect(left.intersection(right) == plain[0].intersection(plain[1]), comment)
                    let isBefore = left.upper.map { end in right.upper.map { end.lexicographicallyPrecedes($0) } ?? true
                    }
                    #expect(left.endsBefore(right) == isBefore ?? false, comment)
                }
            }
        }
    }

    @Test("intersections of ranges hold what both hold")
    func intersections() {
        var random = SeededGenerator(seed: 0x10A8)
        func bytes() -> [UInt8] {
            (0..<Int.random(in: 0...2, using: &random)).map { _ in [0, 1, 0xFF].randomElement(using: &random) ?? 0 }
        }
        for _ in 0..<5000 {
            let left = KeyRange(lower: bytes(), upper: Bool.random(using: &random) ? nil : bytes())
            let right = KeyRange(lower: bytes(), upper: Bool.random(using: &random) ? nil : bytes())
            let key = bytes()
            #expect(left.intersection(right).contains(key) == (left.contains(key) && right.contains(key)))
            if left.isEmpty { #expect(!left.contains(key)) }
        }
    }
}
