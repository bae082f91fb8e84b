package import LoamStorage

/// A function of what a key path leads to: what an order, a section or a column can be made of beside key paths.
///
/// An object, so that a path that is no function keeps one word for it.
package final class PathCall: Hashable, Sendable {
    package let function: TypedFunction
    /// No function itself.
    package let argument: PropertyPath
    /// The identifier of the time zone in which it takes a date, as it was written; nil for functions of other values.
    /// Names of one zone make the same function, which has the zone.
    let timeZone: String?

    private init(_ function: TypedFunction, of argument: PropertyPath, timeZone: String?) {
        (self.function, self.argument, self.timeZone) = (function, argument, timeZone)
    }

    /// Nil for an expression that is anything but one function of one key path.
    convenience init?(_ expression: TypedExpression) {
        switch expression {
        case .call(let function, .one(let argument)):
            guard let argument = PropertyPath(argument) else { return nil }
            self.init(function, of: argument, timeZone: nil)
        case .call(let function, .two(let argument, .constant(.string(let timeZone)))) where function.zone != nil:
            guard let argument = PropertyPath(argument) else { return nil }
            self.init(function, of: argument, timeZone: timeZone)
        default: return nil
        }
    }

    /// The call as predicates write it.
    var expression: QueryExpression {
        let zone = timeZone.map { [QueryExpression.constant(.string($0))] } ?? []
        return .call(function.function, [.keyPath(argument.names)] + zone)
    }

    /// The call in a predicate that was checked; nil for one of another row's value.
    var typed: TypedExpression? {
        guard argument.related == nil else { return nil }
        let value = TypedExpression.property(argument)
        return .call(function, timeZone.map { .two(value, .constant(.string($0))) } ?? .one(value))
    }

    package static func == (left: PathCall, right: PathCall) -> Bool {
        left === right || left.function == right.function && left.argument == right.argument
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(function.function)
        hasher.combine(argument)
    }
}

extension PropertyPath {
    /// The path that an expression is; nil where it is anything else.
    fileprivate init?(_ expression: TypedExpression) {
        switch expression {
        case .property(let path): self = path
        case .related(let hops, .property(let leaf)): self.init(hops, leaf: leaf)
        default: return nil
        }
    }
}
