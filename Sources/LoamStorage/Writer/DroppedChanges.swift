/// What a batch says and its save leaves out, because a row was deleted meanwhile: collected while it is decided.
///
/// Confined, like the decision, to one attempt on the writer's thread.
final class DroppedChanges {
    private(set) var list: [SaveResult.Dropped] = []
    private var numbers: [RowID: Int] = [:]

    /// - Parameter isDeleted: whether the row is the one that is gone; otherwise it was to lead to one.
    func add(_ row: RowID, entity: EntityID, isDeleted: Bool, properties: some Sequence<PropertyID>) {
        if let number = numbers[row] {
            list[number].properties.formUnion(properties)
        } else {
            numbers[row] = list.count
            list.append(
                SaveResult.Dropped(entity: entity, rowID: row, isDeleted: isDeleted, properties: Set(properties)))
        }
    }
}
