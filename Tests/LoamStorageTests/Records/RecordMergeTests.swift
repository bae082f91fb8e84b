import Foundation
import SeededRandom
import Testing

@testable import LoamStorage

@Suite("Merging changed fields into an older record")
struct RecordMergeTests {
    @Test("Equals encoding the merged values", arguments: 1...20 as ClosedRange<UInt64>)
    func sameLayout(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let layout = try RecordSamples.layout(using: &random)
            let old = RecordSamples.values(of: layout, using: &random)
            let new = RecordSamples.values(of: layout, using: &random)
            let slots = layout.fields.indices.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
            var expected = old
            for slot in slots { expected[slot] = new[slot] }
            let oldRecord = try RecordSamples.record(old, layout)
            let newRecord = try RecordSamples.record(new, layout)
            let oldView = try RecordView(oldRecord.span.bytes, layout: layout)
            let newView = try RecordView(newRecord.span.bytes, layout: layout)
            let merged = try RecordSamples.record(expected, layout, save: 0)
            var bytes: [UInt8] = []
            try RecordBuilder.merge(old: oldView, changes: slots.map { ($0, new[$0]) }, into: &bytes)
            try RecordHeader.seal(&bytes, save: 0, rowID: 1, entity: layout.entity)
            #expect(bytes == merged)
            var builder = RecordBuilder(layout)
            try builder.merge(oldView, masked: FieldMask(slots), of: newView, into: &bytes)
            try RecordHeader.seal(&bytes, save: 0, rowID: 1, entity: layout.entity)
            #expect(bytes == merged)
            let view = try RecordView(bytes.span.bytes, layout: layout)
            try view.checkInvariants()
            for slot in layout.fields.indices {
                let isSame = try view.fieldBytesEqual(slot, other: oldView, otherSlot: slot)
                if !slots.contains(slot) { #expect(isSame) }
                if expected[slot] != old[slot] { #expect(!isSame) }
            }
        }
    }

    @Test("Carries a record of an older layout into the current one", arguments: 1...20 as ClosedRange<UInt64>)
    func acrossLayouts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<30 {
            let old = try RecordSamples.layout(using: &random, id: 3)
            var fields = old.fields.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
            let added = try RecordSamples.layout(using: &random).fields
            fields += added.map { .init(property: $0.property + 1_000, type: $0.type, isOptional: $0.isOptional) }
            fields.shuffle(using: &random)
            let new = try RecordLayout(.init(id: 4, entity: old.entity, fields: fields))
            let oldValues = RecordSamples.values(of: old, using: &random)
            var initialValues: [PropertyID: Value] = [:]
            for field in fields where old.slot(of: field.property) == nil && !field.isOptional {
                initialValues[field.property] = RecordSamples.value(of: field.type, isOptional: false, using: &random)
            }
            var expected = fields.map { field in
                old.slot(of: field.property).map { oldValues[$0] } ?? initialValues[field.property] ?? .null
            }
            var changes: [(slot: Int, value: Value)] = []
            for (slot, field) in fields.enumerated() where Bool.random(using: &random) {
                expected[slot] = RecordSamples.value(of: field.type, isOptional: field.isOptional, using: &random)
                changes.append((slot, expected[slot]))
            }
            let record = try RecordSamples.record(oldValues, old)
            let view = try RecordView(record.span.bytes, layout: old)
            let mapping = RecordMapping(from: old, to: new, initialValues: initialValues)
            var builder = RecordBuilder(new)
            var bytes: [UInt8] = []
            try builder.merge(view, changes: changes, mapping: mapping, into: &bytes)
            try RecordHeader.seal(&bytes, save: 1, rowID: 1, entity: new.entity)
            #expect(try bytes == RecordSamples.record(expected, new))
        }
    }

    @Test("Converts where the new type holds the old value, and says where it does not")
    func conversions() throws {
        func layout(_ id: LayoutID, _ type: ValueType, _ isOptional: Bool) throws -> RecordLayout {
            try RecordLayout(
                .init(id: id, entity: 1, fields: [.init(property: 7, type: type, isOptional: isOptional)]))
        }
        func carried(_ value: Value, _ old: RecordLayout, _ new: RecordLayout, _ initial: Value? = nil) throws -> Value
        {
            let record = try RecordSamples.record([value], old)
            let view = try RecordView(record.span.bytes, layout: old)
            let initialValues = initial.map { [PropertyID(7): $0] } ?? [:]
            let mapping = RecordMapping(from: old, to: new, initialValues: initialValues)
            var builder = RecordBuilder(new)
            var bytes: [UInt8] = []
            try builder.merge(view, changes: [], mapping: mapping, into: &bytes)
            return try RecordSamples.value(bytes, new, 0)
        }
        let narrow = try layout(1, .int16, true)
        let wide = try layout(2, .uint32, false)
        #expect(try carried(.int(40), narrow, wide) == .uint(40))
        #expect(try carried(.null, narrow, wide, .uint(6)) == .uint(6))
        #expect(throws: StorageError.self) { try carried(.int(-1), narrow, wide) }
        #expect(throws: StorageError(.missingValue, property: "number 7")) { try carried(.null, narrow, wide) }
    }

    @Test("Records of other layouts are refused")
    func otherLayouts() throws {
        let first = try RecordSamples.layout([(.bool, false)], id: 1)
        let second = try RecordSamples.layout([(.bool, false)], id: 2)
        let record = try RecordSamples.record([.bool(true)], first)
        let view = try RecordView(record.span.bytes, layout: first)
        var builder = RecordBuilder(second)
        var bytes: [UInt8] = []
        var errors = 0
        do { try builder.merge(view, changes: [], into: &bytes) } catch { errors += 1 }
        do { _ = try RecordView(record.span.bytes, layout: second) } catch { errors += 1 }
        let backwards = RecordMapping(from: second, to: first)
        do { try builder.merge(view, changes: [], mapping: backwards, into: &bytes) } catch { errors += 1 }
        #expect(errors == 3)
    }
}

@Suite("Field masks")
struct FieldMaskTests {
    @Test("Behave as a set of integers", arguments: 1...10 as ClosedRange<UInt64>)
    func model(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var first = Set<Int>()
        var second = Set<Int>()
        for _ in 0..<20 {
            first.insert(Int.random(in: 0..<200, using: &random))
            second.insert(Int.random(in: 0..<(seed.isMultiple(of: 2) ? 60 : 400), using: &random))
        }
        var mask = FieldMask(first)
        #expect(mask.slots == first.sorted())
        #expect(mask.count == first.count)
        #expect((-1..<500).allSatisfy { mask.contains($0) == first.contains($0) })
        mask.formUnion(FieldMask(second))
        #expect(mask == FieldMask(first.union(second)))
        #expect(FieldMask().isEmpty)
        #expect(!mask.isEmpty)
    }
}
