import Foundation
import LoamStorage
import Testing

@Suite("Ordered keys")
struct KeyOrderTests {
    static func component(
        _ type: ValueType, _ direction: SortDirection = .ascending, form: StringForm = .exact, share: Int? = nil,
        isOptional: Bool = true
    ) throws -> KeyComponent {
        try KeyComponent(
            IndexComponent(
                property: 1, type: type, isOptional: isOptional, direction: direction, form: form,
                share: share ?? type.keyWidth ?? 480))
    }

    static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in StringForms.compare(left, right) } }.signum()
    }

    @Test("memcmp orders keys as the values are ordered", arguments: orderedTypes)
    func order(of type: ValueType) throws {
        var random = SeededRandom(seed: 0x10A3)
        for direction in [SortDirection.ascending, .descending] {
            let component = try Self.component(type, direction)
            for _ in 0..<4000 {
                let values = (0..<2).map { _ in
                    Int.random(in: 0..<10, using: &random) == 0 ? .null : RandomValues.value(type, using: &random)
                }
                var keys: [[UInt8]] = [[], []]
                var areExact = true
                for index in 0..<2 { areExact = try component.append(values[index], to: &keys[index]) && areExact }
                let expected = keyOrder(values[0], values[1])
                let found = Self.order(keys[0], keys[1]) * (direction == .ascending ? 1 : -1)
                #expect(areExact ? found == expected : found == expected || found == 0, "\(values) \(keys)")
            }
        }
    }

    @Test("what a key holds comes back", arguments: orderedTypes)
    func roundTrip(of type: ValueType) throws {
        var random = SeededRandom(seed: 0x10A4)
        for direction in [SortDirection.ascending, .descending] {
            let component = try Self.component(type, direction)
            for _ in 0..<2000 {
                let value =
                    Int.random(in: 0..<10, using: &random) == 0 ? .null : RandomValues.value(type, using: &random)
                var key: [UInt8] = [7]
                let isExact = try component.append(value, to: &key)
                var offset = 1
                let decoded = try component.decode(key.span.bytes, at: &offset)
                #expect(offset == key.count)
                #expect(try component.isCut(key.span.bytes, at: 1) == !isExact)
                if let width = component.fixedWidth { #expect(key.count == 1 + width) }
                if let decoded { #expect(decoded == value) } else { #expect(!component.decodesExactly || !isExact) }
                if decoded != nil { #expect(component.decodesSome || value.isNull) }
            }
        }
    }
}
