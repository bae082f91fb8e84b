import LoamStorage

/// What a program does with each element of a collection, or asks of it: the program about an element.
final class ElementStep: Sendable {
    /// Nil where every element will do.
    let program: FilterProgram?

    init(_ program: FilterProgram?) { self.program = program }
}

/// An aggregate that a program makes.
final class AggregateStep: Sendable {
    enum Source: Sendable {
        /// The values of so many registers.
        case registers(Int)
        /// The elements of the collection in the first register.
        case elements(ElementStep)
        /// What the step's program computes at each row for which it holds. The first register has the id of the row at
        /// which the relationships begin, where that is another one than the row at hand.
        case rows(RelatedStep, isElsewhere: Bool)
    }

    let aggregate: Aggregate
    let numbers: Arithmetic
    /// The names that lead to the member of each element; none where it is made of the elements.
    private let members: [String]
    let source: Source

    init(_ aggregate: TypedAggregate, of source: Source) {
        self.aggregate = aggregate.aggregate
        numbers = aggregate.numbers
        members = aggregate.member?.members ?? []
        self.source = source
    }
}

extension ElementStep {
    /// Calls `body` with each element that will do, until it returns false.
    func forEachElement(
        of array: UnboxedValue, _ related: (any RelatedRows)?, _ call: FilterCall, _ body: (UnboxedValue) throws -> Bool
    ) throws {
        guard let program else { return try array.forEachPart(body) }
        try array.forEachPart { element in
            guard try program.run(ElementRow(element: element), related: related, call: call) else { return true }
            return try body(element)
        }
    }

    func exists(
        in array: UnboxedValue, _ related: (any RelatedRows)?, _ call: FilterCall
    ) throws -> Bool {
        var isFound = false
        try forEachElement(of: array, related, call) { _ in
            isFound = true
            return false
        }
        return isFound
    }
}

extension AggregateStep {
    /// Makes the aggregate.
    ///
    /// - Parameter call: has the first register with what the aggregate is made of, and the values of the row that the
    ///   other program reads; its result is that of each row.
    func value<Row: RowValues & ~Escapable>(
        in row: borrowing Row, _ related: (any RelatedRows)?, _ first: Int, _ call: FilterCall
    ) throws -> UnboxedValue {
        let registers = call.run.pointee.registers
        var tally = UnboxedTally(aggregate, numbers: numbers, in: call.run.pointee.values)
        switch source {
        case .registers(let count): for number in 0..<count { try tally.add(registers[first + number]) }
        case .elements(let step):
            let array = registers[first]
            guard !array.isNull else { return .null }
            if aggregate.isEnd { return try end(of: array, step, related, call) }
            let isOfElements = members.isEmpty
            if aggregate == .count, step.program == nil, isOfElements {
                tally.addCount(try array.partCount ?? 0)
            } else {
                try step.forEachElement(of: array, related, call) { element in
                    // An element counts though it is nil, a member does not.
                    if aggregate == .count, isOfElements {
                        tally.addCount(1)
                    } else {
                        try tally.add(isOfElements ? element : element.member(at: members))
                    }
                    return true
                }
            }
        case .rows(let step, let isElsewhere):
            guard aggregate.isEnd else {
                let isThere = try forEachRow(of: step, isElsewhere: isElsewhere, from: row, related, first, call) {
                    target, test in
                    let place = call.run.pointee.memory.place
                    guard try test(target) else { return }
                    // The text of a value that is not needed any longer gives its room to the next one.
                    if try !tally.add(registers[call.result]) { call.run.pointee.memory.goBack(to: place) }
                }
                guard isThere else { return .null }
                break
            }
            var (end, found): (RowID?, UnboxedValue) = (nil, .null)
            _ = try forEachRow(of: step, isElsewhere: isElsewhere, from: row, related, first, call) { target, test in
                guard aggregate.isNearer(target, than: end), try test(target) else { return }
                (end, found) = (target, registers[call.result])
            }
            return found
        }
        return try tally.result()
    }

    /// The first or the last element that will do.
    private func end(
        of array: UnboxedValue, _ step: ElementStep, _ related: (any RelatedRows)?, _ call: FilterCall
    ) throws -> UnboxedValue {
        var found = UnboxedValue.null
        try step.forEachElement(of: array, related, call) { element in
            found = element
            return aggregate == .last
        }
        return found
    }

    /// Calls `body` with each related row, and with what runs the step's program there: that says whether it holds, and
    /// leaves its value in the call's result. Returns whether the row is there at which the last relationship begins.
    private func forEachRow<Row: RowValues & ~Escapable>(
        of step: RelatedStep, isElsewhere: Bool, from row: borrowing Row, _ related: (any RelatedRows)?, _ first: Int,
        _ call: FilterCall, _ body: (RowID, (RowID) throws -> Bool) throws -> Void
    ) throws -> Bool {
        guard let related, let last = step.hops.last, let program = step.program else { throw Relations.missing }
        func visit(_ target: RowID) throws -> Bool {
            try body(target) { try related.run(program, at: $0, of: last.destination, call) == true }
            return true
        }
        guard isElsewhere else {
            try Relations.forEachTarget(of: row, along: step.hops, related, visit)
            return true
        }
        let start = call.run.pointee.registers[first]
        guard start.kind == .uint,
            let (source, rest) = try Relations.lastSource(from: start.uint, along: step.hops, related)
        else { return false }
        try related.forEachRelated(of: source, along: rest, visit)
        return true
    }
}
