/// Which keys a keyboard on the screen shows, by UIKit's names.
public enum UIKeyboardType: String, CaseIterable, Hashable, Sendable {
    /// The keys of the language.
    case `default`
    /// Those of ASCII, of numbers with punctuation, and of addresses of the web.
    case asciiCapable, numbersAndPunctuation, URL
    /// Digits, digits for calls, and names with digits.
    case numberPad, phonePad, namePhonePad
    /// Addresses of mail, and digits with the sign of decimals.
    case emailAddress, decimalPad
    /// Letters with @ and #, of searches, and digits of ASCII.
    case twitter, webSearch, asciiCapableNumberPad
}

/// What the key says that submits a text.
public enum SubmitLabel: String, CaseIterable, Hashable, Sendable {
    /// The word.
    case done, go, send, join, route, search, `return`, next, `continue`
}

/// Which letters a keyboard begins with in upper case.
public enum TextInputAutocapitalization: String, CaseIterable, Hashable, Sendable {
    /// None, the first of words or of sentences, or all.
    case never, words, sentences, characters
}

extension View {
    /// Which keys there are for texts inside.
    public func keyboardType(_ type: UIKeyboardType) -> some View { attribute(.keyboardType, .text(type.rawValue)) }

    /// What the key says that submits texts inside.
    public func submitLabel(_ label: SubmitLabel) -> some View { attribute(.submitLabel, .text(label.rawValue)) }

    /// Which letters of texts inside are written in upper case without being asked for; nil for those of the place.
    public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View {
        attributes(autocapitalization.map { [.textInputAutocapitalization: .text($0.rawValue)] } ?? [:])
    }
}
