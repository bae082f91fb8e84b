import Testing

@Suite("@_EphemeralProperty")
struct EphemeralPropertyTests {
    @Test("It is observed, and the store learns nothing of it")
    func expansion() {
        let model = expand(
            """
            @Model final class Note {
                var text: String
                @Attribute(.ephemeral) var isOpen = false
                init(text: String) { self.text = text }
            }
            """)
        #expect(model.contains("private var _isOpen = false\n"))
        #expect(model.contains(#"Loam._willSet(self, \.isOpen)"#))
        #expect(!model.contains(#"keypath: \Note.isOpen"#))
        #expect(!model.contains("encoder.encode(_isOpen"))
    }

    @Test("The field has the property's type, or that of its initial value")
    func field() {
        #expect(expand("class C {\n    @_EphemeralProperty var a: Int?\n}").contains("private var _a: Int?\n"))
        #expect(expand("class C {\n    @_EphemeralProperty var a: City!\n}").contains("private var _a: City?\n"))
    }

    @Test("One without a value is refused: an object from the store would have none")
    func withoutValue() {
        let told = Diagnoses(
            """
            @Model final class Note {
                @Attribute(.ephemeral) var size: Int
                init() { size = 1 }
            }
            """)
        #expect(
            told.messages == [
                "size: '.ephemeral' property 'size' needs an initial value: an object that comes from the store has no other"
            ])
    }
}
