import Foundation

/// Values from the bytes of a field of variable width, or of a UUID. Wrong bytes throw `damagedRecord`.
enum FieldDecoding {
    static func string(_ bytes: RawSpan) throws -> String {
        // Several times as fast as `String(validating:as:)`.
        let text: String? = bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                guard let valid = try? UTF8Span(validating: bytes.span) else { return nil }
                return String(copying: valid)
            }
        }
        guard let text else { throw StorageError(.damagedRecord("a string is not UTF-8")) }
        return text
    }

    static func url(_ bytes: RawSpan) throws -> URL {
        guard let url = URL(string: try string(bytes)) else { throw StorageError(.damagedRecord("a URL is none")) }
        return url
    }

    static func data(_ bytes: RawSpan) -> Data { bytes.withUnsafeBytes { Data($0) } }

    static func decimal(_ bytes: RawSpan) throws -> Decimal {
        guard let value = DecimalParts(bytes: bytes)?.value else {
            throw StorageError(.damagedRecord("a decimal is none"))
        }
        return value
    }

    /// A UUID from a span of at least 16 bytes, which the caller has checked.
    static func uuid(_ bytes: RawSpan) -> UUID {
        UUID(uuid: bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: uuid_t.self))
    }

    /// A value of a variable-width type from all of its bytes, those of a long value too.
    static func value(_ bytes: RawSpan, kind: FieldKind) throws -> Value {
        switch kind {
        case .decimal: return .decimal(try decimal(bytes))
        case .string: return .string(try string(bytes))
        case .url: return .url(try url(bytes))
        case .data: return .data(data(bytes))
        default:
            try kind.checkTag(of: bytes)
            return try CompositeReader.decode(bytes)
        }
    }
}
