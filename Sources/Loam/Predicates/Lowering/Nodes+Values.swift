import Foundation
import LoamQuery
import LoamStorage

extension PredicateExpressions.Variable: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try lowering.variable(key)
    }
}

extension PredicateExpressions.Value: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        Lowered(.constant(value))
    }
}

extension PredicateExpressions.NilLiteral: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        Lowered(.constant(Any?.none as Any))
    }
}

extension PredicateExpressions.KeyPath: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let keyPath = keyPath as Swift.KeyPath<Root.Output, Output>
        let root = try lowering.lower(root)
        if case .row(let path, let model)? = root.value {
            return Lowered(try Self.property(keyPath, of: path, in: model))
        }
        // Foundation compares the key path with those that it knows: needless for a property of a row.
        let kind = kind
        return try root.flatMap { value in
            guard case .chosen(let choices) = value else {
                return Lowered(try Self.value(keyPath, kind: kind, of: value))
            }
            switch kind {
            case .collectionCount: return Lowered(.expression(choices.counted))
            case .collectionIsEmpty: return Lowered(.predicate(QueryPredicate.any(choices.map(\.condition)).negated))
            case .collectionFirst: return try choices.first()
            case .bidirectionalCollectionLast: return try Array(choices.reversed()).first()
            default: throw Unsupported("\(keyPath) of filtered captured values")
            }
        }
    }

    private static func value(
        _ keyPath: Swift.KeyPath<Root.Output, Output>, kind: CommonKeyPathKind?, of value: LoweredValue
    ) throws -> LoweredValue {
        switch value {
        case .constant where value.isNil: return value
        case .constant(let constant):
            guard let root = constant as? Root.Output else { throw Unsupported("a property of a captured value") }
            return .constant(root[keyPath: keyPath])
        case .row(let path, let model): return try property(keyPath, of: path, in: model)
        case .end(let row, let model, let store): return try property(keyPath, of: row, in: model, store: store)
        case .related(let rows, let model, let condition):
            let end: LoamQuery.Aggregate
            switch kind {
            case .collectionCount: return .expression(rows.counted(where: condition))
            case .collectionIsEmpty: return .predicate(rows.none(condition))
            case .collectionFirst: end = .first
            case .bidirectionalCollectionLast: end = .last
            default: throw Unsupported("\(keyPath) of a to-many relationship")
            }
            let row = rows.aggregate(end, where: condition ?? .constant(true))
            return .end(row, model, store: rows.store)
        case .elements(let array, let condition):
            switch kind {
            case .collectionCount: return .expression(array.counted(where: condition))
            case .collectionIsEmpty: return .predicate(array.none(condition))
            case .collectionFirst: return .expression(array.aggregate(.first, where: condition))
            case .bidirectionalCollectionLast: return .expression(array.aggregate(.last, where: condition))
            default:
                let type = Root.Output.self as? any CountedCollection.Type
                if type?.isCount(keyPath) == true { return .expression(array.counted(where: condition)) }
                if type?.isEmptiness(keyPath) == true { return .predicate(array.none(condition)) }
                if case .members = array {
                    throw Unsupported(
                        "\(keyPath): the keys and the values of a dictionary have no order; isEmpty and count can be asked "
                            + "of them, and closures and contains(_:)")
                }
                throw Unsupported("\(keyPath) of filtered elements")
            }
        case .expression(let expression): return try part(keyPath, kind: kind, of: expression)
        case .predicate, .range, .chosen: throw Unsupported("\(keyPath)")
        }
    }

    private static func property(
        _ keyPath: AnyKeyPath, of path: LoweredPath, in model: ModelType
    ) throws -> LoweredValue {
        guard let ordinal = try stored(keyPath, of: model) else { return .row(path, model) }
        let longer = path.appending(model.properties[ordinal].name)
        guard let destination = model.properties[ordinal].destination.map({ ModelType.of($0) }) else {
            return .expression(longer.expression)
        }
        return model.properties[ordinal].isToMany
            ? .related(.path(longer), destination, where: nil) : .row(longer, destination)
    }

    /// A property of the first or the last of related rows, or of a row that it leads to: a to-many relationship, too.
    private static func property(
        _ keyPath: AnyKeyPath, of row: QueryExpression, in model: ModelType, store: String?
    ) throws -> LoweredValue {
        guard let ordinal = try stored(keyPath, of: model) else { return .end(row, model, store: store) }
        let property = model.properties[ordinal]
        let longer = QueryExpression.call(.element, [row, .constant(.string(property.name))])
        guard let destination = property.destination.map({ ModelType.of($0) }) else { return .expression(longer) }
        return property.isToMany
            ? .related(.computed(longer, store: store), destination, where: nil)
            : .end(longer, destination, store: store)
    }

    /// The ordinal of the stored property that a key path names; nil for the identifier.
    private static func stored(_ keyPath: AnyKeyPath, of model: ModelType) throws -> Int? {
        guard let ordinal = model.ordinal(of: keyPath) else {
            if model.isIdentifier(keyPath) { return nil }
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail:
                    "\(keyPath) is no stored property of \(model.entityName): computed and transient properties cannot be "
                    + "part of a fetch.")
        }
        if let transformer = model.properties[ordinal].transformer {
            throw SwiftDataError(
                .unsupportedKeyPath,
                detail:
                    "\(model.entityName).\(model.properties[ordinal].name) is stored as what \(transformer.name) makes of it, which only that can "
                    + "read: it cannot be part of a fetch.")
        }
        return ordinal
    }

    /// A part of a stored value.
    private static func part(
        _ keyPath: Swift.KeyPath<Root.Output, Output>, kind: CommonKeyPathKind?, of expression: QueryExpression
    ) throws -> LoweredValue {
        if let end = (Root.Output.self as? any TextOrData.Type)?.end(keyPath) {
            return .expression(.call(end, [expression]))
        }
        if Root.Output.self == String.self {
            switch kind {
            case .collectionIsEmpty:
                return .predicate(.comparison(expression, .equal, .constant(.string("")), .none))
            case .collectionCount: return .expression(.call(.length, [expression]))
            default: throw Unsupported("\(keyPath) of a string")
            }
        }
        if let kind, Root.Output.self is any Collection.Type, let array = LoweredArray(expression) {
            switch kind {
            case .collectionCount: return .expression(array.counted(where: nil))
            case .collectionIsEmpty: return .predicate(array.none(nil))
            case .collectionFirst: return .expression(.call(.first, [expression]))
            case .bidirectionalCollectionLast: return .expression(.call(.last, [expression]))
            @unknown default: break
            }
        }
        if let name = (Root.Output.self as? any StoredDictionary.Type)?.member(keyPath) {
            guard let array = LoweredArray(expression) else { throw Unsupported("\(keyPath) of what is computed") }
            return .elements(.members(array, name), where: .constant(true))
        }
        if let type = Root.Output.self as? any StoredWhole.Type {
            if kind == .collectionCount || type.isCount(keyPath) { return .expression(.call(.length, [expression])) }
            guard type.isEmptiness(keyPath) else {
                throw Unsupported("\(keyPath): of \(Root.Output.self) only isEmpty and count can be asked")
            }
            return .predicate(.comparison(expression, .equal, .constant(type.emptyValue), .none))
        }
        if let type = Root.Output.self as? any RawRepresentable.Type, type.isRawValue(keyPath) {
            return .expression(expression)
        }
        guard let name = keyPath.storedPropertyName, let longer = expression.appending(name) else {
            throw SwiftDataError(
                .unsupportedKeyPath, detail: "\(keyPath) is no stored property, and cannot be part of a fetch.")
        }
        return .expression(longer)
    }
}

