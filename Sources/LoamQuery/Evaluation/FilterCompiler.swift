import LoamStorage

/// Makes the steps of a ``FilterProgram``, from the last to the first, so that the steps they lead to are there.
struct FilterCompiler {
    private(set) var steps: [FilterStep] = []
    /// Keeps what the steps point at alive: they retain nothing themselves.
    private(set) var operands: [AnyObject] = []
    private(set) var registerCount = 0
    /// The expressions of the row around that the program reads, in the order of its parameters.
    private(set) var parameters: [TypedExpression] = []
    /// Their places: a list may have many.
    private var parameterNumbers: [TypedExpression: Int] = [:]
    /// Whether something that reads the row around is evaluated as it is written: then whoever would call the program
    /// has to do so too.
    private(set) var isOpen = false
    /// The expressions that are computed once for a row, wherever they stand.
    private let repeated: RepeatedExpressions
    /// The first register that tests may use: those before it have values that are needed behind the test.
    private var base = 0

    init(_ repeated: RepeatedExpressions) { self.repeated = repeated }

    /// How many values a program keeps from where they are computed to the end of the row.
    var keptCount: Int { repeated.places.count }

    /// Returns the step that the filter begins with.
    mutating func append(_ filter: Filter, ifTrue: Int32, ifFalse: Int32) throws -> Int32 {
        switch filter {
        case .constant(let value): return value ? ifTrue : ifFalse
        case .all(let parts):
            return try parts.reversed().reduce(ifTrue) { try append($1, ifTrue: $0, ifFalse: ifFalse) }
        case .any(let parts):
            return try parts.reversed().reduce(ifFalse) { try append($1, ifTrue: ifTrue, ifFalse: $0) }
        case .not(let part): return try append(part, ifTrue: ifFalse, ifFalse: ifTrue)
        case .isNull(let path): return add(.isNull(field(path)), ifTrue, ifFalse)
        case .signed(let path, let comparison, let constant):
            return add(.signed(field(path), comparison, constant), ifTrue, ifFalse)
        case .unsigned(let path, let comparison, let constant):
            return add(.unsigned(field(path), comparison, constant), ifTrue, ifFalse)
        case .floating(let path, let comparison, let constant):
            return add(.floating(field(path), comparison, constant), ifTrue, ifFalse)
        case .text(let path, let matcher): return add(.text(field(path), keep(matcher)), ifTrue, ifFalse)
        case .identifier(let values): return add(.identifier(keep(values)), ifTrue, ifFalse)
        case .remembered(let path, let test):
            let inner = RememberedTest(path, try FilterProgram(test))
            return add(.remembered(keep(inner)), ifTrue, ifFalse)
        case .general(let predicate): return general(predicate, ifTrue, ifFalse)
        case .comparison, .between, .computedText, .texts, .isOne, .isAny, .hasElement, .exists, .existsElement:
            return try appendComputed(filter, ifTrue: ifTrue, ifFalse: ifFalse)
        }
    }

    /// A test of computed values: these come first, in registers from ``base`` on.
    private mutating func appendComputed(_ filter: Filter, ifTrue: Int32, ifFalse: Int32) throws -> Int32 {
        let (first, second) = (Register(base), Register(base + 1))
        switch filter {
        case .comparison(let left, let comparison, let right, let form):
            return try append([left, right], next: add(.compare(first, comparison, second, form), ifTrue, ifFalse))
        case .between(let value, let lower, let upper, let form):
            let isBelow = add(.compare(first, .lessOrEqual, second, form), ifTrue, ifFalse)
            let top = try append(upper, into: base + 1, next: isBelow)
            let isAbove = add(.compare(first, .greaterOrEqual, second, form), top, ifFalse)
            return try append([value, lower], next: isAbove)
        case .computedText(let value, let matcher):
            return try append([value], next: add(.matches(first, keep(matcher)), ifTrue, ifFalse))
        case .texts(let left, let text, let right, let form):
            return try append([left, right], next: add(.texts(first, text, second, form), ifTrue, ifFalse))
        case .isOne(let value, let values):
            return try append([value], next: add(.isOne(first, keep(values)), ifTrue, ifFalse))
        case .isAny(let value, let elements, let form):
            let test = try elements.reversed().reduce(ifFalse) { next, element in
                let test = add(.compare(first, .equal, second, form), ifTrue, next)
                return try append(element, into: base + 1, next: test)
            }
            return try append([value], next: test)
        case .hasElement(let path, let element, let form):
            return try append([element], next: add(.hasElement(field(path), first, form), ifTrue, ifFalse))
        default: return try appendQuantified(filter, ifTrue: ifTrue, ifFalse: ifFalse)
        }
    }

