import LoamStorage

/// The characters of a text by their bytes, which are valid UTF-8.
enum CharacterBytes {
    /// Calls `body` with each character, until it returns false.
    @inline(__always)
    static func forEach(in text: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Bool) {
        text.withMemoryRebound(to: UInt8.self) { bytes in
            var characters = UTF8Span(unchecked: bytes.span).makeCharacterIterator()
            var start = 0
            while start < text.count {
                _ = characters.skipForward()
                let end = max(characters.currentCodeUnitOffset, start + 1)
                guard body(UnsafeRawBufferPointer(rebasing: text[start..<end])) else { return }
                start = end
            }
        }
    }

    /// Whether a text is one character.
    static func isOne(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let first = text.first else { return false }
        // Most are one scalar.
        if text.count == (first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4) { return true }
        var count = 0
        forEach(in: text) { _ in
            count += 1
            return count < 2
        }
        return count == 1
    }
}

/// Each character of a text folded alone.
///
/// A portion of them at a time is folded together, with a control character behind each: nothing folds, composes or is
/// reordered across one.
enum FoldedCharacters {
    private static let separators: [UInt8] = [0x01, 0x02, 0x1E]
    /// Bytes of a portion, which is folded without memory from the heap.
    private static let portion = 256

    /// Calls `body` with what becomes of each character, until it returns false.
    ///
    /// - Parameter text: in normal form C.
    /// - Returns: whether it was called for all.
    static func forEach(
        of text: UnsafeRawBufferPointer, form: StringForm, _ body: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        var isGoingOn = true
        guard let separator = separators.first(where: { !text.contains($0) }) else {
            CharacterBytes.forEach(in: text) { character in
                isGoingOn = StringForms.withBytes(ofValid: character, form: form) { body($0) }
                return isGoingOn
            }
            return isGoingOn
        }
        withUnsafeTemporaryAllocation(byteCount: portion, alignment: 1) { room in
            var used = 0
            CharacterBytes.forEach(in: text) { character in
                if used + character.count + 1 > room.count {
                    isGoingOn = fold(UnsafeRawBufferPointer(rebasing: room[..<used]), separator, form: form, body)
                    used = 0
                    guard isGoingOn else { return false }
                }
                guard character.count < room.count else {
                    isGoingOn = StringForms.withBytes(ofValid: character, form: form) { body($0) }
                    return isGoingOn
                }
                UnsafeMutableRawBufferPointer(rebasing: room[used...]).copyMemory(from: character)
                used += character.count
                room[used] = separator
                used += 1
                return true
            }
            guard isGoingOn else { return }
            isGoingOn = fold(UnsafeRawBufferPointer(rebasing: room[..<used]), separator, form: form, body)
        }
        return isGoingOn
    }

    /// Folds characters with a separator behind each.
    private static func fold(
        _ characters: UnsafeRawBufferPointer, _ separator: UInt8, form: StringForm,
        _ body: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        StringForms.withBytes(ofValid: characters, form: form) { folded in
            var start = 0
            for index in folded.indices where folded[index] == separator {
                guard body(UnsafeRawBufferPointer(rebasing: folded[start..<index])) else { return false }
                start = index + 1
            }
            return true
        }
    }
}
