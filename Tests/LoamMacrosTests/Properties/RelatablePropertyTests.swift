import Testing

@Suite("@_RelatableProperty")
struct RelatablePropertyTests {
    @Test("There is no init accessor, and the field starts with the initial value")
    func expands() {
        expectExpansion(
            of: "@_RelatableProperty(7) var `in`: City",
            is: #"""
                var `in`: City {
                    get {
                        Loam._access(self, \.`in`)
                        if let value = _in.value {
                            return value
                        }
                        var field = _in
                        let value = Loam._load(self, 7, into: &field)
                        _in = field
                        return value
                    }
                    set {
                        Loam._willSet(self, 7, \.`in`)
                        _in = Loam._assign(newValue, to: 7, of: self)
                        Loam._didSet(self, \.`in`)
                    }
                }

                @exclusivity(unchecked) private var _in: Loam._Field<City> = Loam._Field()
                """#)
    }

    @Test(
        "The field has the property's type, or that of its initial value",
        arguments: [
            ("a: Int", ": Loam._Field<Int> = Loam._Field()"), ("a: Int = 1", ": Loam._Field<Int> = Loam._Field(1)"),
            ("a: City?", ": Loam._Field<City?> = Loam._Field(nil)"),
            ("a: City!", ": Loam._Field<City?> = Loam._Field(nil)"),
            ("a: Optional<City>", ": Loam._Field<Optional<City>> = Loam._Field(nil)"),
            ("a: [City] = []", ": Loam._Field<[City]> = Loam._Field([])"),
            ("a = [City]()", " = Loam._Field([City]())"),
        ])
    func field(property: String, type: String) {
        #expect(expand("class C {\n    @_RelatableProperty(7) var \(property)\n}").contains("private var _a\(type)\n"))
    }

    @Test("The initializer for stored rows empties the fields that have an initial value")
    func backed() {
        let model = expand(
            """
            @Model final class City {
                var name: String
                var population = 0
                var country: Country
                var twin: City?
                init(name: String, country: Country) {
                    (self.name, self.country) = (name, country)
                }
            }
            """)
        #expect(
            model.contains(
                """
                    required init(_backing: Loam._ModelBacking) {
                        _population = Loam._Field()
                        _twin = Loam._Field()
                        _$backing = _backing
                    }
                """))
        #expect(!model.contains("@storageRestrictions"))
    }

    /// Whether the properties of a class with this one beside another have init accessors.
    private func hasInitAccessors(_ property: String) -> Bool {
        let model = expand("@Model class C {\n    var b = 1\n    \(property)\n    init() { fatalError() }\n}")
        let count = model.split(separator: "@storageRestrictions").count - 1
        #expect(count == 0 || count == 2)
        return count == 2
    }

    @Test(
        "What may be a relationship leaves the whole class without init accessors",
        arguments: [
            "@Relationship var a: String", "var a: City", "var a: City?", "var a: City!", "var a: [City]?",
            "var a: Set<City>", "var a: Optional<[City]> = nil", "var a: Swift.Array<Model.City>", "var a: Model.Date",
            "var a: (City)", "var a = City()", "var a: [City] = []", "var a = Level.low", "var a = [City]()",
            "var a = make(3)", "var a: Character", "var a: Dictionary", "@Attribute(originalName: \"b\") var a: City",
        ])
    func related(property: String) {
        #expect(!hasInitAccessors(property))
    }

    @Test(
        "Attributes of well-known types, and what is marked as one, do not",
        arguments: [
            "var a: String", "var a: Int?", "var a: UInt8!", "var a: [Date]", "var a: Set<UUID>",
            "var a: [String: City]",
            "var a: Foundation.URL", "@Attribute var a: City", "@Attribute(.unique) var a: Level", "var a = -1",
            "var a = \"\"", "var a = [1.5, 2]", "var a = Date()", "var a = Date.now", "var a = UUID().uuidString",
            "var a: Optional<Decimal> = nil", "@Transient var c: City?; var a = false", "var a = [String]()",
            "var a: TimeInterval", "var a: Locale?", "enum Kind { case b }; var a: Kind?",
            "struct Spot {}; var a: [Spot]",
        ])
    func unrelated(property: String) {
        #expect(hasInitAccessors(property))
    }

    @Test("Nor do classes with a constant, which the compiler lets be set by an init accessor only")
    func constant() {
        #expect(hasInitAccessors("let a: City"))
    }
}
