import Testing

@Suite("@_PersistedProperty")
struct PersistedPropertyTests {
    @Test(
        "The field has the property's type, or that of its initial value",
        arguments: [
            ("a: Int", ": Loam._Field<Int>"), ("a: Int = 1", ": Loam._Field<Int>"), ("a: Int?", ": Loam._Field<Int?>"),
            ("a: City!", ": Loam._Field<City?>"), ("a = Date.now", " = Loam._Field(_like: Date.now)"),
            ("a = [City]()", " = Loam._Field(_like: [City]())"),
        ])
    func field(property: String, type: String) {
        #expect(expand("class C {\n    @_PersistedProperty(7) var \(property)\n}").contains("private var _a\(type)\n"))
    }

    @Test("A name in backticks keeps them, and its field has none")
    func backticks() {
        expectExpansion(
            of: "@_PersistedProperty(7) var `in`: Int",
            is: #"""
                var `in`: Int {
                    @storageRestrictions(initializes: _in)
                    init(initialValue) {
                        _in = Loam._Field(initialValue)
                    }
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

                @exclusivity(unchecked) private var _in: Loam._Field<Int>
                """#)
    }
}
