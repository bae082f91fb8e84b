import LoamStorage
import Testing

@Suite struct JSONParserTests {
    @Test func `values keep their digits and their order`() throws {
        let json = try JSONParser.parse(#" {"b":[1.50,-0,9007199254740993,1E+2],"a":{"x":null,"y":true},"b":false} "#)
        #expect(
            json
                == .object([
                    .init(
                        "b",
                        value: .array([.number("1.50"), .number("-0"), .number("9007199254740993"), .number("1E+2")])),
                    .init("a", value: .object([.init("x", value: .null), .init("y", value: .bool(true))])),
                    .init("b", value: .bool(false)),
                ]))
        #expect(json["b"]?.array?[2].integer(as: Int64.self) == 9_007_199_254_740_993)
    }

    @Test func `escapes are resolved, surrogate pairs too`() throws {
        #expect(
            try JSONParser.parse(#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#) == .string("a\"\\/\u{8}\u{C}\n\r\té😀é"))
    }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "01", "+1", "1.", ".5", "1e", "1 2", "nul", "\"a",
        "\"\\x\"",
        "\"\\u12\"", "\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"a\nb\"", "[1", "-", "\u{FEFF}1", "NaN",
        String(repeating: "[", count: 100_000),
    ])
    func `what is not JSON is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(text) }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xFF, 0x22]) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0x5C, 0x6E, 0xC3, 0x22]) }
    }

    @Test(arguments: ["", "plain", "quote\" \\ \u{0}\u{1F}\n\t", "\u{7F}\u{80}\u{9F}\u{A0}é", "e\u{301}", "😀👩‍👩‍👧", "\r\n"])
    func `a written string reads back`(text: String) throws {
        var bytes: [UInt8] = []
        JSONText.append(text, to: &bytes)
        #expect(try JSONParser.parse(bytes).string.map { Array($0.utf8) } == Array(text.utf8))
        #expect(bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
    }
}
