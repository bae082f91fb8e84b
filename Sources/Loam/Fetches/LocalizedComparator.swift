public import Foundation
import LoamStorage

/// How a sort descriptor compares strings.
///
/// Foundation has these comparators on Apple's systems. On Linux it has `.lexical` alone, which compares code points
/// and is what sort descriptors without a comparator use here. Where no locale is named, the rules are those of no
/// particular language, the root locale's, on every machine; of a locale that ICU does not know, they are, too.
public struct LocalizedComparator: Hashable, Sendable {
    private enum Rules: Hashable {
        case form(StringForm)
        /// More locales than a process can have.
        case none
    }

    private let rules: Rules

    /// The order of lists that people see: letters by their language's rules, and only then by case and diacritics,
    /// numbers by their value: "file 9" comes before "file 10".
    public static let localizedStandard = LocalizedComparator(.localizedStandard)

    /// The order of a dictionary: as ``localizedStandard``, but numbers stand digit by digit, "file 10" before "file 9".
    public static let localized = LocalizedComparator(collation: .init(isNumeric: false))

    /// As ``localized``, and strings that differ in case alone are equal.
    public static let localizedCaseInsensitive = LocalizedComparator(
        collation: .init(isNumeric: false, ignoresCase: true))

    /// By code points of strings without case: "b" comes after "A" and before "C". No language has a say in it.
    public static let caseInsensitive = LocalizedComparator(.caseFolded)

    /// As ``localizedStandard``, by the rules of a language.
    public static func localizedStandard(locale: Locale) -> LocalizedComparator {
        LocalizedComparator(collation: .init(locale: locale.identifier))
    }

    /// As ``localized``, by the rules of a language: in Swedish "ö" comes behind "z".
    ///
    /// ```swift
    /// SortDescriptor(\City.name, comparator: .localized(locale: Locale(identifier: "sv")))
    /// ```
    public static func localized(locale: Locale) -> LocalizedComparator {
        LocalizedComparator(collation: .init(locale: locale.identifier, isNumeric: false))
    }

    /// As ``localizedCaseInsensitive``, by the rules of a language.
    public static func localizedCaseInsensitive(locale: Locale) -> LocalizedComparator {
        LocalizedComparator(collation: .init(locale: locale.identifier, isNumeric: false, ignoresCase: true))
    }

    /// The comparator that Core Data's sort descriptors name by a selector: `compare:`, `caseInsensitiveCompare:`,
    /// `localizedCompare:`, `localizedCaseInsensitiveCompare:` or `localizedStandardCompare:`.
    ///
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` for any other name.
    public init(selector: String) throws {
        guard let form = StringForm(selector: selector) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                detail: "There is no comparison \(selector). Known are "
                    + StringForm.selectors.joined(separator: ", ") + ".")
        }
        rules = .form(form)
    }

    private init(_ form: StringForm) { rules = .form(form) }

    private init(collation: Collation.Rules) { rules = Collation(collation).map { .form(.localized($0)) } ?? .none }

    /// The form in which strings are compared.
    ///
    /// - Throws: ``SwiftDataError/unsupportedSortDescriptor`` where the process has compared by thousands of locales.
    func form() throws -> StringForm {
        if case .form(let form) = rules { return form }
        throw SwiftDataError(
            .unsupportedSortDescriptor, detail: "A process sorts by at most \(Collation.limit) locales.")
    }

    /// The order of two strings; nil comes first. Negative, zero or positive, as `memcmp`.
    func compare(_ left: String?, with right: String?) -> Int {
        guard let left, let right else { return left == nil ? right == nil ? 0 : -1 : 1 }
        return StringForms.compare(left, right, form: (try? form()) ?? .localizedStandard)
    }
}

extension LocalizedComparator: CustomStringConvertible {
    /// The comparator's name, with its locale: `localized sv`.
    public var description: String { (try? form())?.rawValue ?? "no locale" }
}
