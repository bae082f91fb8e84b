import LoamStorage

extension FilterInstruction {
    /// Runs the instruction: whether a test holds; true for a value.
    @inline(__always)
    func holds<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)?, _ run: UnsafeMutablePointer<FilterRun>
    ) throws -> Bool {
        switch self {
        case .isNull(let field): return try row.isNull(field)
        case .signed(let field, let comparison, let constant):
            return Self.test(try row.signed(field), comparison: comparison, constant: constant)
        case .unsigned(let field, let comparison, let constant):
            return Self.test(try row.unsigned(field), comparison: comparison, constant: constant)
        case .floating(let field, let comparison, let constant):
            return Self.test(try row.floating(field), comparison: comparison, constant: constant)
        case .text(let field, let matcher): return try row.text(field, matches: matcher)
        case .identifier(let values):
            let rowID = UnboxedValue.uint(row.rowID)
            return try values._withUnsafeGuaranteedRef { try $0.contains(rowID) }
        default: return try compute(row, related: related, run)
        }
    }

    /// Nil is equal to no constant and has no order.
    @inline(__always)
    private static func test<Number: Comparable>(
        _ value: Number?, comparison: ComparisonOperator, constant: Number
    ) -> Bool {
        guard let value else { return comparison == .notEqual }
        switch comparison {
        case .equal: return value == constant
        case .notEqual: return value != constant
        case .less: return value < constant
        case .lessOrEqual: return value <= constant
        case .greater: return value > constant
        case .greaterOrEqual: return value >= constant
        }
    }

    /// The instructions that use registers.
    @inline(never)
    private func compute<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)?, _ run: UnsafeMutablePointer<FilterRun>
    ) throws -> Bool {
        let registers = run.pointee.registers
        switch self {
        case .load(let field, let register):
            registers[Int(register)] = try row.unboxed(field, in: &run.pointee)
        case .constant(let constant, let register):
            registers[Int(register)] = constant._withUnsafeGuaranteedRef { $0.value }
        case .rowID(let register): registers[Int(register)] = .uint(row.rowID)
        case .call(let function, let register):
            let argument = registers[Int(register)]
            registers[Int(register)] = try function._withUnsafeGuaranteedRef {
                try $0.function.result(of: argument) { run.pointee.memory }
            }
        case .callOfTwo(let function, let second, let first):
            let (left, right) = (registers[Int(first)], registers[Int(second)])
            registers[Int(first)] = try function._withUnsafeGuaranteedRef {
                try $0.function.result(of: left, and: right) { run.pointee.memory }
            }
        case .compare(let left, let comparison, let right, let form):
            return try registers[Int(left)].isTrue(comparison, registers[Int(right)], form: form)
        case .matches(let register, let matcher):
            let value = registers[Int(register)]
            guard value.kind == .string else { return false }
            return try matcher._withUnsafeGuaranteedRef { try $0.matches(value.text, isPlain: value.isPlain) }
        case .texts(let left, let text, let right, let form):
            if text == .like {
                let (string, pattern) = (registers[Int(left)], registers[Int(right)])
                guard string.kind == .string, pattern.kind == .string else { return false }
                return try run.pointee.matches(string, like: pattern, form: form)
            }
            return try Self.test(registers[Int(left)], text, registers[Int(right)], form: form)
        case .isOne(let register, let values):
            return try values._withUnsafeGuaranteedRef { try $0.contains(registers[Int(register)]) }
        case .isKept(let place, let register):
            guard let value = run.pointee.kept(Int(place)) else { return false }
            registers[Int(register)] = value
        case .keep(let place, let register): run.pointee.keep(registers[Int(register)], at: Int(place))
        case .hasElement(let field, let register, let form):
            return try row.array(field, contains: registers[Int(register)], form: form, in: &run.pointee)
        default: return try computeGeneral(row, related: related, run)
        }
        return true
    }

    /// A text operator whose pattern is not known beforehand.
    private static func test(
        _ text: UnboxedValue, _ comparison: TextOperator, _ pattern: UnboxedValue, form: StringForm
    ) throws -> Bool {
        guard text.kind == .string, pattern.kind == .string else {
            return try comparison.findsRuns && !pattern.isNull && text.has(pattern, comparison, form: form)
        }
        switch comparison {
        case .beginsWith: return try StringPattern.isFound(pattern, in: text, .prefix, form: form)
        case .endsWith: return try StringPattern.isFound(pattern, in: text, .suffix, form: form)
        case .contains: return try StringPattern.isFound(pattern, in: text, .anywhere, form: form)
        case .like, .matches:
            guard case .string(let operand) = try pattern.boxed() else { return false }
            return try TextMatcher(comparison, operand: operand, form: form).matches(text.text, isPlain: text.isPlain)
        }
    }

    /// The instructions that read rows of other entities, and those that evaluate what is not compiled.
    private func computeGeneral<Row: RowValues & ~Escapable>(
        _ row: borrowing Row, related: (any RelatedRows)?, _ run: UnsafeMutablePointer<FilterRun>
    ) throws -> Bool {
        let registers = run.pointee.registers
        switch self {
        case .exists(let step, let first):
            let call = FilterCall(run: run, parameters: Int(first), result: 0)
            return try step.takeUnretainedValue().exists(from: row, related, call)
        case .existsElement(let step, let register):
            let call = FilterCall(run: run, parameters: Int(register) + 1, result: Int(register))
            return try step.takeUnretainedValue().exists(in: registers[Int(register)], related, call)
        case .aggregate(let step, let register):
            let first = Int(register)
            let call = FilterCall(run: run, parameters: first + 1, result: first)
            registers[first] = try step.takeUnretainedValue().value(in: row, related, first, call)
        case .count(let step, let register):
            let call = FilterCall(run: run, parameters: Int(register), result: Int(register))
            let count = try step.takeUnretainedValue().count(from: row, related, call)
            registers[Int(register)] = count.map { .int(Int64($0)) } ?? .null
        case .related(let step, let register):
            let call = FilterCall(run: run, parameters: Int(register), result: Int(register))
            let isThere = try step.takeUnretainedValue().evaluate(from: row, related, call)
            if !isThere { registers[Int(register)] = .null }
        case .reference(let step, let register):
            let target = try step.takeUnretainedValue().target(of: row, related)
            registers[Int(register)] = target.map(UnboxedValue.uint) ?? .null
        case .parameter(let number, let register):
            guard let call = run.pointee.call else {
                throw QueryError(.unsupported("a row around where there is none"))
            }
            registers[Int(register)] = call.run.pointee.registers[call.parameters + number]
        case .result(let register):
            guard let call = run.pointee.call else { throw QueryError(.unsupported("a value for nobody")) }
            call.run.pointee.registers[call.result] = call.run.pointee.keep(registers[Int(register)])
        case .remembered(let test):
            return try test.takeUnretainedValue().holds(row, related)
        case .general(let test):
            return try test.takeUnretainedValue().predicate.holds(row, related: related)
        case .evaluated(let value, let register):
            let result = try value.takeUnretainedValue().expression.value(in: row, related)
            registers[Int(register)] = run.pointee.keep(result)
        default: throw QueryError(.unsupported("a step of this kind"))
        }
        return true
    }
}

