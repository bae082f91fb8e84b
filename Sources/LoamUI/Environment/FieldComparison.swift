@_spi(Reflection) import Swift

/// Whether two values of one type show the same: what a view was made with, or what its environment has.
///
/// Objects are the same where they are one; values where they are `Equatable` and equal, else where all their fields
/// are; closures, enums and what else cannot be compared where their bytes are the same. So a difference may be seen
/// where there is none, and then a view is rendered in vain, but none is overlooked.
enum FieldComparison {
    /// A value as a field of something: a field's kind is known.
    private struct Holder<Value> {
        let value: Value
    }

    static func areEqual<Value>(_ left: Value, _ right: Value) -> Bool {
        let (left, right) = (Holder(value: left), Holder(value: right))
        return withUnsafeBytes(of: left) { left in
            withUnsafeBytes(of: right) { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return haveEqualFields(Holder<Value>.self, at: left, right)
            }
        }
    }

    /// Compares the fields of two structures in place.
    static func haveEqualFields(_ type: Any.Type, at left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        _forEachField(of: type, options: []) { _, offset, field, kind in
            let isStructure = kind == .struct || kind == .tuple
            return areEqual(field, isStructure: isStructure, at: left + offset, right + offset)
        }
    }

    static func areEqual(
        _ type: Any.Type, isStructure: Bool, at left: UnsafeRawPointer, _ right: UnsafeRawPointer
    ) -> Bool {
        func compare<Field>(_ type: Field.Type) -> Bool {
            if haveSameBytes(left, right, count: MemoryLayout<Field>.size) { return true }
            if type is AnyObject.Type { return false }
            if let field = left.assumingMemoryBound(to: type).pointee as? any Equatable {
                return field.isEqual(to: right.assumingMemoryBound(to: type).pointee)
            }
            return isStructure && haveEqualFields(type, at: left, right)
        }
        return _openExistential(type, do: compare)
    }

    /// Whether the other is of the same type, and equal.
    static func areEqual(_ left: any Equatable, to right: Any) -> Bool { left.isEqual(to: right) }

    private static func haveSameBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, count: Int) -> Bool {
        UnsafeRawBufferPointer(start: left, count: count)
            .elementsEqual(UnsafeRawBufferPointer(start: right, count: count))
    }
}

extension Equatable {
    /// Whether another value is of the same type, and equal.
    fileprivate func isEqual(to other: Any) -> Bool {
        guard let other = other as? Self else { return false }
        return self == other
    }
}
