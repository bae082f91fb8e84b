@_spi(Reflection) import Swift

/// A value of a structure made of values of its stored properties, without its initializers: the last resort for one
/// whose `init(from:)` refuses zero values.
///
/// The value is whole as far as Swift goes; what the structure's author holds true of all its values need not hold.
enum MemberwiseValue {
    /// Nil where the type is no structure, or some stored property has no value.
    ///
    /// - Parameter probe: makes the values of the stored properties.
    static func make<T>(_ type: T.Type, _ probe: TypeProbe) -> T? {
        guard isStructure(type) else { return nil }
        let layout = MemoryLayout<T>.self
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(layout.size, 1), alignment: layout.alignment)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: layout.size)
        var cleanups: [() -> Void] = []
        let isWhole = _forEachField(of: type) { _, offset, member, _ in
            guard let cleanup = initialize(member, memory + offset, probe) else { return false }
            cleanups.append(cleanup)
            return true
        }
        guard isWhole else {
            for cleanup in cleanups { cleanup() }
            return nil
        }
        return memory.assumingMemoryBound(to: type).move()
    }

    /// Puts a value in its place; returns what takes it away again.
    private static func initialize(
        _ member: any Any.Type, _ place: UnsafeMutableRawPointer, _ probe: TypeProbe
    ) -> (() -> Void)? {
        func open<M>(_ member: M.Type) -> (() -> Void)? {
            guard let value = ZeroValue.make(member, probe) else { return nil }
            let typed = place.initializeMemory(as: member, repeating: value, count: 1)
            return { typed.deinitialize(count: 1) }
        }
        return _openExistential(member, do: open)
    }

    private static func isStructure(_ type: any Any.Type) -> Bool {
        unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self) == structureKind
    }

    /// swift/ABI/MetadataKind.def
    private static let structureKind: UInt = 0x200
}
