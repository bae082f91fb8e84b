import LoamStorage

// Which index a condition or a path asks for, whatever indexes there are.

extension PropertyPath {
    /// The component of an index whose values a path or a function of one has; nil where there is none.
    var indexComponent: IndexDefinition.Component? {
        let expression: TypedExpression? = call == nil ? .property(self) : call?.typed
        return expression?.component(.exact)
    }
}

extension TypedPredicate {
    /// The component of an index that answers the condition with a range, or several, and whether that is single values.
    var indexComponent: (component: IndexDefinition.Component, isPoint: Bool)? {
        switch self {
        case .comparison(let operand, .equal, .constant, let form): operand.component(form).map { ($0, true) }
        case .comparison(_, .notEqual, _, _): nil
        case .comparison(let operand, _, .constant, let form): operand.component(form).map { ($0, false) }
        case .between(let operand, .constant, .constant, let form): operand.component(form).map { ($0, false) }
        case .isIn(let operand, let elements, let form) where elements.constants != nil:
            operand.component(form).map { ($0, true) }
        case .text(let operand, .beginsWith, .constant(.string), let form):
            operand.component(form).map { ($0, false) }
        case .text(let operand, .beginsWith, .constant(let value), let form)
        where operand.type == .data && value.bytes != nil:
            operand.component(form).map { ($0, false) }
        case .text(let operand, .like, .constant(.string(let pattern)), let form)
        where LikePattern.literalPrefix(of: pattern) != nil:
            operand.component(form).map { ($0, false) }
        case .or(let parts): Self.common(parts)
        case .and(let parts): parts.lazy.compactMap(\.indexComponent).first
        default: nil
        }
    }

    /// The one component that answers each part of an OR; nil where a part has none or another one.
    private static func common(
        _ parts: [TypedPredicate]
    ) -> (component: IndexDefinition.Component, isPoint: Bool)? {
        let found = parts.map(\.indexComponent)
        guard let first = found.first ?? nil, found.allSatisfy({ $0?.component == first.component }) else { return nil }
        return (first.component, found.allSatisfy { $0?.isPoint == true })
    }

    /// The index of trigrams that narrows the condition. Nil where none does, and for the beginning of a text, for which
    /// an ordered index does as well in much less room.
    var trigramIndex: IndexDefinition? {
        guard case .text(_, let text, _, _) = self, text != .beginsWith, let path = trigrams?.path, !path.isInElement
        else { return nil }
        return .trigrams(of: path.names.joined(separator: "."))
    }
}

extension TypedExpression {
    /// The component of an index whose values the expression has; nil where there is none.
    ///
    /// - Parameter form: in which strings are compared.
    fileprivate func component(_ form: StringForm) -> IndexDefinition.Component? {
        switch self {
        case .property(let path) where path.related == nil && !path.isInElement:
            IndexDefinition.Component(names: path.names, form: path.type == .string ? form : .exact)
        case .call(let call, .one(.property(let path)))
        where path.related == nil && !path.isInElement && call.function != .noIndex:
            IndexDefinition.Component(
                names: path.names, function: IndexFunction(call.function), form: call.type == .string ? form : .exact)
        case .call(let call, .two(.property(let path), .constant(.string(let zone))))
        where path.related == nil && !path.isInElement && call.zone != nil:
            IndexDefinition.Component(names: path.names, function: IndexFunction(call.function, timeZone: zone))
        default: nil
        }
    }
}
