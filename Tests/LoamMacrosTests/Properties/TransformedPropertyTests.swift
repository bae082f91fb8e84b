import Testing

@Suite("A transformed property")
struct TransformedPropertyTests {
    @Test("is loaded, set and encoded as what a transformer makes of it")
    func expands() {
        let written = expand(
            #"""
            @Model final class Wall {
                @Attribute(.transformable(by: ShadeTransformer.self)) var shade: Shade?
                init() {}
            }
            """#)
        for text in [
            "let value = Loam._loadTransformed(self, 0, into: &field)",
            "_shade = Loam._assignTransformed(newValue, to: 0, of: self)",
            "try encoder.encodeTransformed(_shade, 0)",
            "metadata: Loam.Schema.Attribute(.transformable(by: ShadeTransformer.self))",
        ] {
            #expect(written.contains(text), "\(written)")
        }
    }
}
