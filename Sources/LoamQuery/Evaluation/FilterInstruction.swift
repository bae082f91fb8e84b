import LoamStorage

/// A step of a ``FilterProgram``: a test, or a value that is computed into a register. It retains nothing, so that
/// taking it from the list is a copy of its bytes.
struct FilterStep {
    let instruction: FilterInstruction
    /// The step that comes next when the test holds, and behind every value.
    let ifTrue: Int32
    let ifFalse: Int32
}

/// The number of a register.
typealias Register = Int32

enum FilterInstruction {
    // Tests of one field, made where it lies.
    case isNull(FilterField)
    case signed(FilterField, ComparisonOperator, Int64)
    case unsigned(FilterField, ComparisonOperator, UInt64)
    case floating(FilterField, ComparisonOperator, Double)
    case text(FilterField, Unmanaged<TextMatcher>)
    case identifier(Unmanaged<ValueLookup>)

    // Tests of registers.
    case compare(Register, ComparisonOperator, Register, StringForm)
    case matches(Register, Unmanaged<TextMatcher>)
    case texts(Register, TextOperator, Register, StringForm)
    case isOne(Register, Unmanaged<ValueLookup>)
    case hasElement(FilterField, Register, StringForm)
    /// The second register is the first of those with the values that the other program reads.
    case exists(Unmanaged<RelatedStep>, Register)
    /// The register has an array; those behind it have the values that the program about an element reads.
    case existsElement(Unmanaged<ElementStep>, Register)
    case remembered(Unmanaged<RememberedTest>)
    /// The value at a place was computed for this row: the register takes it.
    case isKept(Int32, Register)
    case general(Unmanaged<GeneralTest>)

    // Values. The last register is the one that takes them.
    case load(FilterField, Register)
    case constant(Unmanaged<FilterConstant>, Register)
    case rowID(Register)
    case call(Unmanaged<FilterFunction>, Register)
    case callOfTwo(Unmanaged<FilterFunction>, Register, Register)
    /// A value that the program was called with.
    case parameter(Int, Register)
    case related(Unmanaged<RelatedStep>, Register)
    case reference(Unmanaged<RelatedStep>, Register)
    case count(Unmanaged<RelatedStep>, Register)
    /// Registers from this one on have what the aggregate is made of, and the values that its program reads.
    case aggregate(Unmanaged<AggregateStep>, Register)
    case evaluated(Unmanaged<GeneralValue>, Register)
    /// Keeps the register's value at a place, for the rest of the row.
    case keep(Int32, Register)
    /// Gives a register's value to whom the program was called by.
    case result(Register)
}

/// A constant, with memory for its text.
final class FilterConstant: @unchecked Sendable {
    let value: UnboxedValue
    private let memory = TextMemory()

    init(_ value: Value) { self.value = memory.keep(value) }
}

/// A function that a program calls. A step that held it itself would count references whenever it is copied.
final class FilterFunction: Sendable {
    let function: TypedFunction

    init(_ function: TypedFunction) { self.function = function }
}

/// A relationship that a program follows, and the program about the row at its end.
final class RelatedStep: Sendable {
    let hops: [RelationHop]
    /// The relationships before the last one.
    let before: [RelationHop]
    /// Nil where it is enough that the row exists.
    let program: FilterProgram?

    init(_ hops: [RelationHop], _ program: FilterProgram?) {
        self.hops = hops
        before = hops.dropLast()
        self.program = program
    }
}

/// A test whose result the rows that a reference leads to decide.
final class RememberedTest: Sendable {
    let reference: FilterPath
    let program: FilterProgram

    init(_ reference: FilterPath, _ program: FilterProgram) {
        self.reference = reference
        self.program = program
    }
}

/// A predicate that is evaluated as it is written.
final class GeneralTest: Sendable {
    let predicate: TypedPredicate

    init(_ predicate: TypedPredicate) { self.predicate = predicate }
}

/// An expression that is evaluated as it is written.
final class GeneralValue: Sendable {
    let expression: TypedExpression

    init(_ expression: TypedExpression) { self.expression = expression }
}
