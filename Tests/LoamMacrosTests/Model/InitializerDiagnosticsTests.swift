import Testing

@Suite("What @Model says of initializers that leave a property without a value")
struct InitializerDiagnosticsTests {
    /// A class that may have relationships, with an initializer.
    private func model(_ initializer: String) -> String {
        """
        @Model final class City {
            var name: String
            var country: Country
            var twin: City?
            var streets: [Street] = []
            func prepare() {}
            func never() -> Never { fatalError() }
            \(initializer)
        }
        """
    }

    private func told(_ initializer: String) -> [String] { Diagnoses(model(initializer)).messages }

    private func message(_ name: String) -> String {
        "init: this initializer never sets persisted property '\(name)', which every 'City' needs: set "
            + "'self.\(name)' here, give it a default value, or make it optional"
    }

    @Test(
        "Each that is never set is told",
        arguments: [
            ("init() {}", ["name", "country"]),
            ("init(name: String) { self.name = name }", ["country"]),
            ("init(c: Country) { country = c\n        prepare() }", ["name"]),
            ("init(c: Country) { country = c\n        self.prepare() }", ["name"]),
            ("init(c: Country) { country = c\n        print(self.name) }", ["name"]),
            ("init(c: Country) { var name = \"\"\n        name = \"a\"\n        country = c }", ["name"]),
            ("init(c: Country) { if let c { country = c } else { return } }", ["name"]),
            ("init?(c: Country) { guard c.isFree else { return nil }\n        country = c }", ["name"]),
            ("init() throws { do { throw Refused() } catch {} }", ["name", "country"]),
            ("@available(*, deprecated) required init(from decoder: any Decoder) throws {}", ["name", "country"]),
            (
                "#if DEBUG\n    init() {}\n    #else\n    init(name: String) { never() }\n    #endif",
                ["name", "country"]
            ),
        ])
    func unset(initializer: String, names: [String]) {
        #expect(told(initializer) == names.map(message))
    }

    @Test(
        "Nothing is said where it is set, in whatever form, or where the end is not reached",
        arguments: [
            "init(name: String, country: Country) { self.name = name; self.country = country }",
            "init(c: Country) { (name, self.country) = (\"\", c) }",
            "init(c: Country) { ((name), (country)) = (\"\", c) }",
            "init(c: Country) { self.`name` = \"\"\n country = c }",
            "init(c: Country) { if c.isFree { name = \"a\" } else { self.name = \"b\" }\n country = c }",
            "init(c: Country) { switch c { case .a: name = \"a\"; country = c\n default: fatalError() } }",
            "init(c: Country) { for name in [\"a\"] { self.name = name }\n defer { country = c } }",
            "init(c: Country) throws { do { name = try c.name() } catch { name = \"\" }\n country = c }",
            "init(c: Country) { do { var name = \"\"\n name += \"a\" }\n name = \"\"\n country = c }",
            "init(c: Country) { fill(&name, &self.country) }",
            "init(c: Country) async { name = await c.name()\n country = try! await c.find() }",
            "init(c: Country) { [1].forEach { _ in name = \"\"; self.country = c } }",
            "#if DEBUG\n init() { name = \"\"; country = Country() }\n #endif",
            "convenience init() { self.init(name: \"\") }",
            "init() { self.init(name: \"\") }",
            "@Filled init() {}",
            "init() { #fill(self) }",
            "required init(from decoder: any Decoder) throws { fatalError(\"never\") }",
            "required init(from decoder: any Decoder) throws { fatalError()\n print(1) }",
            "required init(from decoder: any Decoder) throws { throw Refused() }",
            "required init(from decoder: any Decoder) throws { unimplemented() }",
            "required init(from decoder: any Decoder) throws { Crash.now() }",
            "required init(from decoder: any Decoder) throws { self.never() }",
            "required init(from decoder: any Decoder) throws { try decoder.refuse() }",
            "required init(from decoder: any Decoder) throws { if a { throw A() } else { fatalError() } }",
            "required init(from decoder: any Decoder) throws { switch a { default: throw A() } }",
            "required init(from decoder: any Decoder) throws { while true {} }",
            "init?(old: Int) { return nil }",
            "init(old: Int) { name = \"\"\n unimplemented() }",
            "init(old: Int) {\n #if DEBUG\n fatalError()\n #else\n throw A()\n #endif\n }",
        ])
    func set(initializer: String) {
        #expect(told(initializer) == [])
    }

    @Test("A class without relationships is the compiler's to check")
    func unrelated() {
        #expect(Diagnoses("@Model final class Note {\n    var text: String\n    init() {}\n}").messages == [])
    }

    @Test("The missing line is offered")
    func fixed() {
        let fixed = Diagnoses(model("init(name: String) {\n        self.name = name\n    }")).fixed
        #expect(
            fixed["set 'self.country'"]
                == model("init(name: String) {\n        self.name = name\n        self.country = <#Country#>\n    }"))
    }
}
