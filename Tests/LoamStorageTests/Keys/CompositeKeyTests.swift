import Foundation
import LoamStorage
import SeededRandom
import Testing

@Suite("Composite keys")
struct CompositeKeyTests {
    /// A key of one to four components of any type and direction, with shares that are often too small.
    static func shape(using random: inout SeededGenerator) throws -> IndexKeyShape {
        let components = try (0..<Int.random(in: 1...4, using: &random)).map { _ in
            let type = orderedTypes.randomElement(using: &random) ?? .bool
            let forms: [StringForm] = [
                .exact, .exact, .caseFolded, .caseAndDiacriticFolded, .diacriticFolded, .localizedStandard,
            ]
            return try KeyOrderTests.component(
                type, Bool.random(using: &random) ? .ascending : .descending,
                form: type == .string ? forms.randomElement(using: &random) ?? .exact : .exact,
                share: type.keyWidth ?? [4, 9, 40, 100].randomElement(using: &random))
        }
        return try IndexKeyShape(components: components)
    }

    static func values(_ shape: IndexKeyShape, using random: inout SeededGenerator) -> [Value] {
        shape.components.map {
            Int.random(in: 0..<6, using: &random) == 0 ? .null : RandomValues.value($0.type, using: &random)
        }
    }

    @Test("tuples compare component by component, row ids last")
    func order() throws {
        var random = SeededGenerator(seed: 0x10A5)
        for _ in 0..<3000 {
            let shape = try Self.shape(using: &random)
            let left = Self.values(shape, using: &random)
            var right = Self.values(shape, using: &random)
            for index in right.indices where Int.random(in: 0..<3, using: &random) > 0 { right[index] = left[index] }
            var (leftKey, leftExact) = try shape.key(of: left)
            var (rightKey, rightExact) = try shape.key(of: right)
            guard leftExact && rightExact else { continue }
            shape.append(rowID: 7, to: &leftKey)
            shape.append(rowID: 1 << 40, to: &rightKey)
            var expected = 0
            for (index, component) in shape.components.enumerated() where expected == 0 {
                expected = keyOrder(left[index], right[index], form: component.form)
                if component.direction == .descending { expected = -expected }
            }
            if expected == 0 { expected = shape.components.last?.direction == .descending ? 1 : -1 }
            #expect(KeyOrderTests.order(leftKey, rightKey) == expected, "\(left) \(right)")
        }
    }

