/// Where lines of a text begin.
public enum TextAlignment: String, CaseIterable, Hashable, Sendable {
    /// At one side, or in the middle.
    case leading, center, trailing
}

extension Text {
    /// How letters are written.
    public enum Case: String, CaseIterable, Hashable, Sendable {
        /// All in upper case, or all in lower case.
        case uppercase, lowercase
    }

    /// Where a text is cut that is too long.
    public enum TruncationMode: String, CaseIterable, Hashable, Sendable {
        /// At the beginning, at the end, or between.
        case head, tail, middle
    }
}

extension View {
    /// The letters of texts inside; nil for those of the place.
    public func font(_ font: Font?) -> some View {
        attributes(font.map { [.font: .text($0.name)] } ?? [:])
    }

    /// How thick letters inside are; nil for those of the place.
    public func fontWeight(_ weight: Font.Weight?) -> some View {
        attributes(weight.map { [.fontWeight: .text($0.name)] } ?? [:])
    }

    /// Whether letters inside are bold.
    public func bold(_ isActive: Bool = true) -> some View { attribute(.bold, .flag(isActive)) }

    /// Whether letters inside are italic.
    public func italic(_ isActive: Bool = true) -> some View { attribute(.italic, .flag(isActive)) }

    /// Whether texts inside are underlined.
    public func underline(_ isActive: Bool = true) -> some View { attribute(.underline, .flag(isActive)) }

    /// Whether texts inside are struck through.
    public func strikethrough(_ isActive: Bool = true) -> some View { attribute(.strikethrough, .flag(isActive)) }

    /// How many lines texts inside have at most; nil for any number.
    public func lineLimit(_ number: Int?) -> some View { attributes(number.map { [.lineLimit: .integer($0)] } ?? [:]) }

    /// How many lines texts inside have at least and at most: as many as there are, within these.
    public func lineLimit(_ limit: ClosedRange<Int>) -> some View {
        attributes([.minLines: .integer(limit.lowerBound), .lineLimit: .integer(limit.upperBound)])
    }

    /// How many lines texts inside have at most.
    public func lineLimit(_ limit: PartialRangeThrough<Int>) -> some View { lineLimit(limit.upperBound) }

    /// How many lines texts inside have at least.
    public func lineLimit(_ limit: PartialRangeFrom<Int>) -> some View {
        attribute(.minLines, .integer(limit.lowerBound))
    }

    /// How many lines texts inside have at most; with `reservesSpace` they have as many, whatever there is.
    public func lineLimit(_ limit: Int, reservesSpace: Bool) -> some View {
        attributes(
            reservesSpace
                ? [.minLines: .integer(limit), .lineLimit: .integer(limit)] : [.lineLimit: .integer(limit)])
    }

    /// What kind of letters there are inside; nil for those of the place.
    public func fontDesign(_ design: Font.Design?) -> some View {
        attributes(design.map { [.fontDesign: .text($0.rawValue)] } ?? [:])
    }

    /// Where lines of texts inside begin.
    public func multilineTextAlignment(_ alignment: TextAlignment) -> some View {
        attribute(.multilineTextAlignment, .text(alignment.rawValue))
    }

    /// How letters of texts inside are written; nil for as they are.
    public func textCase(_ textCase: Text.Case?) -> some View {
        attributes(textCase.map { [.textCase: .text($0.rawValue)] } ?? [:])
    }

    /// Where texts inside are cut that are too long.
    public func truncationMode(_ mode: Text.TruncationMode) -> some View {
        attribute(.truncationMode, .text(mode.rawValue))
    }

    /// How small letters inside may become where there is little room, as a part of their size.
    public func minimumScaleFactor(_ factor: Double) -> some View { attribute(.minimumScaleFactor, .number(factor)) }

    /// Room between lines of texts inside, in points.
    public func lineSpacing(_ lineSpacing: Double) -> some View { attribute(.lineSpacing, .number(lineSpacing)) }

    /// Whether all letters inside are equally wide.
    public func monospaced(_ isActive: Bool = true) -> some View { attribute(.monospaced, .flag(isActive)) }

    /// All digits inside are equally wide.
    public func monospacedDigit() -> some View { attribute(.monospacedDigit, .flag(true)) }

    /// Whether nobody corrects what is written inside.
    public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        attribute(.autocorrectionDisabled, .flag(disable))
    }

    /// What a voice says of the view.
    public func accessibilityLabel(_ label: Text) -> some View { attribute(.accessibilityLabel, .text(label.content)) }

    /// What a voice says of the view.
    public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> some View { accessibilityLabel(Text(labelKey)) }

    /// What a voice says of the view.
    @_disfavoredOverload public func accessibilityLabel<Spoken: StringProtocol>(_ label: Spoken) -> some View {
        accessibilityLabel(Text(label))
    }

    /// What a voice adds.
    public func accessibilityHint(_ hintKey: LocalizedStringKey) -> some View {
        attribute(.accessibilityHint, .text(hintKey.text))
    }

    /// What a voice adds.
    @_disfavoredOverload public func accessibilityHint<Hint: StringProtocol>(_ hint: Hint) -> some View {
        attribute(.accessibilityHint, .text(String(hint)))
    }

    /// What a voice says of the view's value.
    public func accessibilityValue(_ value: Text) -> some View { attribute(.accessibilityValue, .text(value.content)) }

    /// What a voice says of the view's value.
    public func accessibilityValue(_ valueKey: LocalizedStringKey) -> some View { accessibilityValue(Text(valueKey)) }

    /// What a voice says of the view's value.
    @_disfavoredOverload public func accessibilityValue<Spoken: StringProtocol>(_ value: Spoken) -> some View {
        accessibilityValue(Text(value))
    }

    /// Whether a voice passes the view over.
    public func accessibilityHidden(_ hidden: Bool) -> some View { attribute(.accessibilityHidden, .flag(hidden)) }

    /// What tests know the view by.
    public func accessibilityIdentifier(_ identifier: String) -> some View {
        attribute(.accessibilityIdentifier, .text(identifier))
    }

    /// What is said when a pointer rests on the view.
    public func help(_ textKey: LocalizedStringKey) -> some View { attribute(.help, .text(textKey.text)) }
}
