import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Values are checked against their types, and errors name the property")
struct RecordTypeCheckTests {
    private func error(_ type: ValueType, _ value: Value) -> StorageError? {
        do {
            let fields = [RecordLayout.Field(property: 4, type: type, isOptional: false)]
            let layout = try RecordLayout(
                .init(id: 1, entity: 1, fields: fields), entityName: "Book", propertyNames: [4: "title"])
            var builder = RecordBuilder(layout)
            var record: [UInt8] = []
            try builder.encode([value], into: &record)
            return nil
        } catch {
            return error as? StorageError
        }
    }

    @Test("Integers out of range")
    func ranges() {
        let outside: [(ValueType, Value)] = [
            (.int8, .int(128)), (.int8, .int(-129)), (.int16, .int(40_000)), (.int32, .int(1 << 31)),
            (.int64, .uint(1 << 63)), (.uint8, .uint(256)), (.uint8, .int(-1)), (.uint16, .uint(65_536)),
            (.uint32, .uint(1 << 32)), (.uint64, .int(-1)),
        ]
        for (type, value) in outside {
            let expected = StorageError.Kind.typeMismatch(
                expected: type.description, found: "an integer out of its range")
            #expect(error(type, value) == StorageError(expected, entity: "Book", property: "title"))
        }
    }

    @Test("Integers of the other signedness that are in range come back in the type's own")
    func signedness() throws {
        let layout = try RecordSamples.layout([
            (.int8, false), (.uint64, false), (.array(of: .uint8, optional: false), false),
        ])
        let record = try RecordSamples.record([.uint(5), .int(6), .array([.int(7)])], layout)
        #expect(
            try RecordSamples.values(record, layout) == [.int(5), .uint(6), .array([.uint(7)])])
    }

    @Test("Values of another kind", arguments: RecordSamples.types)
    func kinds(type: ValueType) {
        var random = SeededGenerator(seed: 1)
        for other in RecordSamples.types where other != type && !(other.isInteger && type.isInteger) {
            let value = RecordSamples.value(of: other, isOptional: false, using: &random)
            switch (type, value) {
            // An empty container fits every type of its kind.
            case (.array, .array), (.dictionary, .dictionary), (.structure, .structure): continue
            default: break
            }
            guard case .typeMismatch? = error(type, value)?.kind else {
                Issue.record("\(other) was taken for \(type)")
                continue
            }
        }
    }

    @Test("Nil where there must be a value")
    func nilValues() {
        for type in RecordSamples.types {
            #expect(error(type, .null) == StorageError(.missingValue, entity: "Book", property: "title"))
        }
        #expect(error(.array(of: .bool, optional: false), .array([.null]))?.kind == .missingValue)
        let missing = error(RecordSamples.address, .structure(["street": .string("a"), "place": .structure([:])]))
        #expect(missing == StorageError(.missingValue, entity: "Book", property: "title.place.latitude"))
    }

    @Test("Members, counts and slots that do not exist")
    func unknownNames() throws {
        let unknown = error(RecordSamples.address, .structure(["street": .string("a"), "zip": .string("b")]))
        #expect(unknown?.property == "title")
        let layout = try RecordSamples.layout([(.bool, false)])
        #expect(throws: StorageError.self) { try RecordSamples.record([], layout) }
        let record = try RecordSamples.record([.bool(true)], layout)
        let view = try RecordView(record.span.bytes, layout: layout)
        for slot in [-1, 1, .max, .min] {
            #expect(kind { _ = try view.value(slot) } == .unknownProperty)
            #expect(kind { _ = try view.isNull(slot) } == .unknownProperty)
            #expect(kind { _ = try view.field(slot) } == .unknownProperty)
        }
        #expect(kind { _ = try view.int64(0) } == .typeMismatch(expected: "a signed integer", found: "bool"))
        #expect(
            kind { _ = try view.nestedValue(0, path: ["a"]) } == .typeMismatch(expected: "structure", found: "bool"))
    }

    private func kind(_ body: () throws -> Void) -> StorageError.Kind? {
        do {
            try body()
            return nil
        } catch { return (error as? StorageError)?.kind }
    }
}
