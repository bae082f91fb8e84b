/// A constant string, brought into a form once, that many strings are compared with: in the order of their keys.
///
/// ```swift
/// let order = StringOrder("m", form: .caseFolded)
/// order.compare("Munich") > 0      // true
/// ```
package struct StringOrder: Sendable {
    private let form: StringForm
    private let bytes: [UInt8]

    package init(_ text: String, form: StringForm) {
        self.form = form
        bytes = StringForms.bytes(of: text, form: form)
    }

    /// How a string stands to the constant: negative, zero or positive, as `memcmp`.
    package func compare(_ string: String) -> Int {
        StringForms.withBytes(of: string, form: form) { compareForm($0) }
    }

    /// The same for a string's UTF-8 bytes, as a record holds them; `isPlain` says that they are known to be ASCII.
    ///
    /// - Throws: `StorageError.damagedRecord` when the bytes are not UTF-8.
    package func compare(_ text: UnsafeRawBufferPointer, isPlain: Bool) throws -> Int {
        try StringForms.withBytes(text, isPlain: isPlain, form: form) { compareForm($0) }
    }

    private func compareForm(_ text: UnsafeRawBufferPointer) -> Int {
        bytes.withUnsafeBytes { StringForms.compare(text, $0) }
    }
}
