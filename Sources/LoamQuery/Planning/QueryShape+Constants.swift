import LoamStorage

extension TypedPredicate {
    /// Whether the constants beside properties and the row's id are those of a shape, in its order: then they may be
    /// replaced by others of their kinds, and the predicate is what those are checked and normalized to.
    func hasConstants(of slots: [QueryShape.Slot]) -> Bool {
        var next = 0
        var isSame = true
        _ = replacingConstants { value in
            if next < slots.count, case .constant(let expected) = slots[next],
                value.shapeMark != expected.shapeMark || value != expected
            {
                isSame = false
            }
            next += 1
            return value
        }
        return isSame && next == slots.count
    }

    /// The predicate with the constants of the same shape.
    func replacingConstants(by slots: [QueryShape.Slot]) -> TypedPredicate {
        var next = 0
        return replacingConstants { value in
            defer { next += 1 }
            if case .constant(let new) = slots[next] { return new }
            return value
        }
    }

    private func replacingConstants(_ body: (Value) -> Value) -> TypedPredicate {
        func replaced(_ expression: TypedExpression) -> TypedExpression {
            if case .constant(let value) = expression { .constant(body(value)) } else { expression }
        }
        switch self {
        case .constant, .exists, .hasElement, .existsElement: return self
        case .and(let parts): return .and(parts.map { $0.replacingConstants(body) })
        case .or(let parts): return .or(parts.map { $0.replacingConstants(body) })
        case .not(let part): return .not(part.replacingConstants(body))
        case .comparison(let left, let comparison, let right, let form):
            return .comparison(left, comparison, replaced(right), form)
        case .text(let left, let text, let right, let form): return .text(left, text, replaced(right), form)
        case .between(let value, let lower, let upper, let form):
            return .between(value, replaced(lower), replaced(upper), form)
        case .isIn(let value, let elements, let form):
            let list =
                elements.constants.map { ElementList(constants: $0.map(body), besides: value.type, form: form) }
                ?? ElementList(elements.map(replaced), besides: value.type, form: form)
            return .isIn(value, list, form)
        }
    }
}