/// Collections that have a count and an emptiness of their own, by key paths that Foundation does not name.
private protocol CountedCollection {
    /// Whether a key path is that of `isEmpty`.
    static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool
    /// Whether a key path is that of `count`.
    static func isCount(_ keyPath: AnyKeyPath) -> Bool
}

/// Collections that are compared as a whole.
private protocol StoredWhole: CountedCollection {
    static var emptyValue: LoamStorage.Value { get }
}

extension Dictionary: StoredWhole {
    fileprivate static var emptyValue: LoamStorage.Value { .dictionary([:]) }
    fileprivate static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
    fileprivate static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
}

extension Dictionary.Keys: CountedCollection {
    fileprivate static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
    fileprivate static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
}

extension Dictionary.Values: CountedCollection {
    fileprivate static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
    fileprivate static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
}

/// Dictionaries, whose elements are pairs.
private protocol StoredDictionary {
    /// The member of each pair that a key path of the dictionary leads to; nil where it is that of neither the keys nor
    /// the values.
    static func member(_ keyPath: AnyKeyPath) -> String?
}

extension Dictionary: StoredDictionary {
    fileprivate static func member(_ keyPath: AnyKeyPath) -> String? {
        keyPath == \Self.keys ? PairMember.key : keyPath == \Self.values ? PairMember.value : nil
    }
}

extension Data: StoredWhole {
    fileprivate static var emptyValue: LoamStorage.Value { .data(Data()) }
    fileprivate static func isEmptiness(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.isEmpty }
    fileprivate static func isCount(_ keyPath: AnyKeyPath) -> Bool { keyPath == \Self.count }
}

extension LoweredPath {
    /// The path that an expression is; nil where it is none.
    init?(_ expression: QueryExpression) {
        switch expression {
        case .keyPath(let names): self.init(names: names)
        case .outer(let inner):
            guard let path = LoweredPath(inner) else { return nil }
            self.init(names: path.names, levels: path.levels + 1)
        default: return nil
        }
    }

    func counted(where condition: QueryPredicate?) -> QueryExpression {
        QueryExpression.count(names, where: condition).outside(levels)
    }
}

extension QueryExpression {
    /// The member of a structured property, or of an element; nil where the expression is neither.
    fileprivate func appending(_ name: String) -> QueryExpression? {
        switch self {
        case .keyPath(let names): .keyPath(names + [name])
        // The element of an array.
        case .identifier: .keyPath([name])
        case .outer(let inner): inner.appending(name).map { .outer($0) }
        // An element that is a structure, or a member of one.
        case .call(let function, _) where function.isElement: .call(.element, [self, .constant(.string(name))])
        case .aggregate(let aggregate, _) where aggregate.isEnd: .call(.element, [self, .constant(.string(name))])
        default: nil
        }
    }
}

extension AnyKeyPath {
    /// The name of the stored property of a structure that a key path of one component leads to.
    ///
    /// Reflection knows the names of stored properties only; a key path prints as `\Address.street`.
    var storedPropertyName: String? {
        let text = debugDescription
        guard let name = text.split(separator: ".").last, !name.contains(">"), !name.contains("?") else { return nil }
        return String(name)
    }
}
