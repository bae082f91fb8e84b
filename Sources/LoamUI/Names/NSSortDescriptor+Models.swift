public import Foundation
public import Loam

/// Where `NSSortDescriptor` has its initialisers for models from: only a protocol's can make an instance of a class below.
public protocol _SortDescriptorMaking {}

extension NSSortDescriptor: _SortDescriptorMaking {}

extension _SortDescriptorMaking where Self == NSSortDescriptor {
    /// Sorts by an attribute that may be nil; nil comes first. Foundation's own initialiser takes those that cannot be nil.
    public init<Root, Value: Comparable>(keyPath: KeyPath<Root, Value?>, ascending: Bool) {
        self = ModelSortDescriptor(keyPath, ascending: ascending)
    }

    /// Sorts by an attribute by its name. Whether a model has it is found out by the fetch; nil is an error there.
    public init(key: String?, ascending: Bool) { self = ModelSortDescriptor(key ?? "", ascending: ascending) }

    /// The same order under Core Data's name, with its comparator. O(1).
    public init<Model: PersistentModel>(_ descriptor: SortDescriptor<Model>) {
        self = ModelSortDescriptor(descriptor)
    }
}

extension NSSortDescriptor {
    /// The descriptor of a model's rows.
    ///
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` where it names no attribute of the model that has an order.
    func descriptor<Model: PersistentModel>(over model: Model.Type) throws(SwiftDataError) -> SortDescriptor<Model> {
        let order: SortOrder = ascending ? .forward : .reverse
        switch (self as? ModelSortDescriptor)?.key {
        case .descriptor(let descriptor):
            if let descriptor = descriptor as? SortDescriptor<Model> { return descriptor }
        case .name(let name):
            let property = model.schemaMetadata.first { $0.name == name }
            if let found = property?.keypath.sortDescriptor(over: model, order) { return found }
            throw SwiftDataError(
                .unsupportedSortDescriptor, detail: "\(model) has no attribute \(name) that has an order.")
        case .keyPath(let keyPath): if let found = keyPath.sortDescriptor(over: model, order) { return found }
        case nil: if let found = keyPath.sortDescriptor(over: model, order) { return found }
        }
        throw SwiftDataError(
            .unsupportedSortDescriptor, detail: "The sort descriptor is about no attribute of \(model).")
    }
}

/// An `NSSortDescriptor` with what Foundation's cannot hold. It never changes.
private final class ModelSortDescriptor: NSSortDescriptor {
    enum Key {
        case name(String)
        case keyPath(AnyKeyPath)
        /// A `SortDescriptor` of a model.
        case descriptor(Any)
    }

    let key: Key

    init<Root, Value>(_ keyPath: KeyPath<Root, Value>, ascending: Bool) {
        key = .keyPath(keyPath)
        super.init(keyPath: keyPath, ascending: ascending) { _, _ in .orderedSame }
    }

    init(_ name: String, ascending: Bool) {
        key = .name(name)
        super.init(keyPath: \String.self, ascending: ascending) { _, _ in .orderedSame }
    }

    init<Model: PersistentModel>(_ descriptor: SortDescriptor<Model>) {
        key = .descriptor(descriptor)
        super.init(keyPath: \Model.self, ascending: descriptor.order == .forward) { _, _ in .orderedSame }
    }

    /// Nil: sort descriptors of models are not archived.
    required init?(coder: NSCoder) { nil }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension AnyKeyPath {
    /// The sort descriptor by an attribute of a model; nil where the key path is of another type, or leads to nothing that
    /// has an order.
    fileprivate func sortDescriptor<Model: PersistentModel>(
        over model: Model.Type, _ order: SortOrder
    ) -> SortDescriptor<Model>? {
        switch type(of: self).valueType {
        case let optional as any OptionalOrder.Type: optional.descriptor(by: self, over: model, order)
        case let value as any Comparable.Type: value.descriptor(by: self, over: model, order)
        default: nil
        }
    }
}

extension Comparable {
    fileprivate static func descriptor<Model: PersistentModel>(
        by keyPath: AnyKeyPath, over model: Model.Type, _ order: SortOrder
    ) -> SortDescriptor<Model>? {
        (keyPath as? KeyPath<Model, Self>).map { SortDescriptor(sendable($0), order: order) }
    }
}

/// Optionals whose values have an order, seen without their wrapped type.
private protocol OptionalOrder {
    static func descriptor<Model: PersistentModel>(
        by keyPath: AnyKeyPath, over model: Model.Type, _ order: SortOrder
    ) -> SortDescriptor<Model>?
}

extension Optional: OptionalOrder where Wrapped: Comparable {
    fileprivate static func descriptor<Model: PersistentModel>(
        by keyPath: AnyKeyPath, over model: Model.Type, _ order: SortOrder
    ) -> SortDescriptor<Model>? {
        (keyPath as? KeyPath<Model, Wrapped?>).map { SortDescriptor(sendable($0), order: order) }
    }
}

/// A key path to a property is immutable and has captured nothing. `Sendable` is a marker without a table of its own, so
/// both types are one reference.
private func sendable<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(keyPath, to: (any KeyPath<Root, Value> & Sendable).self)
}
