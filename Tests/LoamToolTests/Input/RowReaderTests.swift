import Foundation
import LoamStorage
import Testing

@testable import loam

@Suite struct RowReaderTests {
    static func rows(
        _ text: String, _ format: InputFormat, _ columns: [Column], null: [String] = []
    ) throws -> [[Value]] {
        let (path, remove) = try Temporary.file(text)
        defer { remove() }
        let reader = try InputFile(path: path, format: format, nullTokens: null).rows(columns)
        var rows: [[Value]] = []
        while let row = try reader.next() { rows.append(row) }
        return rows
    }

    @Test func `values come in the order asked for`() throws {
        let columns = [
            Column(name: "b", type: .double), Column(name: "missing", type: .bool), Column(name: "a", type: .int64),
        ]
        #expect(
            try Self.rows("a,b\n1,2.5\nNA,\n", .csv, columns, null: ["NA"]) == [
                [.double(2.5), .null, .int(1)], [.null, .null, .null],
            ])
    }

    @Test(arguments: [
        (ValueType.bool, "true", Value.bool(true)), (.int8, "-128", .int(-128)), (.int64, "007", .int(7)),
        (.uint64, "18446744073709551615", .uint(.max)), (.float, "0.1", .float(0.1)), (.double, "1e-7", .double(1e-7)),
        (.decimal, "1.50", .decimal(Decimal(string: "1.5") ?? 0)), (.double, "0e400", .double(0)),
        (.float, "1e38", .float(1e38)), (.float, "-Infinity", .float(-.infinity)),
        (.decimal, "0.000", .decimal(0)),
        (
            .decimal, "00012345678901234567890123456789012345678",
            .decimal(Decimal(string: "12345678901234567890123456789012345678") ?? 0)
        ), (.string, " x ", .string(" x ")),
        (.date, "2001-01-01T00:00:01Z", .date(Date(timeIntervalSinceReferenceDate: 1))),
        (.data, "AP8=", .data(Data([0, 255]))),
    ])
    func `each type reads its text`(type: ValueType, text: String, value: Value) throws {
        #expect(try Self.rows("a\n\(text)\n", .csv, [Column(name: "a", type: type)]) == [[value]])
    }

    @Test(arguments: [
        (ValueType.int8, "128"), (.int64, "9223372036854775808"), (.int64, "1.0"), (.uint8, "-1"), (.bool, "yes"),
        (.double, "1,5"),
        (.double, "1e400"), (.double, "-1e-400"), (.float, "1e39"), (.float, "1e-50"), (.decimal, "1e400"),
        (.decimal, "123456789012345678901234567890123456789"), (.decimal, "0.123456789012345678901234567890123456789"),
        (.date, "yesterday"), (.uuid, "1"), (.data, "*"), (.decimal, "1x"), (.int64, "+"), (.double, "0x1"),
    ])
    func `a value of another type is refused with line and column`(type: ValueType, text: String) throws {
        let error = #expect(throws: InputError.self) {
            try Self.rows("a\n\n\"\(text)\"\n", .csv, [Column(name: "a", type: type)])
        }
        #expect(error == InputError(.invalidValue(type: type.description, text: text), line: 3, column: "a"))
    }

    @Test func `JSON numbers keep every digit, nested values become text`() throws {
        let columns = [Column(name: "n", type: .int64), Column(name: "s", type: .string)]
        let text = #"""
            {"n":9007199254740993,"s":{"a":[1,"é"]}}
            {"s":1.50,"n":null}
            {"s":true}
            """#
        #expect(
            try Self.rows(text, .ndjson, columns) == [
                [.int(9_007_199_254_740_993), .string(#"{"a":[1,"é"]}"#)], [.null, .string("1.50")],
                [.null, .string("true")],
            ])
    }

    @Test func `unknown columns and missing values are refused`() {
        #expect(throws: InputError(.unknownColumn, line: 1, column: "b")) {
            try Self.rows("a,b\n1,2\n", .csv, [Column(name: "a", type: .int64)])
        }
        #expect(throws: InputError(.missingValue, line: 3, column: "a")) {
            try Self.rows(
                "a,b\n1,2\n,2\n", .csv,
                [Column(name: "a", type: .int64, isOptional: false), Column(name: "b", type: .int64)])
        }
        #expect(throws: InputError(.unknownColumn, line: 2, column: "b")) {
            try Self.rows("{\"a\":1}\n{\"b\":1}\n", .ndjson, [Column(name: "a", type: .int64)])
        }
    }
}
