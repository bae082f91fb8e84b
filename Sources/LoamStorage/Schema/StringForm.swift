import Foundation
import Synchronization

/// The form in which a string stands in a key.
package enum StringForm: Hashable, Sendable, Codable {
    /// NFC: equality is Swift's, order is that of the NFC bytes.
    case exact
    /// Case folded, then NFC: what `[c]` compares.
    case caseFolded
    /// Case folded and without diacritics: what `[cd]` compares.
    case caseAndDiacriticFolded
    /// The string without diacritics: what `[d]` compares.
    case diacriticFolded
    /// An ICU collation key of the root locale, digits by value.
    case localizedStandard
    /// An ICU collation key by other rules. It orders rows; no index has it.
    case localized(Collation)

    /// As ``SortDirection``'s.
    package static func == (left: StringForm, right: StringForm) -> Bool {
        switch (left, right) {
        case (.exact, .exact), (.caseFolded, .caseFolded), (.caseAndDiacriticFolded, .caseAndDiacriticFolded),
            (.diacriticFolded, .diacriticFolded), (.localizedStandard, .localizedStandard):
            true
        case (.localized(let left), .localized(let right)): left == right
        default: false
        }
    }

    /// Whether its bytes are a collation key, and no text.
    package var isCollated: Bool {
        switch self {
        case .localizedStandard, .localized: true
        case .exact, .caseFolded, .caseAndDiacriticFolded, .diacriticFolded: false
        }
    }

    /// The rules of a localized form that is not the standard one.
    package var collation: Collation? {
        if case .localized(let collation) = self { collation } else { nil }
    }
}

extension StringForm: RawRepresentable {
    private static let written: [StringForm] = [
        .exact, .caseFolded, .caseAndDiacriticFolded, .diacriticFolded, .localizedStandard,
    ]

    /// The form that definitions of indexes call so; nil for any other.
    package init?(rawValue: String) {
        guard let form = Self.written.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = form
    }

    /// The form's name, in definitions of indexes and in messages.
    package var rawValue: String {
        switch self {
        case .exact: "exact"
        case .caseFolded: "caseFolded"
        case .caseAndDiacriticFolded: "caseAndDiacriticFolded"
        case .diacriticFolded: "diacriticFolded"
        case .localizedStandard: "localizedStandard"
        case .localized(let collation): collation.rules.description
        }
    }
}

/// An order of texts by the rules of a language. Few bytes, so that forms stay small: a number that stands for its rules
/// in this process, and is never written.
package struct Collation: Hashable, Sendable {
    /// What decides the order.
    package struct Rules: Hashable, Sendable {
        /// ICU's identifier of a locale, as `sv` or `de@collation=phonebook`; empty for the root. One that it does not
        /// know has the root's order.
        package let locale: String
        /// Whether digits stand by their value.
        package let isNumeric: Bool
        /// Whether texts that differ in case alone are equal.
        package let ignoresCase: Bool

        /// - Parameter locale: in any spelling, as `en-US` or `en_US`: those of one locale are one order.
        package init(locale: String = "", isNumeric: Bool = true, ignoresCase: Bool = false) {
            self.locale = locale.isEmpty ? "" : Locale.identifier(.icu, from: locale)
            (self.isNumeric, self.ignoresCase) = (isNumeric, ignoresCase)
        }
    }

    package let number: UInt16

    /// A process has no more than these.
    package static let limit = 1 << 12

    private static let known = Mutex<(numbers: [Rules: UInt16], rules: [Rules])>(([:], []))

    /// The order by some rules; nil where the process has ``limit`` others already.
    package init?(_ rules: Rules) {
        let number = Self.known.withLock { known -> UInt16? in
            if let number = known.numbers[rules] { return number }
            guard known.rules.count < Self.limit, let number = UInt16(exactly: known.rules.count) else { return nil }
            known.rules.append(rules)
            known.numbers[rules] = number
            return number
        }
        guard let number else { return nil }
        self.number = number
    }

    package var rules: Rules { Self.known.withLock { $0.rules[Int(number)] } }
}

extension Collation.Rules: CustomStringConvertible {
    package var description: String {
        let name = ignoresCase ? "localizedCaseInsensitive" : isNumeric ? "localizedStandard" : "localized"
        return locale.isEmpty ? name : "\(name) \(locale)"
    }
}

extension StringForm {
    /// Core Data's comparisons by the names of their selectors.
    private static let comparisons: [(selector: String, form: StringForm)] = {
        let localized = [false, true].compactMap {
            Collation(Collation.Rules(isNumeric: false, ignoresCase: $0)).map(StringForm.localized)
        }
        return [("compare:", .exact), ("caseInsensitiveCompare:", .caseFolded)]
            + zip(["localizedCompare:", "localizedCaseInsensitiveCompare:"], localized)
            + [("localizedStandardCompare:", .localizedStandard)]
    }()

    /// The names that ``init(selector:)`` takes.
    package static let selectors = comparisons.map(\.selector)

    /// The form in which Core Data's comparison of this name compares strings; nil where it has none.
    package init?(selector: String) {
        guard let known = Self.comparisons.first(where: { $0.selector == selector }) else { return nil }
        self = known.form
    }
}
