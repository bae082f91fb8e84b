import LoamStorage
import Synchronization

/// Whether enums order their cases as a store does, which sorts by raw values.
enum CaseOrder {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Nothing, where the values at the end of a key path are no enum, or one whose raw values have its order.
    ///
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor``, which says what to sort by instead.
    static func check(_ keyPath: AnyKeyPath) throws {
        guard let reason = reason(type(of: keyPath).valueType) else { return }
        throw SwiftDataError(.unsupportedSortDescriptor, detail: "\(reason) Sort by its rawValue, or \(remedy)")
    }

    /// The same of the least or the greatest value of a property.
    ///
    /// - Throws: ``SwiftDataError/unsupportedKeyPath``, which says what to ask for instead.
    static func check(aggregated keyPath: AnyKeyPath) throws {
        guard let reason = reason(type(of: keyPath).valueType) else { return }
        throw SwiftDataError(.unsupportedKeyPath, detail: "\(reason) Ask for that of its rawValue, or \(remedy)")
    }

    /// The same of what a predicate compares.
    ///
    /// - Throws: ``Unsupported``.
    static func checkOperand(_ type: any Any.Type) throws {
        guard let reason = reason(type) else { return }
        throw Unsupported("the order of \(type). \(reason) Compare its rawValue, or \(remedy)")
    }

    private static let remedy = "give the cases raw values in their order."

    /// Why values of a type have no order in a store; nil where they have.
    private static func reason(_ type: any Any.Type) -> String? {
        if PlainType.includes(type) { return nil }
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard let enumeration = type as? any (RawRepresentable & Comparable).Type, !isByRawValue(enumeration) else {
            return nil
        }
        return "\(type) orders its cases otherwise than by their raw values, which is what a store keeps and sorts by."
    }

    private static func isByRawValue<Case: RawRepresentable & Comparable>(_ type: Case.Type) -> Bool {
        if let known = known.withLock({ $0[ObjectIdentifier(type)] }) { return known }
        // Outside the lock: comparing cases is the user's code.
        let isByRawValue = isSorted(type)
        known.withLock { $0[ObjectIdentifier(type)] = isByRawValue }
        return isByRawValue
    }

    /// True for what is no enum: it cannot be told.
    private static func isSorted<Case: RawRepresentable & Comparable>(_ type: Case.Type) -> Bool {
        guard let cases = EnumCases.all(type) else { return true }
        let sorted = cases.sorted { precedes($0.rawValue, $1.rawValue) }
        return zip(sorted, sorted.dropFirst()).allSatisfy { $0 < $1 }
    }

    /// Whether a raw value stands before another one in a store. Enums have strings and numbers.
    private static func precedes<Raw>(_ left: Raw, _ right: Raw) -> Bool {
        if let left = left as? String, let right = right as? String {
            return StringForms.compare(left, right, form: .exact) < 0
        }
        guard let left = left as? any Comparable else { return false }
        func compare<Number: Comparable>(_ left: Number) -> Bool { (right as? Number).map { left < $0 } ?? false }
        return compare(left)
    }
}
