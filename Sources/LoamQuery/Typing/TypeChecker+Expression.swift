import Foundation
import LoamStorage

extension TypeChecker {
    /// The typed form of `expression`; what is only literals takes the type of its neighbour.
    ///
    /// - Parameter neighbour: the type of what it is compared or combined with; nil when that has none.
    func typed(
        _ expression: QueryExpression, beside neighbour: ValueType?
    ) throws(QueryError) -> TypedExpression {
        switch expression {
        case .constant(let value): return .constant(try converted(value, beside: neighbour))
        case .number(let literal): return .constant(try converted(literal, beside: neighbour))
        case .identifier: return element.map(TypedExpression.property) ?? .identifier
        case .keyPath(let names): return try keyPath(names)
        case .conditional(let condition, let first, let second):
            let branches = try typedTogether([first, second], beside: neighbour)
            let choices = try inOneType(branches, in: expression).values
            return .conditional(try checked(condition), choices[0], choices[1])
        case .aggregate(let aggregate, let collection):
            return try self.aggregate(aggregate, of: collection, beside: neighbour, in: expression)
        case .variable(let name):
            throw QueryError(
                .unsupported("the variable $\(name) without a value, which withSubstitutionVariables gives it"),
                part: expression.description)
        case .call(let function, let arguments):
            return try call(function, arguments: arguments, beside: neighbour, in: expression)
        case .count(let names, let predicate): return try count(names, predicate: predicate)
        case .outer(let inner):
            return .outer(try outside(expression).typed(inner, beside: inner.isLiteral ? neighbour : nil))
        case .list: throw QueryError(.syntax(expected: "a single value, not a list"), part: expression.description)
        }
    }

    /// Parts that meet: what is only literals takes the type of the first that is not, or else of the neighbour.
    ///
    /// Each part is typed once: doing it twice at each level would double with the depth.
    func typedTogether(
        _ parts: [QueryExpression], beside neighbour: ValueType?
    ) throws(QueryError) -> [TypedExpression] {
        var known: [TypedExpression?] = []
        for part in parts { known.append(part.isLiteral ? nil : try typed(part, beside: nil)) }
        let type = known.lazy.compactMap { $0?.type }.first ?? neighbour
        var typedParts: [TypedExpression] = []
        for (part, known) in zip(parts, known) {
            if let known { typedParts.append(known) } else { typedParts.append(try typed(part, beside: type)) }
        }
        return typedParts
    }

    private func converted(_ value: Value, beside neighbour: ValueType?) throws(QueryError) -> Value {
        switch value {
        case .string(let text):
            guard let neighbour, neighbour.readsText else { return value }
            guard let converted = CastLiteral.value(of: text, as: neighbour) else {
                throw QueryError(.invalidLiteral(type: neighbour.description), part: value.formatText)
            }
            return converted
        case .array, .dictionary, .structure:
            throw QueryError(.argumentType(expected: "a single value"), part: value.formatText)
        default: return value
        }
    }

    private func converted(_ literal: NumberLiteral, beside neighbour: ValueType?) throws(QueryError) -> Value {
        let type = neighbour.flatMap { $0.isNumeric || $0 == .bool ? $0 : nil }
        guard let value = NumberTyping.value(of: literal, beside: type) else {
            throw QueryError(.invalidLiteral(type: neighbour?.description ?? "number"), part: literal.text)
        }
        return value
    }

    private func call(
        _ function: Function, arguments: [QueryExpression], beside neighbour: ValueType?, in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        let parameters = function.entry.parameters
        guard arguments.count == parameters.count else {
            throw QueryError(argumentsOf: function, part: whole.description)
        }
        if function == .now { return .constant(.date(now)) }
        if let value = try ofEndRow(whole) { return value }
        let typedArguments = try typed(arguments, as: parameters, beside: neighbour)
        if function == .element, case .structure(let members) = typedArguments[0].type {
            return try member(typedArguments, among: members, in: whole)
        }
        if let part = try part(function, of: typedArguments, in: whole) { return part }
        var types: [ValueType] = []
        for (argument, parameter) in zip(typedArguments, parameters) {
            types.append(try type(of: argument, as: parameter, of: function, in: whole))
        }
        let zone = function.entry.takesTimeZone ? try zone(typedArguments.last, in: whole) : nil
        guard let typedFunction = TypedFunction(function, of: types, in: zone),
            let operands = TypedExpression.Arguments(typedArguments)
        else {
            throw QueryError(.typeMismatch("\(function.entry.name) takes other arguments"), part: whole.description)
        }
        return folded(.call(typedFunction, operands))
    }

