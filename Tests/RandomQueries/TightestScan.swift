import Foundation
import LoamQuery
import LoamStorage

/// What the leading components of an index can be asked for.
struct TightestScan {
    private var answers: [Answer] = []
    /// No more ranges than this can come of the components that single values are asked of.
    private(set) var pointLimit = 1

    /// Nil where nothing is asked of the first component, or where a constant may be longer than its share of a key.
    init?(_ index: Index, conjuncts: [TypedPredicate]) {
        for component in index.components {
            let concerned = conjuncts.filter { $0.paths.count == 1 && $0.paths.allSatisfy(component.isAt) }
            let answered = concerned.map { ($0, component.answer($0)) }
            let conditions = answered.filter { $1 != nil }.map(\.0)
            guard !conditions.isEmpty else { break }
            guard conditions.allSatisfy(\.fitsKey) else { return nil }
            answers += answered.compactMap(\.1)
            guard let points = conditions.compactMap(component.pointLimit).min() else { break }
            pointLimit *= max(1, points)
        }
        guard !answers.isEmpty else { return nil }
    }

    /// Whether the entry of a row lies in the tightest ranges.
    func admits(_ rowID: RowID, _ values: [Value]) -> Bool {
        let row = PlainRow(rowID: rowID, values: values)
        return answers.allSatisfy { $0.admits(row) }
    }
}

/// How an index component answers a condition.
private struct Answer {
    /// Whether the keys that it admits are those of the rows that the condition holds for.
    var isExact: Bool
    var admits: (PlainRow) -> Bool
}

extension IndexComponent {
    fileprivate func isAt(_ path: PropertyPath) -> Bool {
        path.property == property && path.members == self.path
    }

    /// Whether the component's values are those of the expression.
    private func isOf(_ expression: TypedExpression) -> Bool {
        switch expression {
        case .property(let path): definition.function == nil && isAt(path)
        case .call(let call, .one(.property(let path))):
            definition.function?.known == call.function && call.type == type && isAt(path)
        case .call(let call, .two(.property(let path), .constant)):
            definition.function?.known == call.function && call.zone != nil && isAt(path)
                && definition.function?.zone == call.zone
        default: false
        }
    }

    /// Nil where no range answers the condition.
    fileprivate func answer(_ predicate: TypedPredicate) -> Answer? {
        let form = definition.form
        switch predicate {
        case .constant(let value): return Answer(isExact: true) { _ in value }
        case .and(let parts):
            let answers = parts.map(answer)
            let known = answers.compactMap { $0 }
            guard !known.isEmpty else { return nil }
            let isExact = known.count == parts.count && known.allSatisfy(\.isExact)
            return Answer(isExact: isExact) { row in known.allSatisfy { $0.admits(row) } }
        case .or(let parts):
            let answers = parts.compactMap(answer)
            guard answers.count == parts.count else { return nil }
            return Answer(isExact: answers.allSatisfy(\.isExact)) { row in answers.contains { $0.admits(row) } }
        case .not(let part):
            guard let answer = answer(part), answer.isExact else { return nil }
            return Answer(isExact: true) { !answer.admits($0) }
        case .comparison(let operand, let comparison, .constant, let asked) where isOf(operand):
            guard type == .string else { return whole(predicate) }
            switch comparison {
            case .equal: return equality(predicate, of: operand, asked)
            case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
                return asked == form ? whole(predicate) : nil
            }
        case .between(let operand, .constant, .constant, let asked) where isOf(operand):
            return type != .string || asked == form ? whole(predicate) : nil
        case .isIn(let operand, let elements, let asked) where isOf(operand) && elements.areConstants:
            return type == .string ? equality(predicate, of: operand, asked) : whole(predicate)
        case .text(let operand, let text, .constant(let constant), let asked) where isOf(operand):
            return beginning(text, constant, asked).map { beginning in
                prefix(beginning, of: operand, isExact: beginning.isEmpty && text == .beginsWith)
            }
        default: return nil
        }
    }

    private func whole(_ predicate: TypedPredicate) -> Answer {
        Answer(isExact: true) { (try? predicate.holds(rowID: $0.rowID, values: $0.values)) ?? false }
    }