    /// A test of other rows or of elements, with a program of its own.
    private mutating func appendQuantified(_ filter: Filter, ifTrue: Int32, ifFalse: Int32) throws -> Int32 {
        switch filter {
        case .exists(let hops, let predicate):
            guard let (step, outer) = try related(hops, predicate) else {
                return general(.exists(hops, predicate), ifTrue, ifFalse)
            }
            return try append(outer, next: add(.exists(keep(step), Register(base)), ifTrue, ifFalse))
        case .existsElement(let array, let predicate):
            guard let (program, outer) = try inside(predicate) else {
                return general(.existsElement(array, predicate), ifTrue, ifFalse)
            }
            let step = keep(ElementStep(program))
            return try append([array] + outer, next: add(.existsElement(step, Register(base)), ifTrue, ifFalse))
        default: throw QueryError(.unsupported("a filter of this kind"))
        }
    }

    // MARK: Values

    /// Appends expressions whose values the registers from `first` on take, or those that tests use.
    mutating func append(_ values: [TypedExpression], from first: Int? = nil, next: Int32) throws -> Int32 {
        let first = first ?? base
        use(Register(first))
        var next = next
        for (offset, value) in values.enumerated().reversed() {
            next = try append(value, into: first + offset, next: next)
        }
        return next
    }

    /// Appends an expression whose value a register takes; those behind it may be overwritten.
    mutating func append(_ expression: TypedExpression, into number: Int, next: Int32) throws -> Int32 {
        let register = Register(number)
        use(register)
        guard let place = repeated.places[expression] else {
            return try appendAnew(expression, into: number, next: next)
        }
        let computed = try appendAnew(expression, into: number, next: add(.keep(Int32(place), register), next))
        return add(.isKept(Int32(place), register), next, computed)
    }

    private mutating func appendAnew(
        _ expression: TypedExpression, into number: Int, next: Int32
    ) throws -> Int32 {
        let register = Register(number)
        switch expression {
        case .constant(let value): return add(.constant(keep(FilterConstant(value)), register), next)
        case .property(let path) where path.related == nil:
            return add(.load(field(FilterPath(path)), register), next)
        case .identifier: return add(.rowID(register), next)
        case .call(let function, let arguments):
            return try append(function, arguments, into: number, next: next)
        case .conditional(let predicate, let first, let second):
            let whenFalse = try append(second, into: number, next: next)
            let whenTrue = try append(first, into: number, next: next)
            let outerBase = base
            base = number
            defer { base = outerBase }
            return try append(Filter(predicate, isInside: true), ifTrue: whenTrue, ifFalse: whenFalse)
        case .aggregate(let aggregate): return try append(aggregate, into: number, next: next)
        case .related(let hops, let value):
            let program = try FilterProgram(value)
            guard !program.isOpen else { return general(expression, register, next) }
            // What it reads of a row around is read of the same row here.
            let step = add(.related(keep(RelatedStep(hops, program)), register), next)
            return try append(program.parameters.map(TypedExpression.outer), from: number, next: step)
        case .reference(let hop): return add(.reference(keep(RelatedStep([hop], nil)), register), next)
        case .count(let hops, let predicate):
            guard let (step, outer) = try related(hops, predicate) else { return general(expression, register, next) }
            return try append(outer, from: number, next: add(.count(keep(step), register), next))
        case .outer(let value):
            let parameter = parameterNumbers[value] ?? parameters.count
            if parameter == parameters.count {
                parameters.append(value)
                parameterNumbers[value] = parameter
            }
            return add(.parameter(parameter, register), next)
        default: return general(expression, register, next)
        }
    }

