/// Values of any types, each a page that was pushed.
public struct NavigationPath: Equatable {
    var values: [AnyHashable] = []

    /// No page but the first.
    public init() {}

    /// Values, one after the other.
    public init<Values: Sequence>(_ values: Values) where Values.Element: Hashable {
        self.values = values.map { AnyHashable($0) }
    }

    /// How many pages were pushed.
    public var count: Int { values.count }

    /// Whether there is no page but the first.
    public var isEmpty: Bool { values.isEmpty }

    /// Pushes a page.
    public mutating func append<Value: Hashable>(_ value: Value) { values.append(AnyHashable(value)) }

    /// Goes back by pages; where there are not so many, to the first.
    public mutating func removeLast(_ count: Int = 1) {
        values.removeLast(Swift.min(Swift.max(0, count), values.count))
    }
}

/// How a stack reads and changes its path.
struct PathAccess {
    let read: @MainActor () -> [AnyHashable]
    /// Pushes a value; false where it is not of the path's type.
    let append: @MainActor (AnyHashable) -> Bool
    /// Keeps so many values.
    let truncate: @MainActor (Int) -> Void

    @MainActor init(_ path: Binding<NavigationPath>) {
        read = { path.wrappedValue.values }
        append = {
            path.wrappedValue.values.append($0)
            return true
        }
        truncate = { path.wrappedValue.values = Array(path.wrappedValue.values.prefix($0)) }
    }

    @MainActor init<Data: RandomAccessCollection & RangeReplaceableCollection>(_ path: Binding<Data>)
    where Data.Element: Hashable {
        read = { path.wrappedValue.map { AnyHashable($0) } }
        append = { value in
            guard let element = value.base as? Data.Element else { return false }
            path.wrappedValue.append(element)
            return true
        }
        truncate = { path.wrappedValue.removeLast(max(0, path.wrappedValue.count - $0)) }
    }
}