    /// Equality in the component's form, which what is equal in `asked` has to be equal in.
    private func equality(_ predicate: TypedPredicate, of operand: TypedExpression, _ asked: StringForm) -> Answer? {
        guard definition.form.covers(asked) else { return nil }
        if asked == definition.form { return whole(predicate) }
        let folded: TypedPredicate =
            switch predicate {
            case .comparison(_, _, let constant, _): .comparison(operand, .equal, constant, definition.form)
            // A list looks its elements up in the form that it is made for.
            case .isIn(_, let elements, _):
                .isIn(operand, ElementList(elements, besides: type, form: definition.form), definition.form)
            default: predicate
            }
        // Nil is nil in every form.
        return Answer(isExact: predicate.constants.allSatisfy(\.isNull), admits: whole(folded).admits)
    }

    /// What strings have to begin with; nil where that is not known, or where the keys do not tell.
    private func beginning(_ text: TextOperator, _ constant: Value, _ asked: StringForm) -> String? {
        guard definition.form != .localizedStandard, definition.form.covers(asked), case .string(let pattern) = constant
        else { return nil }
        switch text {
        case .beginsWith: return pattern
        case .like where !pattern.contains("\\"):
            let literal = String(pattern.prefix { $0 != "*" && $0 != "?" })
            return literal.isEmpty ? nil : literal
        default: return nil
        }
    }

    /// Strings whose bytes in the component's form begin with those of another.
    private func prefix(_ beginning: String, of operand: TypedExpression, isExact: Bool) -> Answer {
        let (form, bytes) = (definition.form, StringForms.bytes(of: beginning, form: definition.form))
        return Answer(isExact: isExact) { row in
            guard case .string(let text)? = try? operand.value(in: row, nil) else { return false }
            return StringForms.bytes(of: text, form: form).starts(with: bytes)
        }
    }

    /// To how many single values a condition narrows the component at most; nil where to none.
    fileprivate func pointLimit(_ predicate: TypedPredicate) -> Int? {
        switch predicate {
        case .constant(false): return 0
        case .comparison(_, .equal, _, _): return 1
        case .comparison(_, .notEqual, _, _) where type == .bool: return 2
        case .isIn(_, let elements, _): return elements.count
        case .or(let parts):
            let limits = parts.compactMap(pointLimit)
            return limits.count == parts.count ? limits.reduce(0, +) : nil
        case .and(let parts): return parts.filter { answer($0) != nil }.compactMap(pointLimit).min()
        default: return nil
        }
    }
}

extension StringForm {
    /// Whether strings that are equal in `other` are equal in this form too.
    fileprivate func covers(_ other: StringForm) -> Bool {
        switch (self, other) {
        case (.localizedStandard, _), (_, .localizedStandard): self == other
        case (_, .exact), (.caseAndDiacriticFolded, _): true
        default: self == other
        }
    }
}

extension TypedPredicate {
    /// The parts that all must hold.
    var parts: [TypedPredicate] {
        if case .and(let parts) = self { parts.flatMap(\.parts) } else { [self] }
    }

    /// All that it reads of its row; nothing where it reads more than paths.
    fileprivate var paths: Set<PropertyPath> {
        switch self {
        case .constant, .exists, .hasElement, .existsElement: []
        case .and(let parts), .or(let parts):
            parts.contains { $0.paths.isEmpty } ? [] : Set(parts.flatMap(\.paths))
        case .not(let part): part.paths
        default: Set(operands.compactMap(\.path))
        }
    }

    private var operands: [TypedExpression] {
        switch self {
        case .comparison(let left, _, let right, _), .text(let left, _, let right, _): [left, right]
        case .between(let value, let lower, let upper, _): [value, lower, upper]
        case .isIn(let value, let elements, _): [value] + elements
        case .and(let parts), .or(let parts): parts.flatMap(\.operands)
        case .not(let part): part.operands
        case .constant, .exists, .hasElement, .existsElement: []
        }
    }

    fileprivate var constants: [Value] {
        operands.compactMap { if case .constant(let value) = $0 { value } else { nil } }
    }

    /// Whether all constants are short enough for a component's share of a key, whatever form they are in.
    fileprivate var fitsKey: Bool {
        constants.allSatisfy { value in
            switch value {
            case .string(let text): text.utf8.count <= 40
            case .url(let url): url.absoluteString.utf8.count <= 40
            case .data(let data): data.count <= 40
            default: true
            }
        }
    }
}

extension TypedExpression {
    /// The path whose value it is or is made of alone.
    fileprivate var path: PropertyPath? {
        switch self {
        case .property(let path): path
        case .call(_, .one(let argument)), .call(_, .two(let argument, .constant)): argument.path
        default: nil
        }
    }
}
