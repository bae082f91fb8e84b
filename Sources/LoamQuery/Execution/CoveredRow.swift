import LoamStorage

/// The values that an entry of an index holds of its row: refilled from entry to entry.
struct CoveredRow: RowValues {
    private(set) var rowID: RowID = 0
    /// The values by the position of their property.
    private var values: [Value]
    /// Values of paths into structures, which stand in components of their own.
    private var nested: [(path: PropertyPath, value: Value)] = []
    private let components: [KeyComponent]
    /// For each component, the path whose value it holds.
    private let pathOfComponent: [PropertyPath?]
    /// For each component, the property's position, or why there is none.
    private let places: [Int]
    private static let unwanted = -1
    private static let isNested = -2
    private let included: [(path: PropertyPath, column: Int)]

    /// - Parameter covering: where the values are; only those are read.
    init(_ covering: Covering, _ index: Index, entity: Entity) throws {
        values = Array(repeating: .null, count: entity.properties.count)
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
        places = pathOfComponent.map { path in
            guard let path else { return Self.unwanted }
            return path.members.isEmpty ? path.position : Self.isNested
        }
        components = try index.components[..<last].map(KeyComponent.init)
        self.included = included
    }

    /// Takes an entry's values; false where the entry does not hold all of them, and the record has to be read.
    mutating func fill(from batch: borrowing IndexBatch, at index: Int) throws -> Bool {
        rowID = batch.rowIDs[index]
        nested.removeAll(keepingCapacity: true)
        if !components.isEmpty {
            let key = try batch.key(at: index)
            var offset = 0
            for position in components.indices {
                if places[position] != Self.unwanted {
                    guard let value = try components[position].decode(key, at: &offset) else { return false }
                    set(value, ofComponent: position)
                } else {
                    offset = try components[position].skip(key, from: offset)
                }
            }
        }
        for (path, column) in included {
            switch try batch.includedState(column, at: index) {
            case .null: values[path.position] = .null
            case .leftOut: return false
            case .present: values[path.position] = try Self.included(column, of: batch, at: index)
            }
        }
        return true
    }

    func value(of path: PropertyPath) -> Value {
        path.members.isEmpty || included.contains { $0.path == path }
            ? path.value(in: values) : nested.first { $0.path == path }?.value ?? .null
    }

    private mutating func set(_ value: Value, ofComponent position: Int) {
        if places[position] >= 0 {
            values[places[position]] = value
        } else if let path = pathOfComponent[position] {
            nested.append((path, value))
        }
    }

    private static func included(
        _ column: Int, of batch: borrowing IndexBatch, at index: Int
    ) throws -> Value {
        guard let bytes = try batch.included(column, at: index) else { return .null }
        return try RecordView.decodeComposite(bytes)
    }
}
