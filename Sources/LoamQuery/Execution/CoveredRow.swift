import LoamStorage

/// The values that an entry of an index holds of its row: refilled from entry to entry.
struct CoveredRow: RowValues {
    private(set) var rowID: RowID = 0
    /// By the property's position; of a value in `texts` only whether it is nil.
    private var cells: [Cell]
    /// By the property's position, where its string or its encoded value lies among those of the entry.
    private var texts: [Text?]
    private var textBytes: [UInt8] = []
    /// Values of paths into structures and of functions, which stand in components of their own.
    private var nested: [(path: PropertyPath, value: Value)] = []
    private let components: [KeyComponent]
    /// For each component, the path whose value it holds.
    private let pathOfComponent: [PropertyPath?]
    /// For each component, the property's position, or why there is none.
    private let positions: [Int]
    private static let unwanted = -1
    private static let isNested = -2
    private let included: [(path: PropertyPath, column: Int)]
    /// By the property's position, whether entries hold its value.
    private let held: [Bool]

    private struct Text {
        var kind = UnboxedValue.Kind.string
        let range: Range<Int>
        var isPlain = false
    }

    private enum Cell {
        case unboxed(UnboxedValue)
        /// A URL, data, or a composite value, as a key gives it back.
        case boxed(Value)

        init(_ value: Value) { self = UnboxedValue(value).map(Cell.unboxed) ?? .boxed(value) }

        /// Null for one that is boxed.
        var unboxed: UnboxedValue {
            if case .unboxed(let value) = self { value } else { .null }
        }

        var value: Value {
            get throws {
                switch self {
                case .unboxed(let value): try value.boxed()
                case .boxed(let value): value
                }
            }
        }

        var isNull: Bool {
            if case .unboxed(let value) = self { value.isNull } else { false }
        }
    }

    /// - Parameter covering: where the values are; only those are read.
    init(_ covering: Covering, index: Index, entity: Entity) throws {
        cells = Array(repeating: .unboxed(.null), count: entity.properties.count)
        texts = Array(repeating: nil, count: entity.properties.count)
        var paths = [PropertyPath?](repeating: nil, count: index.components.count)
        var included: [(path: PropertyPath, column: Int)] = []
        for (path, source) in covering.sources {
            switch source {
            case .component(let position): paths[position] = path
            case .included(let column): included.append((path, column))
            }
        }
        let last = (paths.lastIndex { $0 != nil } ?? -1) + 1
        pathOfComponent = Array(paths[..<last])
        positions = pathOfComponent.map { path in
            guard let path else { return Self.unwanted }
            return path.members.isEmpty && path.call == nil ? path.position : Self.isNested
        }
        components = try index.components[..<last].map(KeyComponent.init)
        self.included = included
        var held = [Bool](repeating: false, count: entity.properties.count)
        for position in positions where held.indices.contains(position) { held[position] = true }
        for (path, _) in included where held.indices.contains(path.position) { held[path.position] = true }
        self.held = held
    }

    /// Takes an entry's values; false where the entry does not hold all of them, and the record has to be read.
    ///
    /// Strings are copied as bytes: nothing is taken from the heap once there was an entry as long.
    mutating func fill(from batch: borrowing IndexBatch, at index: Int) throws -> Bool {
        rowID = batch.rowIDs[index]
        nested.removeAll(keepingCapacity: true)
        textBytes.removeAll(keepingCapacity: true)
        if !components.isEmpty {
            let key = try batch.key(at: index)
            var offset = 0
            for position in components.indices {
                guard try fill(position, from: key, at: &offset) else { return false }
            }
        }
        for number in included.indices {
            let (position, column) = (included[number].path.position, included[number].column)
            switch try batch.includedState(column, at: index) {
            case .null: set(.null, at: position)
            case .leftOut: return false
            case .present: try setIncluded(position, column: column, of: batch, at: index)
            }
        }
        return true
    }

    /// Takes the value of one component, which begins at `offset`; false where the key does not give it back.
    private mutating func fill(_ position: Int, from key: RawSpan, at offset: inout Int) throws -> Bool {
        let target = positions[position]
        if target == Self.unwanted {
            offset = try components[position].skip(key, from: offset)
            return true
        }
        if target >= 0, components[position].type == .string {
            let start = textBytes.count
            switch try components[position].decodeText(key, at: &offset, into: &textBytes) {
            case .null: set(.null, at: target)
            case .text(let isPlain): texts[target] = Text(range: start..<textBytes.count, isPlain: isPlain)
            case .unknown: return false
            }
            return true
        }
        guard let value = try components[position].decode(key, at: &offset) else { return false }
        set(value, ofComponent: position)
        return true
    }

    func value(of path: PropertyPath) throws -> Value {
        if let call = path.call {
            if let known = nested.first(where: { $0.path == path }) { return known.value }
            return call.function.result(of: try value(of: call.argument))
        }
        if let text = text(of: path) { return try withValue(text) { try $0.member(at: path.members).boxed() } }
        guard path.members.isEmpty || included.contains(where: { $0.path == path }) else {
            return nested.first { $0.path == path }?.value ?? .null
        }
        guard path.related == nil, cells.indices.contains(path.position) else { return .null }
        return try cells[path.position].value.member(at: path.members)
    }

