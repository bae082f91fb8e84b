import Foundation
import LoamStorage

/// What an update in the store does to a property of every model that matches.
///
/// ```swift
/// try context.update(City.self, where: isSmall, set: .set(\.isListed, to: false), .add(1, to: \.revision))
/// ```
public struct Assignment<T: PersistentModel> {
    let keyPath: PartialKeyPath<T>
    let change: Change

    enum Change {
        case set(Any)
        case add(Any)
    }

    private init(_ keyPath: PartialKeyPath<T>, _ change: Change) {
        (self.keyPath, self.change) = (keyPath, change)
    }

    /// Gives the property a value.
    public static func set<Member>(_ keyPath: ReferenceWritableKeyPath<T, Member>, to value: Member) -> Assignment {
        Assignment(keyPath, .set(value))
    }

    /// Adds to the number that the property has. The update throws where a result does not fit into the property.
    public static func add<Number: SummableAttribute>(
        _ number: Number, to keyPath: ReferenceWritableKeyPath<T, Number>
    ) -> Assignment {
        Assignment(keyPath, .add(number))
    }

    /// Adds to the number that the property has; nil stays nil.
    public static func add<Number: SummableAttribute>(
        _ number: Number, to keyPath: ReferenceWritableKeyPath<T, Number?>
    ) -> Assignment {
        Assignment(keyPath, .add(number))
    }
}

/// An assignment as the store carries it out.
struct StoredAssignment {
    let property: ModelProperty
    /// What the assignment says, as the store writes it.
    private let value: Value
    private let adds: Bool

    /// - Throws: ``SwiftDataError/unsupportedKeyPath`` for what is no attribute of the class, and
    ///   ``SwiftDataError/modelValidationFailure`` for a value that cannot be stored.
    init<T: PersistentModel>(_ assignment: Assignment<T>) throws {
        let model = ModelType.of(T.self)
        guard let ordinal = model.ordinal(of: assignment.keyPath), case let property = model.properties[ordinal],
            property.storage != nil
        else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail: "\(assignment.keyPath) cannot be updated in the store: it is no stored attribute of "
                    + "\(model.entityName). Relationships, and members of structures, are changed with the models.")
        }
        self.property = property
        switch assignment.change {
        case .set(let new):
            adds = false
            value = Self.stored(new, property)
            guard value.isNull, AttributeStorage.unwrapped(new) != nil else { return }
        case .add(let number):
            adds = true
            value = Self.stored(number, property)
            guard value.isNull || property.transformer != nil else { return }
        }
        throw SwiftDataError(
            .modelValidationFailure,
            detail: "\(model.entityName).\(property.name) cannot be updated: its value has no form to be stored in.")
    }

    private static func stored(_ value: Any, _ property: ModelProperty) -> Value {
        if let transformer = property.transformer {
            return AttributeStorage.initialValue(value, of: property.valueType, by: transformer)
        }
        return AttributeStorage.initialValue(value, of: property.valueType)
    }

    /// Whether the new value depends on the stored one.
    var readsStoredValue: Bool { adds }

    /// The new value of the property.
    ///
    /// - Throws: ``SwiftDataError/modelValidationFailure`` for a sum that is no number of the property's type.
    func value(from stored: Value) throws -> Value {
        guard adds, !stored.isNull, let type = property.storage?.type else { return adds ? .null : value }
        let sum = Arithmetic(of: [type]).apply(.add, left: stored, right: value)
        let result: Value? =
            switch (sum, type) {
            case (.int(let number), _) where type.isUnsignedInteger: UInt64(exactly: number).map { .uint($0) }
            case (.double(let number), .float): .float(Float(number))
            case (.null, _): nil
            default: sum
            }
        if let result { return result }
        throw SwiftDataError(
            .modelValidationFailure,
            detail: "Adding to \(property.name) leaves the type \(type) for at least one model; nothing was updated.")
    }
}
