import Testing

@Suite("@Transient")
struct TransientTests {
    @Test("It expands to nothing")
    func expandsToNothing() {
        expectExpansion(of: "@Transient var note = \"\"", is: "var note = \"\"")
    }
}
