import Foundation
import LoamStorage

/// An entity that is to be made.
public struct EntityDescription: Sendable {
    /// A property's type.
    public enum Kind: Sendable {
        case bool, int, double, string, date
    }

    /// A property: its name, type and whether it may be nil.
    public struct Property: Sendable {
        let definition: PropertyDefinition

        /// A property by its name.
        public init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
            definition = PropertyDefinition(name, type: kind.type, isOptional: isOptional)
        }
    }

    /// An index over properties, ascending.
    public struct Index: Sendable {
        let definition: IndexDefinition

        /// An index by its name and the names of its properties, in order.
        public init(_ name: String, _ properties: [String], isUnique: Bool = false, isSectioned: Bool = false) {
            definition = IndexDefinition(
                properties.map { IndexDefinition.Component($0) }, name: name, kind: isUnique ? .unique : .ordered,
                isSectioned: isSectioned)
        }
    }

    let definition: EntityDefinition

    /// An entity by its name.
    public init(_ name: String, properties: [Property], indexes: [Index]) {
        definition = EntityDefinition(
            name, properties: properties.map(\.definition), indexes: indexes.map(\.definition))
    }
}

extension EntityDescription.Kind {
    fileprivate var type: ValueType {
        switch self {
        case .bool: .bool
        case .int: .int64
        case .double: .double
        case .string: .string
        case .date: .date
        }
    }
}

/// An entity of a store, ready for reads and saves.
public struct EntityHandle: Sendable {
    let entity: Entity
    let catalog: Catalog

    /// An index of the entity.
    ///
    /// - Throws: an error that names the entity and the index, when there is none of that name.
    public func index(_ name: String) throws -> IndexHandle {
        guard let index = entity.indexes.first(where: { $0.name == name }) else {
            throw StorageError(.unknownIndex, entity: entity.name, index: name)
        }
        return IndexHandle(entity: entity, index: index, shape: try IndexKeyShape(index: index))
    }
}

/// An index of an entity.
public struct IndexHandle: Sendable {
    let entity: Entity
    let index: Index
    let shape: IndexKeyShape

    /// The entries whose leading component lies in a half-open range.
    ///
    /// - Throws: an error that names the property, where a bound is of another type than it.
    public func range(from lower: FieldValue, below upper: FieldValue) throws -> IndexRange {
        let condition = KeyCondition.ordered(
            lower: KeyBound(lower.value, isInclusive: true), upper: KeyBound(upper.value, isInclusive: false))
        let matching = try shape.range(equalTo: [], next: condition)
        return IndexRange(index: self, range: matching?.range ?? .none)
    }

    /// The range of all entries of the index.
    public var all: IndexRange { IndexRange(index: self, range: .all) }
}

/// A range of an index.
public struct IndexRange: Sendable {
    let index: IndexHandle
    let range: KeyRange
}

/// A property's value.
public enum FieldValue: Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    /// A date, as its seconds since 2001.
    case date(Double)

    var value: Value {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .date(let seconds): .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
    }
}
