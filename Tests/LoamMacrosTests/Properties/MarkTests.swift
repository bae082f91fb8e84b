import Testing

@Suite("@Attribute, @Relationship and @Transient")
struct MarkTests {
    @Test(
        "They expand to nothing",
        arguments: [
            ("@Transient var note = \"\"", "var note = \"\""),
            ("@Attribute(.unique) var code: String", "var code: String"),
            (
                #"@Relationship(deleteRule: .deny, inverse: \Street.city) var streets: [Street]"#,
                "var streets: [Street]"
            ),
        ])
    func expandToNothing(source: String, expanded: String) {
        expectExpansion(of: source, is: expanded)
    }
}
