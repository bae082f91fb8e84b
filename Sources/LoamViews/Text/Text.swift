public import Foundation

/// A text.
///
/// The node's value is the text as it is to be read: values are formatted when the view is made.
public struct Text: Equatable {
    nonisolated let content: String
    /// What the text's own modifiers say.
    nonisolated var style: [NodeAttribute: NodeValue] = [:]

    nonisolated init(content: String, style: [NodeAttribute: NodeValue] = [:]) {
        (self.content, self.style) = (content, style)
    }

    /// A text with values in it.
    public nonisolated init(_ key: LocalizedStringKey) { self.init(content: key.text) }

    /// A text with values in it. Nothing is translated, so table and bundle have no part in it.
    public nonisolated init(_ key: LocalizedStringKey, comment: StaticString) { self.init(content: key.text) }

    /// A text.
    @_disfavoredOverload public nonisolated init<Content: StringProtocol>(_ content: Content) {
        self.init(content: String(content))
    }

    /// A text.
    public nonisolated init(verbatim content: String) { self.init(content: content) }

    /// A value as a format has it.
    public nonisolated init<Format: FormatStyle>(_ input: Format.FormatInput, format: Format)
    where Format.FormatInput: Equatable, Format.FormatOutput == String {
        self.init(content: format.format(input))
    }

    /// What of a date is shown.
    public struct DateStyle: Hashable, Sendable {
        private let isTime: Bool

        /// The day, month and year.
        public static let date = DateStyle(isTime: false)
        /// The hour and minute.
        public static let time = DateStyle(isTime: true)

        func text(of date: Date) -> String {
            isTime
                ? date.formatted(date: .omitted, time: .shortened) : date.formatted(date: .long, time: .omitted)
        }
    }

    /// A date in a style, in the current locale and time zone.
    public nonisolated init(_ date: Date, style: DateStyle) { self.init(content: style.text(of: date)) }

    /// From when to when, in the current locale and time zone.
    public nonisolated init(_ dates: ClosedRange<Date>) {
        self.init(content: (dates.lowerBound..<dates.upperBound).formatted())
    }

    /// Two texts in one. What both say of their appearance stays.
    public nonisolated static func + (left: Text, right: Text) -> Text {
        Text(
            content: left.content + right.content,
            style: left.style.filter { right.style[$0.key] == $0.value })
    }

    nonisolated func with(_ name: NodeAttribute, _ value: NodeValue) -> Text {
        var text = self
        text.style[name] = value
        return text
    }
}

extension Text: PrimitiveView {
    /// `Text`.
    public var kind: NodeKind { "Text" }

    /// The text, and what its own modifiers say.
    public func describe(_ node: inout NodeDescription) {
        node.nodeValue = .text(content)
        for (name, value) in style { node[name] = value }
    }
}
