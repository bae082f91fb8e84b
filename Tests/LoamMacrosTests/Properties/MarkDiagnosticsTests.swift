import Testing

@Suite("What @Attribute, @Relationship and @Transient refuse")
struct MarkDiagnosticsTests {
    @Test("Declarations that are no properties", arguments: ["Attribute", "Relationship", "Transient"])
    func noProperty(mark: String) {
        #expect(
            Diagnoses("@\(mark) func name() {}").messages == [
                "@\(mark): '@\(mark)' can only be applied to a property of a model"
            ])
    }

    @Test("Computed and static properties", arguments: ["Attribute", "Relationship"])
    func unstoredProperty(mark: String) {
        for property in ["var a: Int { 1 }", "static var a = 1"] {
            let told = Diagnoses("struct S {\n    @\(mark) \(property)\n}")
            #expect(
                told.messages == [
                    "@\(mark): '@\(mark)' has no meaning for a computed or static property: the store does not keep it"
                ])
            #expect(told.fixed == ["remove '@\(mark)'": "struct S {\n    \(property)\n}"])
        }
    }

    @Test("A transient property with another mark", arguments: ["Attribute", "Relationship"])
    func onTransient(mark: String) {
        let told = Diagnoses("@Transient @\(mark) var a = 1")
        #expect(told.messages == ["@\(mark): '@\(mark)' has no meaning for a '@Transient' property"])
        #expect(
            told.fixed == [
                "remove '@\(mark)'": "@Transient var a = 1", "remove '@Transient'": "@\(mark) var a = 1",
            ])
    }

    @Test("An attribute that is a relationship")
    func attributeAndRelationship() {
        let told = Diagnoses("@Attribute @Relationship var a: City?")
        #expect(
            told.messages == [
                "@Attribute: a property is either an attribute or a relationship: '@Attribute' and '@Relationship' exclude each other"
            ])
        #expect(told.fixed == ["remove '@Relationship'": "@Attribute var a: City?"])
    }

    @Test(
        "Attribute options that are not there yet",
        arguments: ["compressed", "encrypted(by: \"T\")"])
    func attributeOptions(option: String) {
        let name = option.prefix { $0 != "(" }
        #expect(
            Diagnoses("@Attribute(.\(option)) var a: Int").messages == [
                ".\(option): attribute option '.\(name)' is not yet supported"
            ])
    }

    @Test(
        "Attribute options that are there",
        arguments: [
            ".unique", ".externalStorage", ".codable", ".allowsCloudEncryption", ".preserveValueOnDeletion",
            ".transformable(by: ColorTransformer.self)", ".transformable(by: \"Color\")",
            "Schema.Attribute.Option.unique",
        ])
    func supportedOptions(option: String) {
        #expect(
            Diagnoses("@Attribute(\(option), originalName: \"b\", hashModifier: \"2\") var a: Int").messages.isEmpty)
    }

    @Test("An original name that is not known at compile time", arguments: ["Attribute", "Relationship"])
    func originalName(mark: String) {
        for value in ["name", "\"\"", "\"a\\(b)\""] {
            #expect(
                Diagnoses("@\(mark)(originalName: \(value)) var a: City").messages == [
                    "\(value): 'originalName' has to be a string literal that is not empty"
                ])
        }
    }

    @Test("Relationship options")
    func relationshipOptions() {
        #expect(
            Diagnoses("@Relationship(.unique) var a: City?").messages == [
                ".unique: relationship option '.unique' is not yet supported"
            ])
    }

    @Test(
        "A relationship to values",
        arguments: [
            ("a: String", "String"), ("a: [Int]", "Int"), ("a: Date?", "Date"), ("a: [UUID]?", "UUID"),
            ("a: Foundation.URL", "URL"), ("a = \"x\"", "String"), ("a = 1", "Int"), ("a = 1.5", "Double"),
            ("a = true", "Bool"),
        ])
    func relationshipToValue(property: String, type: String) {
        let told = Diagnoses("@Relationship(deleteRule: .cascade) var \(property)")
        #expect(
            told.messages == [
                "@Relationship(deleteRule: .cascade): '@Relationship' property 'a' has to lead to models, and '\(type)' is a value"
            ])
        #expect(told.fixed == ["remove '@Relationship'": "var \(property)"])
    }

    @Test("An inverse that does not name a property of a model")
    func inverse() {
        #expect(
            Diagnoses("@Relationship(inverse: path) var a: City?").messages == [
                "path: 'inverse' has to be a key path literal like '\\City.country'"
            ])
        for path in [#"\.country"#, #"\City.country.name"#] {
            #expect(
                Diagnoses("@Relationship(inverse: \(path)) var a: City?").messages == [
                    "\(path): 'inverse' has to name a model and one of its properties, like '\\City.country'"
                ])
        }
        #expect(Diagnoses("@Relationship(inverse: nil) var a: City?").messages.isEmpty)
        #expect(Diagnoses(#"@Relationship(inverse: \City.country) var a: [City]"#).messages.isEmpty)
    }

    @Test("Bounds that cross")
    func counts() {
        let mark = "@Relationship(minimumModelCount: 3, maximumModelCount: 2)"
        #expect(
            Diagnoses("\(mark) var a: [City]").messages == [
                "\(mark): 'minimumModelCount' of 3 is more than 'maximumModelCount' of 2"
            ])
        #expect(Diagnoses("@Relationship(minimumModelCount: 3, maximumModelCount: 0) var a: [City]").messages.isEmpty)
    }
}