    func isNull(_ field: FilterField) throws -> Bool {
        guard field.isDirect else { return try value(of: field.path).isNull }
        return text(at: field.position) == nil && cells[field.position].isNull
    }

    func signed(_ field: FilterField) throws -> Int64? {
        guard field.isDirect else { return try value(of: field.path).signed }
        let value = cells[field.position].unboxed
        return value.kind == .int ? value.int : nil
    }

    func unsigned(_ field: FilterField) throws -> UInt64? {
        guard field.isDirect else { return try value(of: field.path).unsigned }
        let value = cells[field.position].unboxed
        return value.kind == .uint ? value.uint : nil
    }

    func floating(_ field: FilterField) throws -> Double? {
        guard field.isDirect else { return try value(of: field.path).floating }
        let value = cells[field.position].unboxed
        return value.kind == .double || value.kind == .float || value.kind == .date ? value.floating : nil
    }

    /// A text is copied: the row may be filled again while the copy is read.
    func unboxed(_ field: FilterField, in run: inout FilterRun) throws -> UnboxedValue {
        guard field.isDirect else {
            guard let text = text(of: field.path) else { return run.keep(try value(of: field.path)) }
            return try withValue(text) { run.keep(try $0.member(at: field.members)) }
        }
        if let text = text(at: field.position) { return withValue(text) { run.keep($0) } }
        switch cells[field.position] {
        case .unboxed(let value): return value
        case .boxed(let value): return run.keep(value)
        }
    }

    func text(_ field: FilterField, matches matcher: Unmanaged<TextMatcher>) throws -> Bool {
        if field.isDirect, let text = text(at: field.position), text.kind == .string {
            return try withValue(text) { value in
                try matcher._withUnsafeGuaranteedRef { try $0.matches(value.text, isPlain: value.isPlain) }
            }
        }
        guard case .string(let text) = try value(of: field.path) else { return false }
        return try matcher.takeUnretainedValue().matches(text)
    }

    /// Looks for the element where the array's bytes lie.
    func array(
        _ field: FilterField, contains value: UnboxedValue, form: StringForm, in run: inout FilterRun
    ) throws -> Bool {
        var isFound = false
        try unboxed(field, in: &run).forEachElement {
            isFound = try $0.isTrue(.equal, value, form: form)
            return !isFound
        }
        return isFound
    }

    /// Makes a function of a property from the value where it lies.
    func append(_ number: Int, of program: PlacementProgram, to key: inout KeyBuffer) throws -> Bool {
        guard let position = program.argumentField(number), held.indices.contains(position), held[position] else {
            return false
        }
        if let text = text(at: position) {
            guard text.kind == .string else { return false }
            return try withValue(text) { try program.append(functionOf: $0, as: number, to: &key) }
        }
        guard case .unboxed(let argument) = cells[position] else { return false }
        return try program.append(functionOf: argument, as: number, to: &key)
    }

    private func text(at position: Int) -> Text? { texts.indices.contains(position) ? texts[position] : nil }

    /// What the path leads to, or leads into; nil where that lies elsewhere.
    private func text(of path: PropertyPath) -> Text? {
        guard path.related == nil, path.members.isEmpty || included.contains(where: { $0.path == path }) else {
            return nil
        }
        return text(at: path.position)
    }

    /// Calls a closure with the value where it lies.
    private func withValue<Result>(_ text: Text, _ body: (UnboxedValue) throws -> Result) rethrows -> Result {
        try textBytes.withUnsafeBytes { bytes in
            let bytes = UnsafeRawBufferPointer(rebasing: bytes[text.range])
            return try body(.text(text.kind, bytes, isPlain: text.isPlain))
        }
    }

    private mutating func set(_ value: Value, at position: Int) {
        cells[position] = Cell(value)
        texts[position] = nil
    }

    private mutating func set(_ value: Value, ofComponent position: Int) {
        if positions[position] >= 0 {
            set(value, at: positions[position])
        } else if let path = pathOfComponent[position] {
            nested.append((path, value))
        }
    }

    private mutating func setIncluded(
        _ position: Int, column: Int, of batch: borrowing IndexBatch, at index: Int
    ) throws {
        guard let bytes = try batch.included(column, at: index) else { return set(.null, at: position) }
        let start = textBytes.count
        if let isPlain = try RecordView.appendText(of: bytes, to: &textBytes) {
            texts[position] = Text(range: start..<textBytes.count, isPlain: isPlain)
        } else {
            let value = try RecordView.unboxedComposite(bytes)
            cells[position] = .unboxed(value.hasBytes ? .null : value)
            if value.hasBytes { textBytes.append(contentsOf: value.text) }
            texts[position] = value.hasBytes ? Text(kind: value.kind, range: start..<textBytes.count) : nil
        }
    }
}
