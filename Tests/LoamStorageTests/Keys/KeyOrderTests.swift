import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Ordered keys")
struct KeyOrderTests {
    static func component(
        _ type: ValueType, _ direction: SortDirection = .ascending, form: StringForm = .exact, share: Int? = nil,
        isOptional: Bool = true
    ) throws -> KeyComponent {
        try KeyComponent(
            type, isOptional: isOptional, direction: direction, form: form, share: share ?? type.keyWidth ?? 480)
    }

    static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left.withUnsafeBytes { left in right.withUnsafeBytes { right in StringForms.compare(left, right) } }.signum()
    }

    @Test("memcmp orders keys as the values are ordered", arguments: orderedTypes)
    func order(of type: ValueType) throws {
        var random = SeededGenerator(seed: 0x10A3)
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
                let agrees = found == expected || (!areExact && found == 0)
                if !agrees { Issue.record("\(values) \(keys)") }
            }
        }
    }

    @Test("what a key holds comes back", arguments: orderedTypes)
    func roundTrip(of type: ValueType) throws {
        var random = SeededGenerator(seed: 0x10A4)
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
                if let decoded { #expect(decoded == value) } else { #expect(Self.isNormalized(type) || !isExact) }
                if decoded != nil { #expect(component.decodesSome || value.isNull) }
            }
        }
    }

    /// Whether keys of a type cannot be turned back into values, since some values share their bytes.
    private static func isNormalized(_ type: ValueType) -> Bool {
        switch type {
        case .float, .double, .date, .decimal, .string, .url: true
        default: false
        }
    }

    @Test("bytes of a record give the key that the value gives", arguments: orderedTypes.filter { $0 != .decimal })
    func storedBytes(of type: ValueType) throws {
        var random = SeededGenerator(seed: 0x10AE)
        var buffer = KeyBuffer(capacity: 1)
        let layout = try RecordSamples.layout([(type, false), (type, true)])
        for form in type == .string ? StringFormTests.forms : [.exact] {
            for direction in [SortDirection.ascending, .descending] {
                let component = try Self.component(type, direction, form: form, share: type.keyWidth ?? 60)
                for _ in 0..<500 {
                    let value = RandomValues.value(type, using: &random)
                    var key: [UInt8] = []
                    let isExact = try component.append(value, to: &key)
                    let record = try RecordSamples.record([value, .null], layout)
                    let view = try RecordView(record.span.bytes, layout: layout)
                    buffer.removeAll()
                    #expect(try component.append(1, of: view, to: &buffer) == true)
                    let start = buffer.count
                    let isExactToo = try component.append(0, of: view, to: &buffer)
                    let same = buffer.withBytes { $0[start...].elementsEqual(key) }
                    if !same || isExact != isExactToo { Issue.record("\(value)") }
                }
            }
        }
    }

    @Test("bytes of the wrong width, and bytes that are no value, are refused")
    func damagedBytes() throws {
        var buffer = KeyBuffer()
        for (type, bytes) in [
            (ValueType.int32, [1, 2, 3]), (.bool, [2]), (.uuid, [1]), (.string, [0xFF]), (.url, [0xFF]),
            (.decimal, [0]), (.decimal, [0, 0, 0]), (.decimal, [2, 1]), (.decimal, [4, 0, 1]),
        ] as [(ValueType, [UInt8])] {
            let component = try Self.component(type)
            #expect(throws: StorageError.self) {
                try bytes.withUnsafeBytes { _ = try component.append(stored: $0, to: &buffer) }
            }
        }
        let isEmpty = buffer.isEmpty
        #expect(isEmpty)
    }
}