    /// The member of a structure that is an element, or a member, itself.
    private func member(
        _ arguments: [TypedExpression], among members: [ValueType.Member], in whole: QueryExpression
    ) throws(QueryError) -> TypedExpression {
        guard case .constant(.string(let name)) = arguments[1], let operands = TypedExpression.Arguments(arguments)
        else {
            throw QueryError(
                .typeMismatch("a structure is asked for a member by its name"), part: whole.description)
        }
        guard let function = TypedFunction(member: name, of: .structure(members)) else {
            throw QueryError(
                .unknownProperty(entity: entity.name), part: name,
                suggestion: NearestName.of(name, among: members.map(\.name)))
        }
        return folded(.call(function, operands))
    }

    /// The time zone that a constant names.
    private func zone(_ argument: TypedExpression?, in whole: QueryExpression) throws(QueryError) -> Zone {
        guard case .constant(.string(let name)) = argument else {
            throw QueryError(
                .typeMismatch("the time zone of a date is a text, as 'Europe/Berlin', and the same for all rows"),
                part: whole.description)
        }
        guard let zone = Zone(name) else {
            throw QueryError(
                .invalidLiteral(type: "the name of a time zone, as 'Europe/Berlin'"), part: name.debugDescription,
                suggestion: NearestName.of(name, among: TimeZone.knownTimeZoneIdentifiers))
        }
        return zone
    }

    /// The arguments of a function with their types. Where the function takes any numbers, literals take the type of
    /// the other arguments, or else of the neighbour. Where a parameter has one type, a literal takes that.
    private func typed(
        _ arguments: [QueryExpression], as parameters: [Function.Parameter], beside neighbour: ValueType?
    ) throws(QueryError) -> [TypedExpression] {
        if parameters.allSatisfy({ $0.type == nil }) {
            let takesFractions = parameters.allSatisfy { $0 == .number }
            return try typedTogether(arguments, beside: takesFractions ? neighbour : nil)
        }
        var typedArguments: [TypedExpression] = []
        for (argument, parameter) in zip(arguments, parameters) {
            typedArguments.append(try typed(argument, beside: parameter.type))
        }
        return typedArguments
    }

    /// Values of one type, numbers widened to what arithmetic carries them out in; the type is nil where all are nil.
    ///
    /// - Throws: ``QueryError`` where they are of several types, or of one that is not compared.
    func inOneType(
        _ values: [TypedExpression], in whole: QueryExpression
    ) throws(QueryError) -> (values: [TypedExpression], type: ValueType?) {
        let types = values.compactMap(\.type)
        guard let first = types.first else { return (values, nil) }
        for value in values where value.isComposite || value.isReference {
            throw QueryError(.typeMismatch("rows and collections are no values here"), part: whole.description)
        }
        if types.allSatisfy({ $0 == first }) { return (values, first) }
        for type in types where !(type.isNumeric && first.isNumeric) {
            throw QueryError(.typeMismatch("\(first) and \(type) are no values of one type"), part: whole.description)
        }
        let numbers = Arithmetic(of: types)
        let conversion: Function? = numbers == .double ? .toDouble : numbers == .decimal ? .toDecimal : nil
        guard let conversion else { return (values, numbers.type) }
        let widened = values.map { value in
            guard let type = value.type, type != numbers.type, let function = TypedFunction(conversion, of: [type])
            else {
                return value
            }
            return folded(.call(function, .one(value)))
        }
        return (widened, numbers.type)
    }

