/// Watches the sorted entries of a unique index go by and throws at the first two rows that conflict.
///
/// Equal keys are rare; only there are records read. Rows with a nil component never conflict; where a key is cut, the
/// records' values decide.
struct SortedUniquenessCheck {
    private let index: IndexAccess
    private let entity: EntityAccess
    private var key: [UInt8] = []
    private var hasKey = false
    /// The first row of a run of equal keys, until it is read.
    private var firstRow: RowID?
    private var values: [[Value]: RowID] = [:]

    init(index: IndexAccess, entity: EntityAccess) {
        self.index = index
        self.entity = entity
    }

    /// - Parameter image: reads a row.
    mutating func add(
        key bytes: UnsafeRawBufferPointer, rowID: RowID, image: (RowID) throws -> RowImage?
    ) throws {
        guard hasKey, key.elementsEqual(bytes) else {
            key.removeAll(keepingCapacity: true)
            key.append(contentsOf: bytes)
            (hasKey, firstRow, values) = (true, rowID, [:])
            return
        }
        if let first = firstRow { try note(first, image) }
        firstRow = nil
        try note(rowID, image)
    }

    private mutating func note(_ row: RowID, _ image: (RowID) throws -> RowImage?) throws {
        guard let image = try image(row) else { return }
        let components = try index.componentValues(of: image)
        guard !components.contains(where: \.isNull) else { return }
        if let existing = values.updateValue(row, forKey: components) {
            throw StorageError(
                .uniqueViolation(existing: existing), entity: entity.entity.name, index: index.index.name, rowID: row)
        }
    }
}
