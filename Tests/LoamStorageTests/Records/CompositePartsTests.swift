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

    @Test("are members by their names; absent ones are nil, and what is no structure is damage")
    func members() throws {
        let long = String(repeating: "ä", count: 300)
        let parts: [String: Value] = ["a": .string(long), "b": .double(.nan), "c": .array([.null])]
        func member(_ name: String, of value: Value) throws -> Value {
            try CompositeCodec.encode(value).withUnsafeBytes { bytes in
                var name = name
                return try name.withUTF8 { name in
                    try UnboxedValue.text(.composite, bytes)
                        .member(named: .text(.string, UnsafeRawBufferPointer(name))).boxed()
                }
            }
        }
        for name in ["a", "b", "c", "d", "", "ä"] {
            #expect(try member(name, of: .structure(parts)).asKey == (parts[name] ?? .null).asKey, "\(name)")
            #expect(Value.structure(parts).element(at: .string(name)).asKey == (parts[name] ?? .null).asKey)
        }
        #expect(throws: StorageError.self) { try member("a", of: .array([.string("a")])) }
        #expect(throws: StorageError.self) { try member("a", of: .dictionary([.string("a"): .int(1)])) }
    }

    @Test("are damage, or something, whichever byte is another one") func flippedBytes() throws {
        let value = Value.structure(["a": .string("x"), "bc": .structure(["d": .int(300)]), "e": .array([.int(1)])])
        let encoded = try CompositeCodec.encode(value)
        for position in encoded.indices {
            for bit in 0..<8 {
                var bytes = Array(encoded)
                bytes[position] ^= 1 << bit
                bytes.withUnsafeBytes { bytes in
                    for name in ["a", "bc", "e", "f"] {
                        let found = UnboxedValue.text(.composite, bytes)
                        var name = name
                        name.withUTF8 { name in
                            do {
                                _ = try found.member(named: .text(.string, UnsafeRawBufferPointer(name))).boxed()
                            } catch {
                                #expect(error is StorageError, "byte \(position), bit \(bit): \(error)")
                            }
                        }
                    }
                }
            }
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
