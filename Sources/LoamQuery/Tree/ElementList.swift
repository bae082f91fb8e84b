package import LoamStorage
import Synchronization

/// The list that IN looks a value up in.
///
/// Many constants are looked up together, in one step for each row; what is not constant is compared one by one.
package struct ElementList: RandomAccessCollection, Sendable {
    private let elements: [TypedExpression]
    package let areConstants: Bool
    private let lazyLookup: LazyLookup?

    /// Finds an element by its value; nil where elements are few or not all constant. Made when it is first asked for:
    /// O(elements).
    var lookup: ValueLookup? { lazyLookup?.value(elements) }

    /// So many are compared as fast one by one.
    private static let fewElements = 8

    /// - Parameter type: of the value that is looked up; nil for a constant nil.
    package init(_ elements: some Sequence<TypedExpression>, besides type: ValueType?, form: StringForm) {
        self.elements = Array(elements)
        areConstants = self.elements.allSatisfy(\.isConstant)
        lazyLookup = areConstants && self.elements.count > Self.fewElements ? LazyLookup(type: type, form: form) : nil
    }

    private init(_ elements: [TypedExpression]) {
        self.elements = elements
        areConstants = elements.allSatisfy(\.isConstant)
        lazyLookup = nil
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { elements.count }
    package subscript(position: Int) -> TypedExpression { elements[position] }

    /// The elements replaced, but for constants: these stay what they are whatever row they are read at.
    func replacing(_ body: (TypedExpression) throws -> TypedExpression) rethrows -> ElementList {
        areConstants ? self : ElementList(try elements.map(body))
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

    func value(_ elements: [TypedExpression]) -> ValueLookup {
        made.load() ?? made.storeIfNil(ValueLookup(elements.lazy.compactMap(\.constant), type: type, form: form))
    }
}
