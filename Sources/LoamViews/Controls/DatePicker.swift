/// What of a date a picker changes.
public struct DatePickerComponents: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Components by their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The day.
    public static let date = DatePickerComponents(rawValue: 1)
    /// Hour and minute.
    public static let hourAndMinute = DatePickerComponents(rawValue: 2)
}

/// A date to be chosen. Node: `DatePicker` with the date, and the action `set`; dates out of range do not fit.
public struct DatePicker<LabelContent: View>: PrimitiveView {
    /// What a picker shows.
    public typealias Components = DatePickerComponents

    @Binding private var selection: Date
    private let minimum: Date?
    private let maximum: Date?
    private let components: Components
    /// The label.
    public let content: LabelContent
    @Environment(\.isEnabled) private var isEnabled

    private init(
        _ selection: Binding<Date>, from minimum: Date?, through maximum: Date?, _ components: Components,
        _ label: LabelContent
    ) {
        (_selection, self.minimum, self.maximum, self.components, content) = (
            selection, minimum, maximum, components, label
        )
    }

    /// A picker with a label.
    public init(
        selection: Binding<Date>, displayedComponents: Components = [.hourAndMinute, .date],
        @ViewBuilder label: () -> LabelContent
    ) {
        self.init(selection, from: nil, through: nil, displayedComponents, label())
    }

    /// A picker with a label and a range.
    public init(
        selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> LabelContent
    ) {
        self.init(selection, from: range.lowerBound, through: range.upperBound, displayedComponents, label())
    }

    /// A picker with a label and a first date.
    public init(
        selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> LabelContent
    ) {
        self.init(selection, from: range.lowerBound, through: nil, displayedComponents, label())
    }

    /// A picker with a label and a last date.
    public init(
        selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date], @ViewBuilder label: () -> LabelContent
    ) {
        self.init(selection, from: nil, through: range.upperBound, displayedComponents, label())
    }

    /// `DatePicker`.
    public var kind: NodeKind { "DatePicker" }

    /// The date, its bounds, and that it can be set.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .date(selection)
        let names = [(Components.date, "date"), (.hourAndMinute, "time")].filter { components.contains($0.0) }
        node[.components] = .text(names.map(\.1).joined(separator: " "))
        node[.minimum] = minimum.map { .date($0) }
        node[.maximum] = maximum.map { .date($0) }
        node.act(.set) { [$selection, minimum, maximum] value in
            guard let date = value?.date, minimum.map({ $0 <= date }) ?? true, maximum.map({ date <= $0 }) ?? true
            else { return false }
            $selection.wrappedValue = date
            return true
        }
        node.enable(isEnabled)
    }
}

extension DatePicker where LabelContent == Text {
    /// A picker with a title.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, displayedComponents: displayedComponents) { Text(titleKey) }
    }

    /// A picker with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, selection: Binding<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, displayedComponents: displayedComponents) { Text(title) }
    }

    /// A picker with a title and a range.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, in: range, displayedComponents: displayedComponents) { Text(titleKey) }
    }

    /// A picker with a title and a range.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, selection: Binding<Date>, in range: ClosedRange<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, in: range, displayedComponents: displayedComponents) { Text(title) }
    }

    /// A picker with a title and a first date.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, in: range, displayedComponents: displayedComponents) { Text(titleKey) }
    }

    /// A picker with a title and a first date.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, selection: Binding<Date>, in range: PartialRangeFrom<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, in: range, displayedComponents: displayedComponents) { Text(title) }
    }

    /// A picker with a title and a last date.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, in: range, displayedComponents: displayedComponents) { Text(titleKey) }
    }

    /// A picker with a title and a last date.
    @_disfavoredOverload
    public init<Title: StringProtocol>(
        _ title: Title, selection: Binding<Date>, in range: PartialRangeThrough<Date>,
        displayedComponents: Components = [.hourAndMinute, .date]
    ) {
        self.init(selection: selection, in: range, displayedComponents: displayedComponents) { Text(title) }
    }
}
