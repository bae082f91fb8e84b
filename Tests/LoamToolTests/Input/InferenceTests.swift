import Foundation
import LoamStorage
import SeededRandom
import Testing

@testable import loam

@Suite struct InferenceTests {
    static func type(_ fields: [String]) -> ValueType {
        var kinds = ColumnKinds()
        for field in fields {
            var field = field
            field.withUTF8 { kinds.observe($0) }
        }
        return kinds.type
    }

    @Test(arguments: [
        ([], ValueType.string), (["1", "-2", "0"], .int64), (["9223372036854775807", "-9223372036854775808"], .int64),
        (["1", "2.5"], .double), (["1e3", "-.5", "0.0"], .double), (["1", "NaN", "-Infinity"], .double),
        (["-0"], .double), (["true", "false"], .bool), (["2013-01-01", "2013-01-01T10:00:00Z"], .date),
        (["NaN"], .string), (["007", "1"], .string), (["00.5"], .string), (["+1"], .string), (["1", "true"], .string),
        (["1", "x"], .string), (["2013-01-01", "2013"], .string), (["2013-02-30"], .string), (["1,5"], .string),
        (["9223372036854775808"], .string), (["9007199254740993", "0.5"], .string),
        (["9007199254740992", "0.5"], .double),
        ([" 1"], .string), (["-"], .string), (["."], .string), (["1e"], .string), (["0x10"], .string), (["１"], .string),
        (["1e400", "1"], .string), (["-1e-400"], .string), (["0e400", "0.0e-999"], .double),
        (["1e99999999999999999999"], .string),
    ])
    func `the type is the narrowest that keeps every value`(fields: [String], type: ValueType) {
        #expect(Self.type(fields) == type)
        #expect(Self.type(fields.reversed()) == type)
    }

    @Test func `numbers read as the standard library reads them`() throws {
        var generator = SeededGenerator(seed: 1)
        func digits(_ range: ClosedRange<Int>) -> String {
            (0..<Int.random(in: range, using: &generator)).map { _ in
                "0123456789".randomElement(using: &generator).map(String.init) ?? ""
            }
            .joined()
        }
        for _ in 0..<20_000 {
            var text = (Bool.random(using: &generator) ? "-" : "") + digits(1...22)
            if Bool.random(using: &generator) { text += "." + digits(1...20) }
            if Bool.random(using: &generator) {
                text += "e" + (Bool.random(using: &generator) ? "-" : "") + digits(1...3)
            }
            let rounded = try #require(Double(text))
            let isZero = text.prefix { $0 != "e" }.allSatisfy { "-0.".contains($0) }
            // A number beyond the range of the type would become another number by rounding.
            let expected = rounded.isInfinite || rounded.isZero != isZero ? nil : rounded
            let found = text.withUTF8 { FieldText.double($0) }
            #expect(found?.bitPattern == expected?.bitPattern, "\(text)")
        }
    }

    static func infer(
        _ text: String, _ format: InputFormat, null: [String] = [], types: [String: ValueType] = [:]
    ) throws
        -> [Column]
    {
        let (path, remove) = try Temporary.file(text)
        defer { remove() }
        let file = try InputFile(path: path, format: format, nullTokens: null)
        return try file.inferColumns(types: types, progress: Progress("Reading", isShown: false)).columns
    }

    @Test func `empty fields and null tokens have no type`() throws {
        let columns = try Self.infer("a,b,c\nNA,,x\n1,2.5,\n,NA,-\n", .csv, null: ["NA", "-"])
        #expect(columns.map(\.type) == [.int64, .double, .string])
        #expect(columns.map(\.name) == ["a", "b", "c"])
    }

    @Test func `given types stand, and must name a column`() throws {
        #expect(try Self.infer("a,b\n1,2\n", .csv, types: ["a": .string]).map(\.type) == [.string, .int64])
        #expect(throws: ArgumentError.self) { try Self.infer("a,b\n1,2\n", .csv, types: ["z": .string]) }
    }

    @Test func `JSON columns come in order of appearance, strings stay strings`() throws {
        let text = #"""
            {"a":1,"b":"1","c":"2013-01-01"}
            {"c":null,"d":[1,{"x":2}],"a":2.5,"e":true}
            """#
        let columns = try Self.infer(text, .ndjson)
        #expect(columns.map(\.name) == ["a", "b", "c", "d", "e"])
        #expect(columns.map(\.type) == [.double, .string, .date, .string, .bool])
    }

    @Test(arguments: [
        ("", InputError(.emptyFile)), ("a,,b\n", InputError(.emptyColumnName, line: 1)),
        ("a,a\n", InputError(.duplicateColumn, line: 1, column: "a")),
        ("a,b.c\n", InputError(.invalidColumnName, line: 1, column: "b.c")),
        ("a,\"b\nc\"\n", InputError(.invalidColumnName, line: 1, column: "b\nc")),
        ("a,b\u{0}\n", InputError(.invalidColumnName, line: 1, column: "b\u{0}")),
        ("a,b\n1\n", InputError(.fieldCount(expected: 2, found: 1), line: 2)),
        ("a,b\n1,2\n\n1,2,3\n", InputError(.fieldCount(expected: 2, found: 3), line: 4)),
    ])
    func `a wrong shape is refused with its line`(text: String, error: InputError) {
        #expect(throws: error) { try Self.infer(text, .csv) }
    }

    @Test func `more columns than an entity can have are refused in the header`() {
        let limit = RecordLayout.maximumFieldCount
        let names = (0...limit).map { "c\($0)" }
        // The error is about the header, so the lines behind it are not looked at.
        let csv = names.joined(separator: ",") + "\n\"never closed\n"
        #expect(throws: InputError(.tooManyColumns(limit: limit), line: 1)) { try Self.infer(csv, .csv) }
        let members = names.map { "\"\($0)\":1" }
        let ndjson = "{\(members.joined(separator: ","))}\nno JSON\n"
        #expect(throws: InputError(.tooManyColumns(limit: limit), line: 1)) { try Self.infer(ndjson, .ndjson) }
    }

    @Test(arguments: [
        ("[1]", InputError(.notAnObject, line: 1)),
        ("{\"a\":1}\n{\"a\":}", InputError(.invalidJSON(offset: 5, reason: "no value begins like this"), line: 2)),
        ("\n\n", InputError(.noColumns)), (#"{"a.b":1}"#, InputError(.invalidColumnName, line: 1, column: "a.b")),
    ])
    func `wrong JSON is refused with its line`(text: String, error: InputError) {
        #expect(throws: error) { try Self.infer(text, .ndjson) }
    }
}