    /// Nil is of the type that the parameter has, among numbers an integer: any function of it gives nil.
    private func type(
        of argument: TypedExpression, as parameter: Function.Parameter, of function: Function, in whole: QueryExpression
    ) throws(QueryError) -> ValueType {
        if argument.constant?.isNull == true { return parameter.anyType }
        guard let type = argument.type, parameter.takes(type), !argument.isReference else {
            let name = function.entry.isSign ? "arithmetic" : function.entry.name
            let found = argument.type?.description ?? "collections"
            throw QueryError(
                .typeMismatch("\(name) applies to \(parameter.words), not to \(found)"), part: whole.description)
        }
        return type
    }

    /// The result where all operands are constants. An operation without one stays, so that its type is known.
    func folded(_ expression: TypedExpression) -> TypedExpression {
        let computed = expression.computed
        return computed.constant?.isNull == true ? expression : computed
    }
}

extension QueryExpression {
    /// Whether it is made of numbers and constants only.
    var isLiteral: Bool {
        switch self {
        case .constant, .number, .variable: return true
        case .keyPath, .identifier, .count, .conditional, .aggregate: return false
        case .call, .list, .outer:
            var isLiteral = true
            forEachChild { isLiteral = isLiteral && $0.isLiteral }
            return isLiteral
        }
    }
}

extension Function.Parameter {
    /// The type, where there is only one.
    fileprivate var type: ValueType? {
        if case .type(let type) = self { type } else { nil }
    }

    /// A type that it takes.
    fileprivate var anyType: ValueType {
        switch self {
        case .type(let type): type
        case .one(let types): types.first ?? .string
        case .measured: .string
        case .timeZone: .string
        case .array, .collection: .array(of: .int64, optional: true)
        case .number, .integer, .ordered, .key: .int64
        }
    }

    /// What it takes, in the words of an error.
    fileprivate var words: String {
        switch self {
        case .number: "numbers"
        case .integer: "whole numbers"
        case .type(let type): "values of type \(type)"
        case .one(let types): "values of type " + types.map(\.description).joined(separator: ", ")
        case .ordered: "values that have an order"
        case .array: "arrays"
        case .collection: "arrays and dictionaries"
        case .measured: "texts, data and dictionaries"
        case .key: "an index or a key"
        case .timeZone: "the name of a time zone"
        }
    }
}

extension Function.Entry {
    /// Whether it is written as a sign.
    fileprivate var isSign: Bool {
        switch notation {
        case .infix, .prefix: true
        case .call, .cast, .brackets: false
        }
    }
}

extension TypedExpression {
    /// Whether it is a structure, an array or a dictionary.
    var isComposite: Bool {
        switch self {
        case .constant(let value): value.isComposite
        case .property(let path): !path.type.isOrdered
        // An element that is a collection itself, or a structure.
        case .call(let function, _): !function.type.isOrdered
        case .aggregate(let aggregate): !aggregate.type.isOrdered
        case .related(_, let expression), .outer(let expression): expression.isComposite
        default: false
        }
    }

    /// Whether it is an array.
    var isArray: Bool {
        if case .array? = type { true } else { false }
    }

    /// Whether it is the row id that a to-one relationship leads to.
    var isReference: Bool {
        switch self {
        case .property(let path): path.isReference
        case .reference: true
        case .related(_, let expression), .outer(let expression): expression.isReference
        case .aggregate(let aggregate): aggregate.isRow
        default: false
        }
    }
}

extension TypedAggregate {
    /// Whether it is the first or the last of related rows, or a row that it refers to.
    fileprivate var isRow: Bool {
        guard aggregate.isEnd, case .rows(_, _, let value, _) = collection else { return false }
        return value == .identifier || value.isReference
    }
}

extension ValueType {
    /// Whether a string literal beside this type is read as a value of it.
    var readsText: Bool {
        switch self {
        case .date, .uuid, .url, .decimal: true
        default: false
        }
    }
}
