import SeededRandom
import Testing

@testable import LoamStorage

/// Strings brought into a form on the stack, and tests of their bytes.
@Suite struct StringBytesTests {
    private static let forms = [StringForm.exact, .caseFolded, .diacriticFolded, .caseAndDiacriticFolded]

    /// Code points of every kind that forms change: composed and not, letters that fold to several, marks in every
    /// class, Hangul, beyond the first plane, unassigned in Unicode 15.
    private static let scalars: [ClosedRange<UInt32>] = [
        0x00...0x7F, 0x80...0x24F, 0x250...0x36F, 0x370...0x5FF, 0x900...0x97F, 0x1E00...0x1FFF, 0x2000...0x206F,
        0x2126...0x212B, 0x3040...0x30FF, 0xAC00...0xD7A3, 0x1100...0x11FF, 0xF900...0xFB4F, 0xFE00...0xFFFD,
        0x1D100...0x1D1FF, 0x1F300...0x1FAFF, 0x1E900...0x1E95F, 0x2F800...0x2FA1D, 0x378...0x379, 0x1C89...0x1C8A,
        0x113C5...0x113C9,
    ]

    private static func text(_ generator: inout SeededGenerator, atMost most: Int) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...most, using: &generator) {
            let range = scalars[Int.random(in: 0..<scalars.count, using: &generator)]
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &generator)) { text.append(scalar) }
        }
        return String(text)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func formsOnTheStackAreThoseOfLongTexts(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<3_000 {
            var text = Self.text(&generator, atMost: Bool.random(using: &generator) ? 12 : 200)
            for form in Self.forms {
                let expected = text.withUTF8 { bytes in
                    StringForms.withBytes(ofLong: UnsafeRawBufferPointer(bytes), form: form) { Array($0) }
                }
                #expect(StringForms.bytes(of: text, form: form) == expected, "seed \(seed): \(text.debugDescription)")
            }
        }
    }

    @Test(arguments: [4, 5] as [UInt64])
    func ordersAndSetsAgreeWithComparisons(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pool =
            (0..<40).map { _ in Self.text(&generator, atMost: 3) } + ["", "a", "A", "é", "e\u{301}", "É", "\r\n"]
        for form in Self.forms {
            for count in [0, 1, 3, pool.count] {
                let members = pool.prefix(count)
                let set = StringSet(members, form: form)
                for text in pool {
                    let isMember = members.contains { StringForms.areEqual($0, text, form: form) }
                    #expect(set.contains(text) == isMember)
                    let isPlain = text.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0D }
                    var copy = text
                    let isFound = try copy.withUTF8 {
                        try set.contains(UnsafeRawBufferPointer($0), isPlain: isPlain)
                    }
                    #expect(isFound == isMember)
                }
            }
            for left in pool {
                let order = StringOrder(left, form: form)
                for right in pool {
                    let expected = StringForms.compare(right, left, form: form).signum()
                    #expect(order.compare(right).signum() == expected)
                    var copy = right
                    let found = try copy.withUTF8 { try order.compare(UnsafeRawBufferPointer($0), isPlain: false) }
                    #expect(found.signum() == expected)
                }
            }
        }
    }
}
