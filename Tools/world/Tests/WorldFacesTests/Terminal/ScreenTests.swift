import TerminalEmulator
import Testing
import WorldFaces

@Suite struct ScreenTests {
    private static let texts = ["Laos", "日本", "e\u{301}te", "a\u{1B}[2Jb", "  ", "漢字仮名", "x"]

    @Test("Sent only what differs, a terminal shows the new screen", arguments: 1...200 as ClosedRange<UInt64>)
    func differences(seed: UInt64) {
        var (random, terminal) = (Seeded(state: seed), TerminalEmulator(rows: 5, columns: 12))
        var shown: Screen?
        var screen = Screen(rows: 5, columns: 12)
        for _ in 0..<30 {
            if Int.random(in: 0..<4, using: &random) == 0 { screen = Screen(rows: 5, columns: 12) }
            screen.write(
                Self.texts[Int.random(in: 0..<Self.texts.count, using: &random)],
                row: Int.random(in: 0..<5, using: &random), column: Int.random(in: 0..<12, using: &random),
                style: Screen.Style(rawValue: UInt8.random(in: 0..<16, using: &random)))
            terminal.feed(Array(screen.sequence(replacing: shown).utf8))
            shown = screen
            #expect(terminal.lines == (0..<5).map { screen.text(row: $0) })
        }
        #expect(terminal.surprises.isEmpty)
    }

    @Test("The same screen needs nothing, one letter a few bytes")
    func sizes() {
        var old = Screen(rows: 24, columns: 80)
        for row in 0..<24 { old.write(String(repeating: "a", count: 80), row: row, column: 0) }
        #expect(old.sequence(replacing: old).isEmpty)
        #expect(old.sequence(replacing: nil).utf8.count > 24 * 80)
        var new = old
        new.write("b", row: 3, column: 4)
        #expect(new.sequence(replacing: old) == "\u{1B}[4;5H\u{1B}[0mb")
    }

    @Test("Texts outside are cut, and a wide character at the edge is left out")
    func edges() {
        var screen = Screen(rows: 1, columns: 5)
        screen.write("a日本", row: 0, column: 0)
        #expect(screen.text(row: 0) == "a日本")
        screen.write("日本国", row: 0, column: 0)
        #expect(screen.text(row: 0) == "日本")
        screen.write("x", row: 7, column: 0)
        screen.write("x", row: 0, column: 1)
        #expect(screen.text(row: 0) == " x本")
    }

    @Test("Escape sequences in texts are shown, not sent")
    func hostile() {
        var screen = Screen(rows: 2, columns: 40)
        screen.write("\u{1B}]0;title\u{7}\u{1B}[31mred\r\n\u{9B}2J", row: 0, column: 0)
        var terminal = TerminalEmulator(rows: 2, columns: 40)
        terminal.feed(Array(screen.sequence(replacing: nil).utf8))
        #expect(terminal.surprises.isEmpty)
        #expect(terminal.lines == ["\u{FFFD}]0;title\u{FFFD}\u{FFFD}[31mred\u{FFFD}\u{FFFD}\u{FFFD}2J", ""])
    }
}
