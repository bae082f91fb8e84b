public import Foundation

extension TextField where LabelContent == Text {
    /// A field with a title.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(titleKey) }
    }

    /// A field with a title that grows in a direction as its text does.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil, axis: Axis) {
        self.init(text: text, prompt: prompt, axis: axis) { Text(titleKey) }
    }

    /// A field with a title that grows in a direction as its text does.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, text: Binding<String>, prompt: Text? = nil, axis: Axis) {
        self.init(text: text, prompt: prompt, axis: axis) { Text(title) }
    }

    /// A field with a title.
    @_disfavoredOverload
    public init<Title: StringProtocol>(_ title: Title, text: Binding<String>, prompt: Text? = nil) {
        self.init(text: text, prompt: prompt) { Text(title) }
    }

    /// A field with a title for a value as a format has it.
    public init<Format: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<Format.FormatInput>, format: Format, prompt: Text? = nil
    ) where Format.FormatOutput == String {
        self.init(value: value, format: format, prompt: prompt) { Text(titleKey) }
    }

    /// A field with a title for a value as a format has it; empty for nil.
    public init<Format: ParseableFormatStyle>(
        _ titleKey: LocalizedStringKey, value: Binding<Format.FormatInput?>, format: Format, prompt: Text? = nil
    ) where Format.FormatOutput == String {
        self.init(FieldText(optional: value, format), prompt: prompt, label: Text(titleKey))
    }

    /// A field with a title for a value as a format has it.
    @_disfavoredOverload
    public init<Title: StringProtocol, Format: ParseableFormatStyle>(
        _ title: Title, value: Binding<Format.FormatInput>, format: Format, prompt: Text? = nil
    ) where Format.FormatOutput == String {
        self.init(value: value, format: format, prompt: prompt) { Text(title) }
    }

    /// A field with a title for a value as a format has it; empty for nil.
    @_disfavoredOverload
    public init<Title: StringProtocol, Format: ParseableFormatStyle>(
        _ title: Title, value: Binding<Format.FormatInput?>, format: Format, prompt: Text? = nil
    ) where Format.FormatOutput == String {
        self.init(FieldText(optional: value, format), prompt: prompt, label: Text(title))
    }
}
