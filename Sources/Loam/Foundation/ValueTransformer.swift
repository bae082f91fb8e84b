import Synchronization

import class Foundation.NSData

/// Turns values into others, and back: what `@Attribute(.transformable(by:))` stores an attribute with.
///
/// Foundation has this class on Apple's platforms and lacks it on Linux; Loam supplies what models need of it, in the
/// same spelling. A transformer of attributes makes `Data` of a value, and the value of the data again:
///
/// ```swift
/// final class ColorTransformer: ValueTransformer {
///     override func transformedValue(_ value: Any?) -> Any? {
///         (value as? Color).map { Data([$0.red, $0.green, $0.blue]) }
///     }
///
///     override func reverseTransformedValue(_ value: Any?) -> Any? {
///         guard let data = value as? Data, data.count == 3 else { return nil }
///         return Color(red: data[0], green: data[1], blue: data[2])
///     }
/// }
/// ```
///
/// Not an `NSObject` here, and without Foundation's ready-made transformers. Models of any isolation use a transformer,
/// at the same time too, so it keeps no state that changes.
open class ValueTransformer: _ValueTransformerRegistry {
    /// Makes a transformer. A subclass with an initializer of its own declares this one again, as `required`.
    public required init() {}

    /// The class of what ``transformedValue(_:)`` gives. Said for the reader; nothing here asks for it.
    open class func transformedValueClass() -> AnyClass { NSData.self }

    /// Whether ``reverseTransformedValue(_:)`` takes back what ``transformedValue(_:)`` does. An attribute needs one
    /// that does.
    open class func allowsReverseTransformation() -> Bool { true }

    /// Transforms a value; by default into itself. Nil where that cannot be done.
    open func transformedValue(_ value: Any?) -> Any? { value }

    /// Transforms a value back; by default as ``transformedValue(_:)`` does. Nil where that cannot be done.
    open func reverseTransformedValue(_ value: Any?) -> Any? { transformedValue(value) }

    /// Makes a transformer known under a name, for the whole process; with nil, forgets the one that has the name.
    ///
    /// A container whose models name it is opened after that. Safe to call from any isolation.
    public class func setValueTransformer(_ transformer: ValueTransformer?, forName name: NSValueTransformerName) {
        KnownTransformers.set(transformer, named: name)
    }

    /// The names under which transformers are known, in no order.
    public class func valueTransformerNames() -> [NSValueTransformerName] { KnownTransformers.names }
}

/// The name of a ``ValueTransformer``.
public struct NSValueTransformerName: RawRepresentable, Hashable, Sendable {
    /// The name as text.
    public let rawValue: String

    /// Makes a name of a text.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a name of a text.
    public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// What gives ``ValueTransformer`` an initializer whose result is an object that is there already: an initializer of a
/// class cannot.
public protocol _ValueTransformerRegistry {}

extension _ValueTransformerRegistry where Self: ValueTransformer {
    /// The transformer that is known under a name, the same one each time; nil where there is none, or one of another
    /// class than the one that is asked.
    public init?(forName name: NSValueTransformerName) {
        guard let known = KnownTransformers.transformer(named: name) as? Self else { return nil }
        self = known
    }
}

/// The transformers of the process by name.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `known` | its mutex | any thread | for ever |
private enum KnownTransformers {
    /// Transformers are used from every isolation by contract (``ValueTransformer``).
    private struct Entry: @unchecked Sendable { let transformer: ValueTransformer }

    private static let known = Mutex<[NSValueTransformerName: Entry]>([:])

    static var names: [NSValueTransformerName] { known.withLock { Array($0.keys) } }

    static func transformer(named name: NSValueTransformerName) -> ValueTransformer? {
        known.withLock { $0[name] }?.transformer
    }

    static func set(_ transformer: ValueTransformer?, named name: NSValueTransformerName) {
        let entry = transformer.map(Entry.init)
        known.withLock { $0[name] = entry }
    }
}
