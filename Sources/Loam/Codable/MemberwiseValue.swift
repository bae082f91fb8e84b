@_spi(Reflection) import Swift

/// A value made of values of a structure's stored properties, or of an enum's case, without any initializer: the last
/// resort for a type whose `init(from:)` refuses zero values.
///
/// The value is whole as far as Swift goes; what the type's author holds true of all its values need not hold. Fields
/// that are `unowned` are not supported: reflection does not tell them from strong ones.
enum MemberwiseValue {
    /// Makes a value of a type from values of its parts; nil where the type is no structure, tuple or enum, or some
    /// part of it has no value.
    ///
    /// - Parameter probe: makes the values of the parts.
    static func make<T>(_ type: T.Type, probe: TypeProbe) -> T? {
        let layout = MemoryLayout<T>.self
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(layout.size, 1), alignment: layout.alignment)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
        let isWhole =
            if let cases = EnumPayloads(type) {
                fill(memory, cases: cases, probe: probe)
            } else {
                hasFields(type) && fill(memory, type: type, probe: probe)
            }
        return isWhole ? memory.assumingMemoryBound(to: type).move() : nil
    }

    /// The first case without payload, else the first one whose payload has a value.
    private static func fill(_ memory: UnsafeMutableRawPointer, cases: EnumPayloads, probe: TypeProbe) -> Bool {
        if let index = cases.firstEmptyCase {
            cases.inject(index, into: memory)
            return true
        }
        for case (let index, let payload?) in cases.types.enumerated()
        where initialize(payload, at: memory, probe: probe) != nil {
            cases.inject(index, into: memory)
            return true
        }
        return false
    }

    private static func fill(_ memory: UnsafeMutableRawPointer, type: any Any.Type, probe: TypeProbe) -> Bool {
        var cleanups: [() -> Void] = []
        let isWhole = _forEachField(of: type) { _, offset, member, _ in
            guard let cleanup = initialize(member, at: memory + offset, probe: probe) else { return false }
            cleanups.append(cleanup)
            return true
        }
        if !isWhole { for cleanup in cleanups { cleanup() } }
        return isWhole
    }

    /// Puts a value into its memory; returns what takes it away again.
    private static func initialize(
        _ member: any Any.Type, at memory: UnsafeMutableRawPointer, probe: TypeProbe
    ) -> (() -> Void)? {
        func open<M>(_ member: M.Type) -> (() -> Void)? {
            guard let value = ZeroValue.make(member, probe: probe) else { return nil }
            let typed = memory.initializeMemory(as: member, repeating: value, count: 1)
            return { typed.deinitialize(count: 1) }
        }
        return _openExistential(member, do: open)
    }

    private static func hasFields(_ type: any Any.Type) -> Bool {
        let kind = unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self)
        return kind == structureKind || kind == tupleKind
    }

    // swift/ABI/MetadataKind.def

    private static let structureKind: UInt = 0x200
    private static let tupleKind: UInt = 0x301
}
