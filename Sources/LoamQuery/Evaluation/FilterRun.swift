import LoamStorage

/// The registers of a program while it tests a row, and the memory of the texts that it makes meanwhile.
///
/// A program keeps one from row to row, so the registers and the texts of a row take nothing from the heap but where a
/// text is longer than those before it.
package struct FilterRun {
    /// As many as the program needs; what is read was written before for the same row.
    let registers: UnsafeMutablePointer<UnboxedValue>
    /// Behind the registers: the values that are computed once for a row, and which of them have been.
    private let keptValues: UnsafeMutablePointer<UnboxedValue>
    private var isKept: UInt64 = 0
    /// Made when it is first needed.
    private var texts: TextMemory?
    /// The values of the aggregate that is made, where it needs them all; made when they are first needed.
    private var list: AggregateValues?
    /// The pattern of the last LIKE whose right side is no constant, for its memory.
    private var like: LikePattern?
    /// Where the program was called from, when it is one inside another.
    var call: FilterCall?

    /// - Parameter keptCount: how many values are computed once for a row.
    init(registerCount: Int, keptCount: Int = 0) {
        registers = .allocate(capacity: registerCount + keptCount)
        registers.initialize(repeating: .null, count: registerCount + keptCount)
        keptValues = registers + registerCount
    }

    /// Gives the registers back; the run is over.
    func deallocate() { registers.deallocate() }

    var memory: TextMemory {
        mutating get {
            if let texts { return texts }
            let made = TextMemory()
            texts = made
            return made
        }
    }

    /// Bytes that the texts in its memory take at least.
    var textByteCount: Int { texts?.byteCount ?? 0 }

    var values: AggregateValues {
        mutating get {
            if let list { return list }
            let made = AggregateValues()
            list = made
            return made
        }
    }

    /// A value whose bytes lie in the run's memory.
    mutating func keep(_ value: Value) -> UnboxedValue { UnboxedValue(value) ?? memory.keep(value) }

    /// The same value with its bytes in the run's memory.
    mutating func keep(_ value: UnboxedValue) -> UnboxedValue { value.hasBytes ? memory.keep(value) : value }

    /// Tests a string with a LIKE pattern that the row has.
    mutating func matches(_ text: UnboxedValue, like pattern: UnboxedValue, form: StringForm) throws -> Bool {
        if like?.form != form { like = LikePattern(form: form) }
        try like?.replace(with: pattern)
        return try like?.matches(text.text, isPlain: text.isPlain) ?? false
    }

    /// The value at a place; nil where it was not computed for this row.
    func kept(_ place: Int) -> UnboxedValue? { isKept & 1 << UInt64(place) == 0 ? nil : keptValues[place] }

    mutating func keep(_ value: UnboxedValue, at place: Int) {
        keptValues[place] = value
        isKept |= 1 << UInt64(place)
    }

    /// Forgets what was made for a row.
    mutating func end() {
        isKept = 0
        texts?.removeAll()
        call = nil
    }
}

/// How a program calls another one, about a row of another entity.
package struct FilterCall {
    let run: UnsafeMutablePointer<FilterRun>
    /// The first of the caller's registers with values of its row that the other program reads.
    let parameters: Int
    /// The caller's register for the result of a program that has one.
    let result: Int
}
