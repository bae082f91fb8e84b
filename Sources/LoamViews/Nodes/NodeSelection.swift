/// What is chosen in a list or a picker: of tags it can say whether they are, and it can choose others.
struct NodeSelection: Equatable {
    /// What is chosen, to tell whether it has changed.
    private let value: AnyHashable
    let isSelected: @MainActor (AnyHashable) -> Bool
    /// Chooses tags, where they fit.
    let select: @MainActor ([AnyHashable]) -> Bool

    static func == (left: NodeSelection, right: NodeSelection) -> Bool { left.value == right.value }

    /// One value.
    @MainActor init<Value: Hashable>(one binding: Binding<Value>) {
        let value = binding.wrappedValue
        self.value = AnyHashable(value)
        isSelected = { $0.base as? Value == value }
        select = { tags in
            guard tags.count == 1, let value = tags.first?.base as? Value else { return false }
            binding.wrappedValue = value
            return true
        }
    }

    /// One value, or none.
    @MainActor init<Value: Hashable>(optional binding: Binding<Value?>) {
        let value = binding.wrappedValue
        self.value = AnyHashable(value)
        isSelected = { tag in value.map { tag.base as? Value == $0 } ?? false }
        select = { tags in
            let values = tags.compactMap { $0.base as? Value }
            guard values.count == tags.count, values.count <= 1 else { return false }
            binding.wrappedValue = values.first
            return true
        }
    }

    /// Several values.
    @MainActor init<Value: Hashable>(set binding: Binding<Set<Value>>) {
        let value = binding.wrappedValue
        self.value = AnyHashable(value)
        isSelected = { tag in (tag.base as? Value).map(value.contains) ?? false }
        select = { tags in
            let values = tags.compactMap { $0.base as? Value }
            guard values.count == tags.count else { return false }
            binding.wrappedValue = Set(values)
            return true
        }
    }
}
