import LoamStorage

extension TypedPredicate {
    /// Whether the constants beside properties and the row's id are those of a shape, in its order: then they may be
    /// replaced by others of their kinds, and the predicate is what those are checked and normalized to.
    func hasConstants(of slots: [QueryShape.Slot]) -> Bool {
        var next = 0
        var isSame = true
        func check(_ value: Value, _ expected: Value) {
            if value.shapeMark != expected.shapeMark || value != expected { isSame = false }
        }
        _ = replacingConstants { value in
            defer { next += 1 }
            guard next < slots.count else { return value }
            switch slots[next] {
            case .constant(let expected): check(value, expected)
            case .list: isSame = false
            case .fixed: break
            }
            return value
        } lists: { values in
            guard next < slots.count, case .list(let expected) = slots[next] else { return nil }
            next += 1
            if values.count != expected.count { isSame = false }
            for (value, expected) in zip(values, expected) { check(value, expected) }
            return values
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
        } lists: { _ in
            guard case .list(let new) = slots[next] else { return nil }
            next += 1
            return new
        }
    }

    /// - Parameter lists: gives what takes the place of a list of constants; nil where they are asked for one by one.
    private func replacingConstants(
        _ body: (Value) -> Value, lists: ([Value]) -> [Value]?
    ) -> TypedPredicate {
        func replaced(_ expression: TypedExpression) -> TypedExpression {
            if case .constant(let value) = expression { .constant(body(value)) } else { expression }
        }
        switch self {
        case .constant, .exists, .hasElement, .existsElement: return self
        case .and(let parts): return .and(parts.map { $0.replacingConstants(body, lists: lists) })
        case .or(let parts): return .or(parts.map { $0.replacingConstants(body, lists: lists) })
        case .not(let part): return .not(part.replacingConstants(body, lists: lists))
        case .comparison(let left, let comparison, let right, let form):
            return .comparison(left, comparison, replaced(right), form)
        case .text(let left, let text, let right, let form): return .text(left, text, replaced(right), form)
        case .between(let value, let lower, let upper, let form):
            return .between(value, replaced(lower), replaced(upper), form)
        case .isIn(let value, let elements, let form):
            let list =
                elements.constants.map {
                    ElementList(constants: lists($0) ?? $0.map(body), besides: value.type, form: form)
                } ?? ElementList(elements.map(replaced), besides: value.type, form: form)
            return .isIn(value, list, form)
        }
    }
}
