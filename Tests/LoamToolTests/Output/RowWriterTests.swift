import Foundation
import LoamStorage
import Testing

@testable import loam

@Suite struct RowWriterTests {
    static let columns = [
        OutputColumn(name: "name", type: .string), OutputColumn(name: "n", type: .double),
        OutputColumn(name: "d", type: .date),
    ]
    static let rows: [[Value]] = [
        [.string("Zürich, \"big\""), .double(2), .date(Date(timeIntervalSinceReferenceDate: 0))],
        [.string("東京\n\u{1B}[31m"), .double(0.1), .null],
        [.null, .double(.nan), .date(Date(timeIntervalSinceReferenceDate: 0.5))],
    ]

    static func text(
        _ format: OutputFormat, _ columns: [OutputColumn] = columns, _ rows: [[Value]] = rows, isTerminal: Bool = false
    ) throws -> String {
        var bytes: [UInt8] = []
        let output = OutputStream { bytes += $0 }
        var writer = try format.writer(columns, to: output, style: Style(hasColours: false, isTerminal: isTerminal))
        for row in rows { try writer.append(row) }
        try writer.finish()
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a table is aligned and harmless`() throws {
        #expect(
            try Self.text(.table) == """
                name                n  d
                ────────────────  ───  ──────────────────────
                Zürich, "big"     2.0  2001-01-01T00:00:00Z
                東京\\n\\u{1b}[31m  0.1  nil
                nil               NaN  2001-01-01T00:00:00.5Z

                """)
    }

    @Test func `csv quotes what needs it`() throws {
        #expect(
            try Self.text(.csv) == """
                name,n,d
                "Zürich, ""big""\",2.0,2001-01-01T00:00:00Z
                "東京
                \u{1B}[31m",0.1,
                ,NaN,2001-01-01T00:00:00.5Z

                """)
        #expect(try Self.text(.csv, [OutputColumn(name: "a", type: .string)], [[.null]]) == "a\n\"\"\n")
    }

    @Test func `json is an array, ndjson lines, of the same objects`() throws {
        let lines = [
            #"{"name":"Zürich, \"big\"","n":2.0,"d":"2001-01-01T00:00:00Z"}"#,
            #"{"name":"東京\n\u001b[31m","n":0.1,"d":null}"#, #"{"name":null,"n":"NaN","d":"2001-01-01T00:00:00.5Z"}"#,
        ]
        #expect(try Self.text(.ndjson) == lines.joined(separator: "\n") + "\n")
        #expect(try Self.text(.json) == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
        #expect(try Self.text(.json, Self.columns, []) == "[]\n")
        #expect(try Self.text(.ndjson, Self.columns, []) == "")
    }

    @Test func `csv that was written reads back`() throws {
        let text = try Self.text(.csv)
        let columns = Self.columns.map { Column(name: $0.name, type: $0.type) }
        #expect(try RowReaderTests.rows(text, .csv, columns) == Self.rows)
    }

    @Test func `a wide value does not make every line wide`() throws {
        let long = String(repeating: "x", count: 100)
        let text = try Self.text(.table, [OutputColumn(name: "a", type: .string)], [[.string(long)]])
        #expect(text.split(separator: "\n")[2] == String(repeating: "x", count: 59) + "…")
    }

    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("東京", 4), ("😀", 2), ("👩‍👩‍👧", 2), ("한글", 4), ("ｱ", 1), ("", 0),
    ])
    func `width is what a terminal shows`(text: String, width: Int) {
        #expect(Printable.width(of: text) == width)
    }

    @Test func `nothing that steers a terminal gets through`() {
        #expect(Printable.escaped("a\u{7}\u{9B}1m\u{202E}b\r\t\u{7F}") == #"a\u{7}\u{9b}1m\u{202e}b\r\t\u{7f}"#)
        #expect(Printable.escaped("naïve 東京") == "naïve 東京")
    }

    /// The characters that move the cursor, turn the direction of writing, or end a line where nobody sees it.
    static let steering: [Unicode.Scalar] =
        ["\u{1B}", "\u{7F}", "\u{80}", "\u{85}", "\u{9B}", "\u{9F}", "\u{61C}", "\u{200E}", "\u{200F}", "\u{2028}"]
        + ["\u{2029}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{FEFF}"]

    @Test(arguments: steering)
    func `no output shows a terminal what steers it, and data stays exact`(scalar: Unicode.Scalar) throws {
        let text = "é\(scalar)東"
        let columns = [OutputColumn(name: text, type: .string)]
        let rows: [[Value]] = [[.string(text)]]
        for format in OutputFormat.allCases {
            let onTerminal = try Self.text(format, columns, rows, isTerminal: true)
            #expect(!onTerminal.unicodeScalars.contains(scalar), "\(format)")
            guard format != .table else { continue }
            let piped = try Self.text(format, columns, rows)
            #expect(piped.unicodeScalars.contains(scalar) == (format == .csv))
        }
        let csv = try Self.text(.csv, columns, rows)
        #expect(csv == "\(text)\n\(text)\n")
        let json = try JSONSerialization.jsonObject(with: Data(Self.text(.ndjson, columns, rows).utf8))
        #expect(json as? [String: String] == [text: text])
        #expect(!Printable.escapedLines("a\n\(text)").unicodeScalars.contains(scalar))
        let documented = try JSONOutput.text([text])
        #expect(!documented.unicodeScalars.contains(scalar))
        #expect(try JSONDecoder().decode([String].self, from: Data(documented.utf8)) == [text])
    }

    @Test func `numbers for people`() {
        #expect(
            [0, 999, 1_000, 1_234_567, -1_000].map { Grouped.text($0) } == ["0", "999", "1,000", "1,234,567", "-1,000"])
        #expect(
            [0, 1_023, 1_536, 20 << 20, 3 << 40].map { Grouped.bytes($0) } == [
                "0 B", "1023 B", "1.5 KiB", "20 MiB", "3.0 TiB",
            ])
    }
}
