import LoamViews
import Testing

@Suite("Outlines") @MainActor
struct OutlineTests {
    @Test("show text from outside on one line, with its escape sequences") func hostileText() {
        let host = ViewHost { Text(verbatim: "</script>\n\u{1B}[2J\"") }
        #expect(host.root.outline == "Root\n  Text \"</script>\\n\\u{1B}[2J\\\"\"")
    }
}
