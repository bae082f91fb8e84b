import LoamQuery
import LoamStorage

extension SortKey {
    /// A key as it is given on the command line: a key path, a function of one, or either in a form, as indexes are
    /// printed (`fold(name)`), or compared by one of Core Data's selectors (`localizedCompare(name)`).
    init(_ key: KeyList.Key) {
        let (path, form) = StringForm.written(key.path)
        self.init(path, direction: key.direction, form: form)
    }
}

extension StringForm {
    /// The form that stands around a key, and what is inside; the exact form where there is none.
    static func written(_ key: String) -> (path: String, form: StringForm) {
        guard key.last == ")", let start = key.firstIndex(of: "("), let form = StringForm(word: String(key[..<start]))
        else { return (key, .exact) }
        return (String(key[key.index(after: start)...].dropLast()).trimmed, form)
    }

    /// The words that stand for forms where indexes are printed and taken.
    static let words: [String: StringForm] = [
        "fold": .caseAndDiacriticFolded, "case": .caseFolded, "diacritic": .diacriticFolded,
        "localized": .localizedStandard,
    ]

    /// The selectors of Core Data without their colons, as `--sort` takes them.
    static let selectorWords = selectors.map { String($0.prefix { $0 != ":" }) }

    private init?(word: String) {
        guard let form = Self.words[word] ?? StringForm(selector: word + ":") else { return nil }
        self = form
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text = text.dropFirst() }
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}
