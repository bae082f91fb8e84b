import Foundation

/// A text as code writes it, with values in it. Nothing is looked up or translated: the key is the text.
///
/// ```swift
/// Text("Item at \(timestamp, format: .dateTime)")
/// ```
public struct LocalizedStringKey: Equatable, Sendable, ExpressibleByStringInterpolation {
    let text: String

    /// A text.
    public init(_ value: String) { text = value }

    /// A text.
    public init(stringLiteral value: String) { self.init(value) }

    /// A text with values.
    public init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.text) }

    /// What a text with values is made with.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        /// Nothing yet.
        public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        /// Adds a text.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Adds a value as `String(describing:)` has it.
        public mutating func appendInterpolation<Value>(_ value: Value) { text += "\(value)" }

        /// Adds a value as a format has it.
        public mutating func appendInterpolation<Format: FormatStyle>(_ input: Format.FormatInput, format: Format)
        where Format.FormatOutput == String {
            text += format.format(input)
        }

        /// Adds a value as a C format has it, as `%.2f`; of a format that is not for one number, the value itself.
        public mutating func appendInterpolation<Value: BinaryFloatingPoint>(_ value: Value, specifier: String) {
            let isForNumber = specifier.wholeMatch(of: /%[-+ 0#]*\d{0,3}(?:\.\d{0,3})?[aAeEfFgG]/) != nil
            text += isForNumber ? String(format: specifier, Double(value)) : "\(value)"
        }

        /// Adds the content of a text.
        @MainActor public mutating func appendInterpolation(_ text: Text) { self.text += text.content }
    }
}
