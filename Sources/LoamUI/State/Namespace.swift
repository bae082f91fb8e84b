/// An identifier that is unique for each place in the tree of views, and stays as long as the place does.
@propertyWrapper @MainActor public struct Namespace: DynamicProperty {
    /// The identifier. It is equal only to itself, in the whole process.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        package let number: Int

        /// The number.
        public var description: String { "Namespace.ID(\(number))" }
    }

    private final class Holder {
        let id: ID

        init(_ id: ID) { self.id = id }
    }

    private static var lastNumber = 0

    private var holder: Holder?

    /// A namespace, which has its identifier from its mounting on.
    public init() {}

    /// The identifier. Outside of a mounted view it is one that no view has.
    public var wrappedValue: ID { holder?.id ?? ID(number: 0) }
}

extension Namespace: HostedProperty {
    mutating func mount(in place: PropertyPlace) {
        holder = place.storage {
            Self.lastNumber += 1
            return Holder(ID(number: Self.lastNumber))
        }
    }

    func showsSame(as other: Self) -> Bool { true }
}
