package import LoamStorage

/// The list that IN looks a value up in.
///
/// Many constants are looked up together, in one step for each row; what is not constant is compared one by one.
package struct ElementList: RandomAccessCollection, Sendable {
    private let elements: [TypedExpression]
    package let areConstants: Bool
    /// Finds an element by its value; nil where elements are few or not all constant.
    let lookup: ValueLookup?

    /// So many are compared as fast one by one.
    private static let fewElements = 8

    /// - Parameter type: of the value that is looked up; nil for a constant nil.
    package init(_ elements: some Sequence<TypedExpression>, besides type: ValueType?, form: StringForm) {
        self.elements = Array(elements)
        let constants = self.elements.compactMap(\.constant)
        areConstants = constants.count == self.elements.count
        lookup =
            areConstants && constants.count > Self.fewElements ? ValueLookup(constants, type: type, form: form) : nil
    }

    private init(_ elements: [TypedExpression]) {
        self.elements = elements
        areConstants = elements.allSatisfy { $0.constant != nil }
        lookup = nil
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
