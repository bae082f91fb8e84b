import Testing

@testable import LoamStorage

@Suite("Parts of encoded values")
struct CompositePartsTests {
    @Test(
        "are found by integers of any type",
        arguments: [(Value.uint(3), Value.int(3)), (.int(3), .uint(3)), (.int(-3), .int(-3)), (.uint(3), .uint(3))])
    func integers(own: Value, key: Value) throws {
        let dictionary = Value.dictionary([own: .string("found"), .int(7): .string("other")])
        #expect(dictionary.element(at: key) == .string("found"))
        #expect(dictionary.element(at: .int(4)) == .null)
        let bytes = try CompositeCodec.encode(dictionary)
        try bytes.withUnsafeBytes { bytes in
            let encoded = UnboxedValue.text(.composite, bytes)
            let word = try #require(UnboxedValue(key))
            #expect(try encoded.element(at: word).boxed() == .string("found"))
        }
    }

    @Test("are damage where keys lie in keys without an end")
    func nestedKeys() throws {
        var deep: [UInt8] = [CompositeTag.null.rawValue]
        for _ in 0..<300 {
            let content = [1] + deep + [CompositeTag.null.rawValue]
            deep = [CompositeTag.dictionary.rawValue] + Self.length(content.count) + content
        }
        deep.withUnsafeBytes { bytes in
            let value = UnboxedValue.text(.composite, bytes)
            #expect(throws: StorageError.self) { try value.isSameKey(as: value) }
        }
    }

    private static func length(_ length: Int) -> [UInt8] {
        length < 0x80 ? [UInt8(length)] : [UInt8(length & 0x7F) | 0x80, UInt8(length >> 7)]
    }
}
