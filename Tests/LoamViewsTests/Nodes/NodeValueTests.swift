import LoamViews
import Testing

@Suite("Values of nodes")
struct NodeValueTests {
    @Test("are read as what means the same, and as nothing else") func readings() {
        #expect(NodeValue.number(3).integer == 3 && NodeValue.integer(3).number == 3)
        #expect(NodeValue.number(2.5).integer == nil && NodeValue.number(.infinity).integer == nil)
        #expect(NodeValue.number(.nan).integer == nil && NodeValue.number(1e300).integer == nil)
        #expect(NodeValue.text("3").integer == nil && NodeValue.text("true").flag == nil)
        #expect(NodeValue.flag(true).text == nil && NodeValue.integer(1).flag == nil)
        #expect(NodeValue.integer(2).integers == [2] && NodeValue.integers([1, 2]).integer == nil)
    }

    @Test("are dates by seconds and by texts") func dates() {
        let date = Date(timeIntervalSince1970: 86_400)
        #expect(NodeValue.date(date).date == date && NodeValue.integer(86_400).date == date)
        #expect(NodeValue.text("1970-01-02T00:00:00Z").date == date)
        #expect(NodeValue.text("tomorrow").date == nil && NodeValue.number(.nan).date == nil)
    }
}
