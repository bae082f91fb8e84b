import Testing
import WorldFaces

@Suite struct TextTests {
    @Test("Control characters, separators and marks of direction become replacement characters")
    func inert() {
        #expect("a\u{1B}[2Jb".inert == "a\u{FFFD}[2Jb")
        #expect("1\r\n2\t3\u{7F}\u{9B}31m".inert == "1\u{FFFD}\u{FFFD}2\u{FFFD}3\u{FFFD}\u{FFFD}31m")
        #expect("\u{202E}evil\u{2066}\u{2028}".inert == "\u{FFFD}evil\u{FFFD}\u{FFFD}")
        #expect("Côte d’Ivoire 日本 👩‍👩‍👧".inert == "Côte d’Ivoire 日本 👩‍👩‍👧")
    }

    @Test("Wide characters take two columns, marks none")
    func widths() {
        #expect("Laos".displayWidth == 4)
        #expect("日本".displayWidth == 4)
        #expect("e\u{301}".displayWidth == 1)
        #expect("👩‍👩‍👧".displayWidth == 2)
        #expect("🇱🇦".displayWidth == 2)
        #expect("\u{200B}".displayWidth == 0)
        #expect("한글".displayWidth == 4)
    }

    @Test("A text is cut or filled to a number of columns, and a wide character is never halved")
    func fitting() {
        #expect("Laos".fitted(to: 6) == "Laos  ")
        #expect("Laos".fitted(to: 3) == "La…")
        #expect("日本国".fitted(to: 4) == "日… ")
        #expect("日本国".fitted(to: 0) == "")
        for columns in 0...8 { #expect("a日b本".fitted(to: columns).displayWidth == columns) }
    }

    @Test("Texts in HTML open no element and close no attribute")
    func html() {
        #expect("</script><b a=\"'&".escapedForHTML == "&lt;/script&gt;&lt;b a=&quot;&#39;&amp;")
        #expect("\0".escapedForHTML == "\u{FFFD}")
    }
}
