import LoamStorage
import Synchronization

/// A persisted property on the way of a key path through models.
struct ModelStep {
    let model: ModelType
    let ordinal: Int

    var property: ModelProperty { model.properties[ordinal] }

    /// Whether a key path that ends with a computed property of an enum gives the raw value of each of its cases: it
    /// reads them of models that were made for it and are in no context.
    ///
    /// - Parameters:
    ///   - steps: relationships, and last the property that is the enum, or the structure that it is in.
    ///   - members: the names from the structure to the enum; none where the property is the enum.
    ///   - isForced: whether the key path unwraps an optional enum by `!`: of nil it would stop the program.
    static func readsRawValue(
        _ keyPath: AnyKeyPath, along steps: [ModelStep], in members: [String], isForced: Bool
    ) -> Bool {
        guard let whole = steps.last?.property.valueType,
            let value = MemberValue.type(of: whole, at: members[...]), let type = unwrapped(value)
        else { return false }
        return gives(rawValuesOf: type, keyPath, steps, members, nilToo: value is any OptionalType.Type && !isForced)
    }

    private static func unwrapped(_ type: any Any.Type) -> (any RawRepresentable.Type)? {
        ((type as? any OptionalType.Type)?.wrappedType ?? type) as? any RawRepresentable.Type
    }

    private static func gives<Case: RawRepresentable>(
        rawValuesOf type: Case.Type, _ keyPath: AnyKeyPath, _ steps: [ModelStep], _ members: [String], nilToo: Bool
    ) -> Bool {
        guard let cases = EnumCases.all(type), let last = steps.last, !cases.isEmpty,
            members.isEmpty || cases.allSatisfy({ isStoredAsRawValue($0) })
        else { return false }
        let drafts = steps.map { made($0.model.type) }
        let areJoined = steps.dropLast().enumerated().allSatisfy { $1.set(drafts[$0 + 1], of: drafts[$0]) }
        guard areJoined, let draft = drafts.last, let first = drafts.first else { return false }
        if nilToo {
            guard last.set(Case?.none as Any, at: members, of: draft),
                let found = (first as Any)[keyPath: keyPath], !(found is Case.RawValue)
            else { return false }
        }
        return cases.allSatisfy { value in
            // A key path that unwraps by force is not asked of what could not be set.
            guard last.set(value, at: members, of: draft) else { return false }
            return (first as Any)[keyPath: keyPath].map { isEqual($0, value.rawValue) } ?? false
        }
    }

    /// Whether a member of a structure is encoded as its raw value is.
    private static func isStoredAsRawValue<Case: RawRepresentable>(_ value: Case) -> Bool {
        guard let value = value as? any Encodable, let raw = (value as? Case)?.rawValue as? any Encodable,
            let stored = try? ValueEncoder.encode(value)
        else { return false }
        return (try? ValueEncoder.encode(raw)) == stored
    }

    private static func made<Model: PersistentModel>(_ type: Model.Type) -> any PersistentModel {
        Model(_backing: _ModelBacking())
    }

    /// Sets what lies at some members of the property of a model that is in no context; false where it cannot be.
    private func set(_ part: Any, at members: [String], of draft: any PersistentModel) -> Bool {
        let whole = MemberValue.value(of: property.valueType, with: part, at: members[...])
        return whole.map { set($0, of: draft) } ?? false
    }

    /// Sets the property of a model that is in no context; false where it cannot be.
    private func set(_ value: Any, of draft: any PersistentModel) -> Bool {
        guard let keyPath = model.keyPath(ordinal) else { return false }
        func open<Model: PersistentModel>(_ draft: Model) -> Bool {
            func set<Member>(_: Member.Type) -> Bool {
                guard let keyPath = keyPath as? ReferenceWritableKeyPath<Model, Member>, let value = value as? Member
                else { return false }
                draft[keyPath: keyPath] = value
                return true
            }
            return _openExistential(type(of: keyPath).valueType, do: set)
        }
        return open(draft)
    }

    /// Whether a value, which may be inside an optional, is another one.
    private static func isEqual<Raw>(_ found: Any, _ raw: Raw) -> Bool {
        guard let raw = raw as? any Equatable else { return false }
        func compare<Other: Equatable>(_ raw: Other) -> Bool { found as? Other == raw }
        return compare(raw)
    }
}

/// The key paths of a class that lead to attributes, with these. A program has as many as it writes down; where it makes
/// them while it runs, with arguments of subscripts, only the first are kept.
final class KnownPaths: Sendable {
    /// Key paths are immutable.
    private struct Paths: @unchecked Sendable {
        var found: [AnyKeyPath: ModelType.StoredPath] = [:]
        var sorted: [AnyKeyPath: String] = [:]
    }

    private let paths = Mutex(Paths())

    /// What a key path leads to; `find` tells it the first time.
    func path(of keyPath: AnyKeyPath, _ find: () -> ModelType.StoredPath?) -> ModelType.StoredPath? {
        nonisolated(unsafe) let keyPath = keyPath
        if let known = paths.withLock({ $0.found[keyPath] }) { return known }
        // Outside the lock: it may ask for other paths.
        guard let path = find() else { return nil }
        paths.withLock { if $0.found.count < Self.limit { $0.found[keyPath] = path } }
        return path
    }

    /// What an order by a key path asks the store for, where it was noted.
    func sortPath(of keyPath: AnyKeyPath) -> String? {
        nonisolated(unsafe) let keyPath = keyPath
        return paths.withLock { $0.sorted[keyPath] }
    }

    func note(sortPath: String, of keyPath: AnyKeyPath) {
        nonisolated(unsafe) let keyPath = keyPath
        paths.withLock { if $0.sorted.count < Self.limit { $0.sorted[keyPath] = sortPath } }
    }

    private static let limit = 1000
}
