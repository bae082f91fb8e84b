import LoamStorage

/// The characters of texts and the bytes of data, which are asked for as elements of an array are, and what lies in
/// collections one behind the other.
extension TypeChecker {
    /// `name[FIRST]` and `name[LAST]` of a text or of data; nil for any other call.
    func part(
        _ function: Function, of arguments: [TypedExpression], in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression? {
        guard let text = arguments.first, text.type == .string || text.type == .data else { return nil }
        switch function {
        case .first: return try end(.first, of: text, in: whole)
        case .last: return try end(.last, of: text, in: whole)
        default: return nil
        }
    }

    private func end(
        _ aggregate: Aggregate, of text: TypedExpression, in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        guard let type = text.type?.sequence?.type,
            let typed = TypedAggregate(aggregate, of: .elements(text, .constant(true)), valueType: type)
        else { throw QueryError(.typeMismatch("only arrays, texts and data have elements"), part: whole.description) }
        return .aggregate(typed)
    }

    /// BEGINSWITH, ENDSWITH or CONTAINS of two collections: whether the elements of the right one lie in the left one, one
    /// behind the other. Nil where the right side is an element, as in `tags CONTAINS 'a'`, and where the left one is no
    /// such collection.
    func run(
        of right: QueryExpression, in left: TypedExpression, text: TextOperator, options: StringOptions,
        predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate? {
        guard text.findsRuns, left.type != .string, let (type, _) = left.type?.sequence, !left.isReference else {
            return nil
        }
        let form = type == .string ? options.form : .exact
        if right.isCompositeLiteral {
            guard text != .contains || !right.mayBe(type) else { return nil }
            let list = try composite(right, as: .array(of: type, optional: true), in: predicate)
            return .text(left, text, list, form)
        }
        guard text != .contains || left.type == .data || right.mayBeCollection else { return nil }
        let other = try typed(right, beside: left.type)
        if other.constant?.isNull == true { return text == .contains && left.isArray ? nil : .constant(false) }
        guard other.type != .string, let found = other.type?.sequence?.type, found.isLike(type) else {
            guard text != .contains || left.type == .data else { return nil }
            throw mismatch(
                "\(text.rawValue) applies to two strings, or to two collections of one type", part: predicate)
        }
        return .text(left, text, other, form)
    }

    /// The same where the left side is written down.
    func run(
        of right: QueryExpression, inLiteral left: QueryExpression, text: TextOperator, options: StringOptions,
        predicate: QueryPredicate
    ) throws(QueryError) -> TypedPredicate? {
        guard text.findsRuns, left.isCompositeLiteral, !right.isCompositeLiteral else { return nil }
        let other = try typed(right, beside: nil)
        guard other.type != .string, let (type, _) = other.type?.sequence else {
            throw mismatch(
                "\(text.rawValue) applies to two strings, or to two collections of one type", part: predicate)
        }
        let list = try composite(left, as: .array(of: type, optional: true), in: predicate)
        return .text(list, text, other, type == .string ? options.form : .exact)
    }
}

extension ValueType {
    /// The type of what lies in a collection of this type one behind the other: the elements of an array, the characters
    /// of a text, the bytes of data. Nil for any other type.
    fileprivate var sequence: (type: ValueType, isOptional: Bool)? { isDictionary ? nil : parts }

    /// The type of what lies in a collection of this type: as for a ``sequence``, and for a dictionary that of its pairs,
    /// structures of a key and a value. Nil for any other type.
    var parts: (type: ValueType, isOptional: Bool)? {
        switch self {
        case .array(let type, let isOptional): return (type, isOptional)
        case .dictionary(let key, let value, let isOptional):
            let members = [
                ValueType.Member(name: PairMember.key, type: key),
                ValueType.Member(name: PairMember.value, type: value, isOptional: isOptional),
            ]
            return (.structure(members), false)
        case .string: return (.string, false)
        case .data: return (.uint8, false)
        default: return nil
        }
    }

    var isDictionary: Bool { if case .dictionary = self { true } else { false } }
}

extension QueryExpression {
    /// Whether what is written down may be an element of this type: `{1}` is one of an array of arrays, `{{1}}` is not.
    fileprivate func mayBe(_ type: ValueType) -> Bool {
        switch (withoutOuter, type) {
        case (.list(let elements), .array(let element, _)):
            elements.allSatisfy { $0.withoutOuter.isCompositeLiteral ? $0.mayBe(element) : true }
        case (.constant(let value), _): value.mayBe(type)
        default: false
        }
    }

    /// Whether it may be a collection, as far as that can be seen without a look at the entity: what is written in a way
    /// that leads to one.
    fileprivate var mayBeCollection: Bool {
        switch self {
        case .keyPath, .identifier: true
        case .outer(let inner): inner.mayBeCollection
        case .aggregate(let aggregate, _): aggregate.isEnd
        case .call(let function, let arguments):
            function.isElement && arguments.first?.mayBeCollection == true
                && arguments.dropFirst().allSatisfy { $0.isLiteral || $0.mayBeCollection }
        default: false
        }
    }
}

extension Value {
    fileprivate func mayBe(_ type: ValueType) -> Bool {
        switch (self, type) {
        case (.array(let elements), .array(let element, _)):
            elements.allSatisfy { $0.isComposite ? $0.mayBe(element) : true }
        case (.dictionary, .dictionary), (.structure, .structure): true
        default: false
        }
    }
}
