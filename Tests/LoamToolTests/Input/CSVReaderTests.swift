import LoamStorage
import SeededRandom
import Testing

@testable import loam

@Suite struct CSVReaderTests {
    static func records(_ text: String) throws -> [[String]] { try records(Array(text.utf8)) }

    static func records(_ bytes: [UInt8]) throws -> [[String]] {
        var reader = try CSVReader(ByteSource(bytes: bytes))
        var records: [[String]] = []
        while try reader.next() { records.append((0..<reader.fieldCount).map { reader.string($0) }) }
        return records
    }

    static func error(_ bytes: [UInt8]) -> InputError? {
        do {
            _ = try records(bytes)
            return nil
        } catch {
            return error as? InputError
        }
    }

    @Test func `fields are split at commas and records at line ends of every kind`() throws {
        for end in ["\n", "\r\n", "\r"] {
            #expect(try Self.records("a,b\(end)1,\(end),2\(end)") == [["a", "b"], ["1", ""], ["", "2"]])
            #expect(try Self.records("a,b\(end)1,2") == [["a", "b"], ["1", "2"]])
        }
    }

    @Test func `quoted fields hold commas, line ends and doubled quotes`() throws {
        #expect(
            try Self.records("\"a,b\",\"c\"\"d\",\"\"\n\"e\r\nf\n\",\"\"\"\",g") == [
                ["a,b", "c\"d", ""], ["e\r\nf\n", "\"", "g"],
            ])
    }

    @Test func `a byte order mark and empty lines are no data`() throws {
        #expect(try Self.records("\u{FEFF}a,b\n\n1,2\r\n\r\n\n3,4\n\n") == [["a", "b"], ["1", "2"], ["3", "4"]])
        #expect(try Self.records("\u{FEFF}") == [])
        #expect(try Self.records("") == [])
        #expect(try Self.records("\n\n") == [])
    }

    @Test func `an empty field in quotes is a record`() throws {
        #expect(try Self.records("a\n\"\"\nb\n") == [["a"], [""], ["b"]])
    }

    @Test func `bytes keep their form`() throws {
        let text = "e\u{301},é,日本,\u{0},😀\n"
        #expect(
            try Self.records(text)[0].map { Array($0.utf8) }
                == ["e\u{301}", "é", "日本", "\u{0}", "😀"].map { Array($0.utf8) })
    }

    @Test(arguments: [
        ("a\nb\"c\n", InputError.Kind.quoteInField, 2), ("a\n\"b\"c\n", .textAfterQuote, 2),
        ("a\n\nb\n\"c\nd\n", .quoteNotClosed, 4),
        ("a\n\"b\"\"", .quoteNotClosed, 2), ("\"a\nb\"\n\"c\"d", .textAfterQuote, 3),
    ])
    func `a wrong quote is refused with its line`(text: String, kind: InputError.Kind, line: Int) {
        #expect(Self.error(Array(text.utf8)) == InputError(kind, line: line))
    }

    @Test func `bytes that are not UTF-8 are refused with their line`() {
        #expect(Self.error([0x61, 0x0A, 0x62, 0xFF, 0x0A]) == InputError(.invalidUTF8, line: 2))
        // The halves of é in two fields are not é.
        #expect(Self.error([0xC3, 0x2C, 0xA9, 0x0A]) == InputError(.invalidUTF8, line: 1))
        #expect(Self.error([0xFF, 0xFE, 0x61, 0x00]) == InputError(.invalidUTF8, line: 1))
    }

    @Test func `where a chunk ends does not matter`() throws {
        let text = "\u{FEFF}a,\"b\"\"c\r\n\",é😀\r\n\r\n\"\",日本\r\"e\",\"\"\"\""
        let expected = try Self.records(text)
        #expect(expected == [["a", "b\"c\r\n", "é😀"], ["", "日本"], ["e", "\""]])
        for size in 1...40 {
            var reader = try CSVReader(ByteSource(bytes: Array(text.utf8), chunkSize: size))
            var records: [[String]] = []
            while try reader.next() { records.append((0..<reader.fieldCount).map { reader.string($0) }) }
            #expect(records == expected)
        }
    }

    @Test func `no text traps`() {
        var generator = SeededGenerator(seed: 1)
        let alphabet: [UInt8] = [0x22, 0x22, 0x2C, 0x0A, 0x0D, 0x61, 0x00, 0xC3, 0xA9, 0xEF, 0xBB, 0xBF, 0xFF]
        for _ in 0..<20_000 {
            let count = Int.random(in: 0..<12, using: &generator)
            _ = Self.error((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
        }
    }
}
