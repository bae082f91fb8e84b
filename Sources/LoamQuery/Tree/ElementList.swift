package import LoamStorage
import Synchronization

/// The list that IN looks a value up in.
///
/// Many constants are looked up together, in one step for each row; what is not constant is compared one by one.
package struct ElementList: RandomAccessCollection, Sendable {
    private let elements: Elements
    private let lazyLookup: LazyLookup?

    /// Constants are kept as values: an expression of one is an allocation.
    private enum Elements: Hashable, Sendable {
        case constants([Value])
        case expressions([TypedExpression])

        init(_ expressions: [TypedExpression]) {
            let constants = expressions.compactMap(\.constant)
            self = constants.count == expressions.count ? .constants(constants) : .expressions(expressions)
        }
    }

    /// Finds an element by its value; nil where elements are few or not all constant. Made when it is first asked for:
    /// O(elements).
    var lookup: ValueLookup? {
        guard let lazyLookup, let constants else { return nil }
        return lazyLookup.value(constants)
    }

    /// So many are compared as fast one by one.
    private static let fewElements = 8

    /// - Parameter type: of the value that is looked up; nil for a constant nil.
    package init(_ elements: some Sequence<TypedExpression>, besides type: ValueType?, form: StringForm) {
        self.init(Elements(Array(elements)), besides: type, form: form)
    }

    /// - Parameter type: of the value that is looked up; nil for a constant nil.
    init(constants: [Value], besides type: ValueType?, form: StringForm) {
        self.init(.constants(constants), besides: type, form: form)
    }

    private init(_ elements: Elements, besides type: ValueType?, form: StringForm) {
        self.elements = elements
        if case .constants(let values) = elements, values.count > Self.fewElements {
            lazyLookup = LazyLookup(type: type, form: form)
        } else {
            lazyLookup = nil
        }
    }

    private init(_ elements: [TypedExpression]) {
        self.elements = Elements(elements)
        lazyLookup = nil
    }

    package var areConstants: Bool { constants != nil }

    /// The elements, where all of them are constants.
    var constants: [Value]? {
        if case .constants(let values) = elements { values } else { nil }
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int {
        switch elements {
        case .constants(let values): values.count
        case .expressions(let expressions): expressions.count
        }
    }

    /// Costs an allocation for a constant (``constants``).
    package subscript(position: Int) -> TypedExpression {
        switch elements {
        case .constants(let values): .constant(values[position])
        case .expressions(let expressions): expressions[position]
        }
    }

    /// The elements replaced, but for constants: these stay what they are whatever row they are read at.
    func replacing(_ body: (TypedExpression) throws -> TypedExpression) rethrows -> ElementList {
        if case .expressions(let expressions) = elements { ElementList(try expressions.map(body)) } else { self }
    }
}

extension ElementList: Hashable {
    package static func == (left: ElementList, right: ElementList) -> Bool { left.elements == right.elements }

    package func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

/// A look-up that whoever asks first makes: a list that is only planned needs none.
private final class LazyLookup: Sendable {
    private let made = AtomicLazyReference<ValueLookup>()
    private let type: ValueType?
    private let form: StringForm

    init(type: ValueType?, form: StringForm) {
        self.type = type
        self.form = form
    }

    func value(_ elements: [Value]) -> ValueLookup {
        made.load() ?? made.storeIfNil(ValueLookup(elements, type: type, form: form))
    }
}
