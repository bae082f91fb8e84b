import LoamStorage

@testable import LoamQuery

/// What the programs of some predicates are made of: for a test that none is left out.
struct NodeInventory {
    /// The steps that work on one row alone. What follows relationships has its table in `RelationAllocationTests` and
    /// `JoinAllocationTests`, and what is evaluated as it is written is not compiled.
    enum Step: CaseIterable {
        case isNull, signed, unsigned, floating, text, identifier, compare, matches, texts, isOne, hasElement
        case existsElement, isKept, load, constant, rowID, call, callOfTwo, parameter, aggregate, keep
    }

    private(set) var functions: Set<Function> = []
    private(set) var aggregates: Set<Aggregate> = []
    private(set) var texts: Set<TextOperator> = []
    private(set) var steps: Set<Step> = []

    mutating func add(_ predicate: TypedPredicate) throws {
        let filter = try Filter(predicate)
        var compiler = FilterCompiler(RepeatedExpressions(in: filter))
        _ = try compiler.append(filter, ifTrue: FilterProgram.accept, ifFalse: FilterProgram.reject)
        for step in compiler.steps { add(step.instruction) }
        find(in: predicate)
    }

    private mutating func add(_ instruction: FilterInstruction) {
        guard let step = Self.step(instruction) else { return }
        steps.insert(step)
        switch instruction {
        case .call(let function, _), .callOfTwo(let function, _, _):
            functions.insert(function.takeUnretainedValue().function.function)
        case .aggregate(let step, _):
            aggregates.insert(step.takeUnretainedValue().aggregate)
            if case .elements(let inner) = step.takeUnretainedValue().source, inner.program?.parameters.isEmpty == false
            {
                steps.insert(.parameter)
            }
        case .existsElement(let step, _):
            if step.takeUnretainedValue().program?.parameters.isEmpty == false { steps.insert(.parameter) }
        default: break
        }
    }

    private mutating func find(in predicate: TypedPredicate) {
        if case .text(_, let text, _, _) = predicate { texts.insert(text) }
        predicate.forEachChild(predicate: { find(in: $0) }, expression: { _ in })
    }

    private static func step(_ instruction: FilterInstruction) -> Step? {
        switch instruction {
        case .isNull: .isNull
        case .signed: .signed
        case .unsigned: .unsigned
        case .floating: .floating
        case .text: .text
        case .identifier: .identifier
        case .compare: .compare
        case .matches: .matches
        case .texts: .texts
        case .isOne: .isOne
        case .hasElement: .hasElement
        case .existsElement: .existsElement
        case .isKept: .isKept
        case .load: .load
        case .constant: .constant
        case .rowID: .rowID
        case .call: .call
        case .callOfTwo: .callOfTwo
        case .parameter: .parameter
        case .aggregate: .aggregate
        case .keep: .keep
        case .exists, .remembered, .general, .related, .reference, .count, .evaluated, .result: nil
        }
    }
}