    @Test("a key knows its parts, its length and whether it was cut")
    func parts() throws {
        var random = SeededGenerator(seed: 0x10A6)
        for _ in 0..<3000 {
            let shape = try Self.shape(using: &random)
            let values = Self.values(shape, using: &random)
            var (key, isExact) = try shape.key(of: values)
            #expect(key.count <= IndexKeyShape.longestComponents)
            if let stride = shape.stride { #expect(key.count == stride) }
            let count = key.count
            let decoded = try shape.values(of: key.span.bytes)
            for (value, decoded) in zip(values, decoded) { if let decoded { #expect(decoded == value) } }
            var leading: [UInt8] = []
            try shape.components[0].append(values[0], to: &leading)
            #expect(try shape.leadingLength(of: key.span.bytes) == leading.count)
            shape.append(rowID: .random(in: 0 ... .max, using: &random), to: &key)
            #expect(try shape.length(of: key.span.bytes) == count)
            let isInexact = try shape.isInexact(key.span.bytes)
            #expect(isInexact == !isExact)
            #expect(throws: StorageError.self) { try shape.values(of: key.span.bytes) }
        }
    }

    @Test("a cut key keeps the order of what it holds, and has no terminator")
    func cut() throws {
        let component = try KeyOrderTests.component(.string, share: 8)
        var keys: [[UInt8]] = []
        for text in ["abcdef", "abcdefg", "abcdefgh", "abcdefghi"] {
            var key: [UInt8] = []
            let isExact = try component.append(.string(text), to: &key)
            #expect(isExact == (text.count <= 6))
            keys.append(key)
        }
        #expect(keys[0] == [1] + Array("abcdef".utf8) + [0])
        #expect(keys[1] == [1] + Array("abcdefg".utf8))
        #expect(keys[1] == keys[2] && keys[2] == keys[3])
    }

    @Test("long strings that share 500 bytes have one inexact key")
    func longStrings() throws {
        let component = try KeyOrderTests.component(.string, share: 480)
        let stem = String(repeating: "x", count: 500)
        var left: [UInt8] = []
        var right: [UInt8] = []
        #expect(try !component.append(.string(stem + "a"), to: &left))
        #expect(try !component.append(.string(stem + "b"), to: &right))
        #expect(left == right && left.count == 480)
        var offset = 0
        let decoded = try component.decode(left.span.bytes, at: &offset)
        #expect(decoded == nil)
    }

    @Test("golden bytes")
    func golden() throws {
        func bytes(_ value: Value, _ type: ValueType, _ direction: SortDirection = .ascending) throws -> [UInt8] {
            var key: [UInt8] = []
            try KeyOrderTests.component(type, direction).append(value, to: &key)
            return key
        }
        #expect(try bytes(.int(-1), .int8) == [1, 0x7F])
        #expect(try bytes(.int(1), .int16) == [1, 0x80, 1])
        #expect(try bytes(.int(1), .int32, .descending) == [0xFE, 0x7F, 0xFF, 0xFF, 0xFE])
        #expect(try bytes(.null, .int16) == [0, 0, 0])
        #expect(try bytes(.null, .int16, .descending) == [0xFF, 0xFF, 0xFF])
        #expect(try bytes(.null, .string) == [0])
        #expect(try bytes(.null, .string, .descending) == [0xFF])
        #expect(try bytes(.string("a\0\u{1}"), .string) == [1, 0x61, 1, 1, 1, 2, 0])
        #expect(try bytes(.string("a"), .string, .descending) == [0xFE, 0x9E, 0xFF])
        #expect(try bytes(.double(-0.0), .double) == [1, 0x80, 0, 0, 0, 0, 0, 0, 0])
        #expect(try bytes(.double(-.nan), .double) == [1, 0xFF, 0xF8, 0, 0, 0, 0, 0, 0])
        #expect(try bytes(.float(1), .float) == [1, 0xBF, 0x80, 0, 0])
        #expect(try bytes(.decimal(Decimal(string: "12.50") ?? 0), .decimal) == [1, 4, 0x40, 2, 14, 52, 0])
        #expect(try bytes(.decimal(Decimal(string: "-12.5") ?? 0), .decimal) == [1, 2, 0xBF, 0xFD, 241, 203, 0xFF, 0])
        #expect(try bytes(.bool(true), .bool) == [1, 1])
    }

    @Test("decimals of equal value have one key, of any writing")
    func decimals() throws {
        let component = try KeyOrderTests.component(.decimal)
        func key(_ value: Decimal) throws -> [UInt8] {
            var key: [UInt8] = []
            #expect(try component.append(.decimal(value), to: &key))
            return key
        }
        let hundred = Decimal(sign: .plus, exponent: 2, significand: 1)
        let sameValues = [
            (hundred, 100), (Decimal(sign: .minus, exponent: -2, significand: 150), -1.5), (-Decimal(0), Decimal(0)),
        ]
        for (left, right) in sameValues {
            let keys = (try key(left), try key(right))
            #expect(keys.0 == keys.1)
        }
        for longest in [Decimal.greatestFiniteMagnitude, -Decimal.greatestFiniteMagnitude] {
            #expect(try key(longest).count <= 27)
        }
    }

    @Test("what cannot be a key is refused")
    func refusals() throws {
        let string = try KeyOrderTests.component(.string, isOptional: false)
        let small = try KeyOrderTests.component(.int8)
        var key: [UInt8] = []
        func kind(_ body: () throws -> Void) -> StorageError.Kind? {
            do { try body() } catch let error as StorageError { return error.kind } catch {}
            return nil
        }
        #expect(kind { try string.append(.null, to: &key) } == .missingValue)
        #expect(kind { try string.append(.int(1), to: &key) } == .typeMismatch(expected: "string", found: "int"))
        #expect(kind { try small.append(.int(128), to: &key) } == .typeMismatch(expected: "int8", found: "int"))
        #expect(kind { try small.append(.double(1), to: &key) } == .typeMismatch(expected: "int8", found: "double"))
        #expect(key.isEmpty)
        #expect(throws: StorageError.self) {
            try KeyOrderTests.component(.array(of: .int8, optional: false), share: 40)
        }
        #expect(throws: StorageError.self) { try KeyOrderTests.component(.url, form: .caseFolded) }
        #expect(throws: StorageError.self) { try KeyOrderTests.component(.string, share: 1) }
        #expect(throws: StorageError.self) { try IndexKeyShape(components: []) }
        #expect(throws: StorageError.self) { try IndexKeyShape(components: [string, string]) }
        let entity = Entity(
            id: 1, name: "Note", properties: [Property(id: 1, name: "name", type: .string, isOptional: false)])
        let unique = IndexDefinition([.init("name", form: .caseFolded)], kind: .unique)
        #expect(throws: StorageError.self) { try Index(id: 1, unique, of: entity) }
    }

    @Test("shares fill 480 bytes, and fixed widths beyond it are refused")
    func shares() throws {
        #expect(try IndexComponent.defaultShares(for: [.string]) == [480])
        #expect(try IndexComponent.defaultShares(for: [.int8, .string, .data]) == [2, 239, 239])
        #expect(try IndexComponent.defaultShares(for: [.decimal, .date]) == [27, 9])
        #expect(try IndexComponent.defaultShares(for: Array(repeating: .uuid, count: 28)).count == 28)
        #expect(throws: StorageError.self) {
            try IndexComponent.defaultShares(for: Array(repeating: .uuid, count: 29))
        }
        #expect(throws: StorageError.self) {
            try IndexComponent.defaultShares(for: Array(repeating: .uuid, count: 28) + [.int16, .string])
        }
    }
}
