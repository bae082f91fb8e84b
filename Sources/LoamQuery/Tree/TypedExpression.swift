package import LoamStorage

/// An expression whose parts are known to fit the entity.
package indirect enum TypedExpression: Hashable, Sendable {
    case constant(Value)
    case property(PropertyPath)
    /// The row id.
    case identifier
    /// A function, with arguments of the types that it takes here.
    case call(TypedFunction, Arguments)
    /// A property or reference at the end of to-one relationships; nil where one of them leads nowhere.
    case related([RelationHop], TypedExpression)
    /// The row id that a to-one relationship leads to, where a property does not simply say it.
    case reference(RelationHop)
    /// The number of rows that the last relationship leads to, or of those for which the predicate holds. Only the last
    /// one is to-many; nil where one before it leads nowhere.
    case count([RelationHop], TypedPredicate?)
    /// What is made of several values.
    case aggregate(TypedAggregate)
    /// The first expression where the predicate holds, else the second.
    case conditional(TypedPredicate, TypedExpression, TypedExpression)
    /// In the predicate of a count: an expression of the row around.
    case outer(TypedExpression)
}

/// An aggregate with the values that it is made of.
package struct TypedAggregate: Hashable, Sendable {
    package let aggregate: Aggregate
    package let collection: TypedCollection
    /// The type of the result.
    package let type: ValueType
    /// The numbers in which it adds.
    let numbers: Arithmetic
    /// The member of each element that it is made of; nil where it is made of the elements.
    let member: PropertyPath?

    /// Nil where there is no such aggregate of values of this type.
    ///
    /// - Parameter type: of the values.
    init?(
        _ aggregate: Aggregate, of collection: TypedCollection, valueType type: ValueType,
        member: PropertyPath? = nil
    ) {
        self.aggregate = aggregate
        self.collection = collection
        self.member = member
        numbers = Arithmetic(of: [type])
        switch aggregate {
        case .count: self.type = .int64
        case .first, .last: self.type = type
        case .min, .max, .mode:
            guard type.isOrdered, type != .bool else { return nil }
            self.type = type
        case .sum:
            guard type.isNumeric else { return nil }
            self.type = numbers.type
        case .average, .median:
            guard type.isNumeric else { return nil }
            self.type = numbers == .decimal ? .decimal : .double
        case .deviation:
            guard type.isNumeric else { return nil }
            self.type = .double
        }
    }

    init(_ other: TypedAggregate, of collection: TypedCollection) {
        (aggregate, type, numbers) = (other.aggregate, other.type, other.numbers)
        member = other.member
        self.collection = collection
    }

    /// Whether some row may make it nil: where there are no values, no array, or no row at which relationships begin.
    var isOptional: Bool {
        switch collection {
        case .elements(let array, _) where array.isOptional: true
        case .rows(let hops, _, _, let start?) where hops.count > 1 || start.withoutOuter != .identifier: true
        case .list, .elements, .rows: aggregate != .count
        }
    }
}

/// The values that an aggregate is made of.
package indirect enum TypedCollection: Hashable, Sendable {
    case list([TypedExpression])
    /// The value of an expression at each row at the end of relationships for which the predicate holds.
    ///
    /// - from: the id of the row further out at which the relationships begin; nil where they begin at this one. The row
    ///   around the predicate is this one in any case.
    case rows([RelationHop], TypedPredicate, value: TypedExpression, from: TypedExpression?)
    /// The elements of an array, the characters of a text or the bytes of data for which the predicate holds.
    case elements(TypedExpression, TypedPredicate)
}

extension TypedCollection {
    /// How many counts further out the row lies at which relationships begin, or of which the row is computed at which they
    /// do; nil where it is known by its id already, and for what is no related row.
    var startLevel: Int? {
        switch self {
        case .rows(_, _, _, nil): 0
        case .rows(_, _, _, let from?): from.constant == nil ? from.outerLevels : nil
        case .list, .elements: nil
        }
    }
}

extension TypedExpression {
    /// How many counts further out the row lies of which the expression is.
    fileprivate var outerLevels: Int {
        if case .outer(let expression) = self { expression.outerLevels + 1 } else { 0 }
    }

    /// The expression of the row further out.
    var withoutOuter: TypedExpression {
        if case .outer(let expression) = self { expression.withoutOuter } else { self }
    }

    /// The expression as it is written so many counts further in.
    func outside(_ levels: Int) -> TypedExpression {
        levels > 0 ? .outer(outside(levels - 1)) : self
    }

    /// The arguments of a call: no array, since evaluating counts the references of every one that it comes by.
    package enum Arguments: Hashable, Sendable {
        case one(TypedExpression)
        case two(TypedExpression, TypedExpression)

        /// Makes the arguments of a function; nil for none and for more than two, which no function takes.
        init?(_ arguments: [TypedExpression]) {
            switch arguments.count {
            case 1: self = .one(arguments[0])
            case 2: self = .two(arguments[0], arguments[1])
            default: return nil
            }
        }

        var all: [TypedExpression] {
            switch self {
            case .one(let argument): [argument]
            case .two(let first, let second): [first, second]
            }
        }

        func map(_ body: (TypedExpression) throws -> TypedExpression) rethrows -> Arguments {
            switch self {
            case .one(let argument): .one(try body(argument))
            case .two(let first, let second): .two(try body(first), try body(second))
            }
        }
    }

    /// The type of the result; nil for the constant nil.
    package var type: ValueType? {
        switch self {
        case .constant(let value): value.scalarType
        case .property(let path): path.type
        case .identifier, .reference: .uint64
        case .count: .int64
        case .related(_, let expression), .outer(let expression): expression.type
        case .call(let function, _): function.type
        case .aggregate(let aggregate): aggregate.type
        case .conditional(_, let first, let second): first.type ?? second.type
        }
    }

    /// Whether some row may make it nil.
    var isOptional: Bool {
        switch self {
        case .constant(let value): value.isNull
        case .property(let path): path.isOptional
        case .identifier: false
        case .call(let function, let arguments): !function.isTotal || arguments.all.contains(where: \.isOptional)
        case .outer(let expression): expression.isOptional
        case .aggregate(let aggregate): aggregate.isOptional
        case .conditional(_, let first, let second): first.isOptional || second.isOptional
        case .related, .reference: true
        case .count(let hops, _): hops.count > 1
        }
    }

    /// Whether some row may make it a NaN.
    var mayBeNaN: Bool {
        switch self {
        case .constant(.date): false
        default: type.map { $0.isFloatingPoint || $0 == .decimal || $0 == .date } ?? false
        }
    }

    var isConstant: Bool {
        if case .constant = self { true } else { false }
    }

    var constant: Value? {
        if case .constant(let value) = self { value } else { nil }
    }
}
