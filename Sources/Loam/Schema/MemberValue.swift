@_spi(Reflection) import Swift

/// The stored properties of structures, by name: their types, and values of a structure that differ in one.
enum MemberValue {
    /// The type of what lies at the names behind a type; nil where nothing does. Optionals on the way are passed.
    static func type(of type: any Any.Type, at names: ArraySlice<String>) -> (any Any.Type)? {
        guard let name = names.first else { return type }
        let whole = (type as? any OptionalType.Type)?.wrappedType ?? type
        return field(name, of: whole).flatMap { self.type(of: $0.type, at: names.dropFirst()) }
    }

    /// A zero value of a type, but for what lies at the names behind it: that is `part`. Nil where the type has no such
    /// value.
    static func value(of type: any Any.Type, with part: Any, at names: ArraySlice<String>) -> Any? {
        func open<T>(_ type: T.Type) -> Any? { made(type, with: part, at: names).map { $0 as Any } }
        return _openExistential(type, do: open)
    }

    private static func made<T>(_ type: T.Type, with part: Any, at names: ArraySlice<String>) -> T? {
        guard let name = names.first else { return part as? T }
        if let wrapped = (type as? any OptionalType.Type)?.wrappedType {
            return value(of: wrapped, with: part, at: names).flatMap { $0 as? T }
        }
        guard var made = ZeroValue.makeAny(type), let field = field(name, of: type) else { return nil }
        func replace<Member>(_: Member.Type) -> Bool {
            guard let member = self.made(Member.self, with: part, at: names.dropFirst()) else { return false }
            withUnsafeMutableBytes(of: &made) { bytes in
                bytes.baseAddress?.advanced(by: field.offset).assumingMemoryBound(to: Member.self).pointee = member
            }
            return true
        }
        return _openExistential(field.type, do: replace) ? made : nil
    }

    /// A stored property of a structure, and where it lies in it; nil for any other type.
    private static func field(_ name: String, of type: any Any.Type) -> (type: any Any.Type, offset: Int)? {
        guard unsafeBitCast(type, to: UnsafeRawPointer.self).load(as: UInt.self) == structureKind else { return nil }
        var found: (type: any Any.Type, offset: Int)?
        _ = _forEachField(of: type) { label, offset, member, _ in
            guard String(cString: label) == name else { return true }
            found = (member, offset)
            return false
        }
        return found
    }

    /// swift/ABI/MetadataKind.def
    private static let structureKind: UInt = 0x200
}
