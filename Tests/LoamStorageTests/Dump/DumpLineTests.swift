import Foundation
import LoamStorage
import Testing

/// The number of bytes that are read of a line before it is refused.
@Suite struct DumpLineTests {
    private static func header(_ property: String) -> [UInt8] {
        Array(
            (#"{"loam":"dump","format":1,"entities":[{"indexes":[],"lastRow":1,"name":"A","properties":["#
                + property + #"],"rows":1}]}"# + "\n").utf8)
    }

    @Test func aLineThatNoRowCanHaveIsNotReadToItsEnd() throws {
        let spaces = [UInt8](repeating: 0x20, count: 3 << 20)
        let row = Array(#"{"entity":"A","row":1,"values":{"n":1}}"#.utf8)
        let number = Self.header(#"{"name":"n","optional":true,"type":"int64"}"#)
        let source = ByteSource(bytes: number + spaces + row, chunkSize: 1 << 16)
        var reader = try DumpReader(source)
        guard case .invalidDump(line: 2, let why) = storageError({ _ = try reader.next() }) else {
            Issue.record("no error")
            return
        }
        #expect(why.contains("longer than"))
        #expect(try !source.next().isEmpty)
        // The line of a row may be as long where a property is text.
        let text = Self.header(#"{"name":"n","optional":true,"type":"string"}"#)
        let textRow = Array(#"{"entity":"A","row":1,"values":{"n":"1"}}"#.utf8)
        var texts = try DumpReader(ByteSource(bytes: text + spaces + textRow))
        #expect(try texts.next()?.values == [.string("1")])
    }

    @Test func aHeaderThatNeverEndsIsGivenUp() throws {
        let kind = storageError { _ = try DumpReader(ByteSource(path: "/dev/zero")) }
        #expect(kind == .invalidDump(line: 1, "the line is longer than \(64 << 20) bytes"))
    }
}
