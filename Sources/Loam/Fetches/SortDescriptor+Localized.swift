public import Foundation
import LoamStorage

/// How strings are compared as people read them.
///
/// Foundation has these comparators on Apple's systems. On Linux it has `.lexical` alone, which compares code points
/// and is what sort descriptors without a comparator use here.
public enum LocalizedComparator: Sendable {
    /// The order of lists that people see: letters by their language's rules, and only then by case and diacritics,
    /// numbers by their value. The rules are those of no particular language, the root locale's, on every machine.
    case localizedStandard
}

extension SortDescriptor {
    /// Sorts by a string as people read it: "file 9" comes before "file 10", and "Äpfel" beside "Apfel".
    ///
    /// ```swift
    /// SortDescriptor(\City.name, comparator: .localizedStandard)
    /// ```
    ///
    /// Models have no index in this order: those that match are sorted by a key that is made for each. The sections of a
    /// result by the same property come in this order, too, and strings that are equal in it are one section.
    public init(
        _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedComparator,
        order: SortOrder = .forward
    ) {
        // Both parts can be sent, and so can the whole, which the compiler does not say.
        let path = unsafeBitCast(
            keyPath.appending(path: \String._localizedStandard),
            to: (any KeyPath<Compared, _LocalizedText> & Sendable).self)
        self.init(path, order: order)
    }

    /// Sorts by a string that may be nil as people read it; nil comes first.
    public init(
        _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedComparator,
        order: SortOrder = .forward
    ) {
        let path = unsafeBitCast(
            keyPath.appending(path: \String?._localizedStandard),
            to: (any KeyPath<Compared, _LocalizedText?> & Sendable).self)
        self.init(path, order: order)
    }
}

/// A string that is compared as people read it.
public struct _LocalizedText: Comparable, Sendable {
    let text: String

    /// Whether one stands before the other.
    public static func < (left: _LocalizedText, right: _LocalizedText) -> Bool {
        StringForms.compare(left.text, right.text, form: .localizedStandard) < 0
    }

    /// Whether neither stands before the other.
    public static func == (left: _LocalizedText, right: _LocalizedText) -> Bool {
        StringForms.compare(left.text, right.text, form: .localizedStandard) == 0
    }
}

extension String {
    /// The string as sort descriptors compare it.
    public var _localizedStandard: _LocalizedText { _LocalizedText(text: self) }
}

extension String? {
    /// The string as sort descriptors compare it.
    public var _localizedStandard: _LocalizedText? { map { _LocalizedText(text: $0) } }
}

extension ModelType {
    /// The names along the key path of a sort descriptor with a localized comparator; nil for any other.
    func localizedPath(of keyPath: AnyKeyPath) -> String? {
        let valueType = Swift.type(of: keyPath).valueType
        guard valueType == _LocalizedText.self || valueType == _LocalizedText?.self else { return nil }
        let stored = storedPath {
            $0.appending(path: \String._localizedStandard) == keyPath
                || $0.appending(path: \String?._localizedStandard) == keyPath
        }
        return stored.flatMap { $0.isOrdered ? $0.path : nil }
    }
}
