import Testing
import WorldFaces

@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(Array(text.utf8)) + decoder.flush()
    }

    @Test("Keys of VT100 and xterm are read")
    func sequences() {
        #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D") == [.up, .down, .right, .left])
        #expect(
            keys("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~\u{1B}[3~\u{1B}[Z") == [
                .pageUp, .pageDown, .home, .end, .delete, .backTab,
            ])
        #expect(keys("\u{1B}[1;5A") == [.up])
        #expect(
            keys("a日\u{7F}\t\r\u{3}") == [.character("a"), .character("日"), .backspace, .tab, .enter, .control("c")])
    }

    @Test("Bytes may come one at a time")
    func pieces() {
        var decoder = KeyDecoder()
        let keys = Array("é\u{1B}[Aa\u{1B}[6~👍".utf8).flatMap { decoder.decode([$0]) }
        #expect(keys == [.character("é"), .up, .character("a"), .pageDown, .character("👍")])
        #expect(!decoder.isPending)
    }

    @Test("A lone escape byte is the escape key once nothing follows")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.isPending)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.isPending)
    }

    @Test("What is no key, and what is no UTF-8, is dropped, and the keys behind it are read")
    func rubbish() {
        #expect(keys("\u{1B}[200~a\u{1B}xb") == [.character("a"), .character("b")])
        var decoder = KeyDecoder()
        #expect(
            decoder.decode([0xFF, 0xC3, 0x61, 0xE2, 0x82, 0x62, 0x63]) == [
                .character("a"), .character("b"), .character("c"),
            ])
        #expect(decoder.decode([0xC2, 0x9B, 0x64]) == [.character("d")])
        #expect(decoder.decode([0x1B, 0x5B] + [UInt8](repeating: 0x31, count: 100)).isEmpty)
        #expect(decoder.decode([0x65]) == [.character("e")])
    }

    @Test("Random bytes stop nothing and are all taken in the end", arguments: 1...200 as ClosedRange<UInt64>)
    func randomBytes(seed: UInt64) {
        var (random, decoder) = (Seeded(state: seed), KeyDecoder())
        for _ in 0..<200 {
            _ = decoder.decode(
                (0..<Int.random(in: 0...9, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        _ = decoder.flush()
        #expect(decoder.decode([0x61]) == [.character("a")])
    }
}
