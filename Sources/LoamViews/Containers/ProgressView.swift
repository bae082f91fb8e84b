/// How far something has come. Node: `ProgressView` with a number from 0 to 1; without one where that is not known.
public struct ProgressView<LabelContent: View>: PrimitiveView {
    private let fraction: Double?
    /// The label.
    public let content: LabelContent

    private init(_ fraction: Double?, _ label: LabelContent) { (self.fraction, content) = (fraction, label) }

    /// Something that goes on, with a label.
    public init(@ViewBuilder label: () -> LabelContent) { self.init(nil, label()) }

    /// Something that has come so far, with a label; nil where that is not known.
    public init<Value: BinaryFloatingPoint>(
        value: Value?, total: Value = 1.0, @ViewBuilder label: () -> LabelContent
    ) {
        self.init(Self.fraction(value, of: total), label())
    }

    private static func fraction<Value: BinaryFloatingPoint>(_ value: Value?, of total: Value) -> Double? {
        guard let value, total > 0 else { return nil }
        let fraction = Double(value / total)
        return fraction.isNaN ? nil : min(max(fraction, 0), 1)
    }

    /// `ProgressView`.
    public var kind: NodeKind { "ProgressView" }

    /// How far it has come.
    public func describe(_ node: inout NodeDescription) { node.nodeValue = fraction.map { .number($0) } }
}

extension ProgressView where LabelContent == EmptyView {
    /// Something that goes on.
    public init() { self.init(nil, EmptyView()) }

    /// Something that has come so far; nil where that is not known.
    public init<Value: BinaryFloatingPoint>(value: Value?, total: Value = 1.0) {
        self.init(Self.fraction(value, of: total), EmptyView())
    }
}

extension ProgressView where LabelContent == Text {
    /// Something that goes on, with a title.
    public init(_ titleKey: LocalizedStringKey) { self.init(nil, Text(titleKey)) }

    /// Something that goes on, with a title.
    @_disfavoredOverload public init<Title: StringProtocol>(_ title: Title) { self.init(nil, Text(title)) }

    /// Something that has come so far, with a title; nil where that is not known.
    public init<Value: BinaryFloatingPoint>(_ titleKey: LocalizedStringKey, value: Value?, total: Value = 1.0) {
        self.init(Self.fraction(value, of: total), Text(titleKey))
    }

    /// Something that has come so far, with a title; nil where that is not known.
    @_disfavoredOverload
    public init<Title: StringProtocol, Value: BinaryFloatingPoint>(
        _ title: Title, value: Value?, total: Value = 1.0
    ) {
        self.init(Self.fraction(value, of: total), Text(title))
    }
}
