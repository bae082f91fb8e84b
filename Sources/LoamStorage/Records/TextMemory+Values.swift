import Foundation

extension TextMemory {
    /// A value with its text in this memory, or with the encoding of a composite one. Nil for one that cannot be encoded,
    /// as no record can hold it.
    package func keep(_ value: Value) -> UnboxedValue {
        if let value = UnboxedValue(value) { return value }
        switch value {
        case .string(var text):
            return text.withUTF8 { bytes in
                let bytes = copy(UnsafeRawBufferPointer(bytes))
                return .text(.string, bytes, isPlain: PlainText.isPlain(bytes))
            }
        case .url(let url):
            var text = url.absoluteString
            return text.withUTF8 { .text(.url, copy(UnsafeRawBufferPointer($0))) }
        case .data(let data): return data.withUnsafeBytes { .text(.data, copy($0)) }
        case .array, .dictionary, .structure:
            guard let bytes = try? CompositeCodec.encode(value) else { return .null }
            return bytes.withUnsafeBytes { .composite(copy($0)) }
        default: return .null
        }
    }

    /// The same value with its bytes in this memory.
    package func keep(_ value: UnboxedValue) -> UnboxedValue {
        value.hasBytes ? .text(value.kind, copy(value.text), isPlain: value.isPlain) : value
    }
}