extension RememberedTest {
    func holds<Row: RowValues & ~Escapable>(_ row: borrowing Row, _ related: (any RelatedRows)?) throws -> Bool {
        guard let related else { return try program.matches(row) }
        let target = try row.value(of: reference.path)
        if let known = related.known(ObjectIdentifier(self), key: target) { return known }
        let result = try program.matches(row, related: related)
        related.remember(result, for: ObjectIdentifier(self), key: target)
        return result
    }
}

/// Follows relationships as ``Relations`` does, with programs in place of predicates.
extension RelatedStep {
    /// Whether a row at the end of the relationships is as the program wants it.
    fileprivate func isMatch(
        _ rowID: RowID, of entity: Entity, _ related: any RelatedRows, _ call: FilterCall
    ) throws -> Bool {
        guard let program else { return try related.contains(rowID, of: entity) }
        return try related.run(program, at: rowID, of: entity, call) ?? false
    }

    func exists<Row: RowValues & ~Escapable>(
        from row: borrowing Row, _ related: (any RelatedRows)?, _ call: FilterCall
    ) throws -> Bool {
        guard let related, let last = hops.last else { throw Relations.missing }
        var isFound = false
        try Relations.forEachTarget(of: row, along: hops, related) {
            isFound = try isMatch($0, of: last.destination, related, call)
            return !isFound
        }
        return isFound
    }

    func count<Row: RowValues & ~Escapable>(
        from row: borrowing Row, _ related: (any RelatedRows)?, _ call: FilterCall
    ) throws -> Int? {
        guard let related, let last = hops.last else { throw Relations.missing }
        var source = row.rowID
        if hops.count > 1 {
            guard let target = try Relations.target(of: row, along: before, related),
                try related.contains(target, of: last.source)
            else { return nil }
            source = target
        }
        guard program != nil else { return try related.relatedCount(of: source, last) }
        var count = 0
        try related.forEachRelated(of: source, last) {
            if try isMatch($0, of: last.destination, related, call) { count += 1 }
            return true
        }
        return count
    }

    /// Has the program compute its value at the row at the end; false where there is none.
    func evaluate<Row: RowValues & ~Escapable>(
        from row: borrowing Row, _ related: (any RelatedRows)?, _ call: FilterCall
    ) throws -> Bool {
        guard let related, let last = hops.last else { throw Relations.missing }
        guard let program, let target = try Relations.target(of: row, along: hops, related) else { return false }
        return try related.run(program, at: target, of: last.destination, call) != nil
    }

    /// The row at the end, where it exists.
    func target<Row: RowValues & ~Escapable>(
        of row: borrowing Row, _ related: (any RelatedRows)?
    ) throws -> RowID? {
        guard let related, let last = hops.last else { throw Relations.missing }
        guard let target = try Relations.target(of: row, along: hops, related),
            try related.contains(target, of: last.destination)
        else { return nil }
        return target
    }
}