    private mutating func append(
        _ function: TypedFunction, _ arguments: TypedExpression.Arguments, into number: Int, next: Int32
    ) throws -> Int32 {
        let register = Register(number)
        let function = keep(FilterFunction(function))
        switch arguments {
        case .one(let argument):
            return try append(argument, into: number, next: add(.call(function, register), next))
        case .two(let first, let second):
            let step = add(.callOfTwo(function, register + 1, register), next)
            return try append([first, second], from: number, next: step)
        }
    }

    /// The step behind relationships, and what its program reads of the row that they begin at; nil where the predicate
    /// has to be evaluated as it is written.
    private func related(
        _ hops: [RelationHop], _ predicate: TypedPredicate?
    ) throws -> (step: RelatedStep, parameters: [TypedExpression])? {
        guard let predicate, let (program, parameters) = try inside(predicate) else {
            return predicate == nil ? (RelatedStep(hops, nil), []) : nil
        }
        return (RelatedStep(hops, program), parameters)
    }

    /// The program about other rows or about elements, and what it reads of the row around; no program where all of them
    /// will do, and nil where the predicate has to be evaluated as it is written.
    private func inside(
        _ predicate: TypedPredicate
    ) throws -> (program: FilterProgram?, parameters: [TypedExpression])? {
        guard predicate != .constant(true) else { return (nil, []) }
        let program = try FilterProgram(Filter(predicate, isInside: true))
        return program.isOpen ? nil : (program, program.parameters)
    }

    private mutating func append(_ aggregate: TypedAggregate, into number: Int, next: Int32) throws -> Int32 {
        let register = Register(number)
        var inputs: [TypedExpression] = []
        let source: AggregateStep.Source
        switch aggregate.collection {
        case .list(let values): (source, inputs) = (.registers(values.count), values)
        case .elements(let array, let predicate):
            guard let (program, outer) = try inside(predicate) else {
                return general(.aggregate(aggregate), register, next)
            }
            (source, inputs) = (.elements(ElementStep(program)), [array] + outer)
        case .rows(let hops, let predicate, let value, let from):
            let program = try FilterProgram(Filter(predicate, isInside: true), then: value)
            guard !program.isOpen else { return general(.aggregate(aggregate), register, next) }
            // The first register has the row at which the relationships begin, and takes each row's value in turn.
            source = .rows(RelatedStep(hops, program), isElsewhere: from != nil)
            inputs = [from ?? .constant(.null)] + program.parameters
        }
        let step = add(.aggregate(keep(AggregateStep(aggregate, of: source)), register), next)
        return try append(inputs, from: number, next: step)
    }

    // MARK: What is not compiled

    private mutating func general(_ predicate: TypedPredicate, _ ifTrue: Int32, _ ifFalse: Int32) -> Int32 {
        isOpen = isOpen || predicate.readsOuter
        return add(.general(keep(GeneralTest(predicate))), ifTrue, ifFalse)
    }

    private mutating func general(_ expression: TypedExpression, _ register: Register, _ next: Int32) -> Int32 {
        expression.forEachReading(depth: 1) { _ in isOpen = true }
        return add(.evaluated(keep(GeneralValue(expression)), register), next)
    }

    /// Ends a program that computes a value.
    mutating func appendResult() -> Int32 { add(.result(0), FilterProgram.accept) }

    // MARK: Steps

    private mutating func use(_ register: Register) { registerCount = max(registerCount, Int(register) + 1) }

    private mutating func add(_ value: FilterInstruction, _ next: Int32) -> Int32 { add(value, next, next) }

    private mutating func add(_ instruction: FilterInstruction, _ ifTrue: Int32, _ ifFalse: Int32) -> Int32 {
        steps.append(FilterStep(instruction: instruction, ifTrue: ifTrue, ifFalse: ifFalse))
        return Int32(steps.count - 1)
    }

    private mutating func field(_ path: FilterPath) -> FilterField {
        operands.append(path)
        return FilterField(path)
    }

    private mutating func keep<Operand: AnyObject>(_ operand: Operand) -> Unmanaged<Operand> {
        operands.append(operand)
        return .passUnretained(operand)
    }
}
