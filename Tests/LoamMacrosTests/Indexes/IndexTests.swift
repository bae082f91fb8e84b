import Testing

@Suite("#Index and #Unique")
struct IndexTests {
    @Test("They expand to nothing in a model")
    func expandToNothing() {
        let expansion = expand(
            #"@Model final class City { #Index<City>([\.name]); #Unique<City>([\.name]); var name = ""; init() {} }"#)
        #expect(!expansion.contains("#"))
    }

    @Test("They are refused outside a model", arguments: ["Index", "Unique"])
    func outsideModel(name: String) {
        for source in [#"#\#(name)<City>([\.name])"#, #"class City { #\#(name)<City>([\.name]) }"#] {
            #expect(
                Diagnoses(source).messages == [
                    "#\(name)<City>([\\.name]): '#\(name)' has to stand in the body of a '@Model' class"
                ])
        }
    }

    /// The diagnoses of a model with the declarations.
    private func refusal(_ declarations: String) -> Diagnoses { Diagnoses(model(declarations)) }

    private func model(_ declarations: String) -> String {
        """
        @Model final class City {
            \(declarations)
            var name: String = ""
            @Transient var note = ""
            var size: Int { 0 }
            init() {}
        }
        """
    }

    @Test("A second one is refused", arguments: ["Index", "Unique"])
    func second(name: String) {
        #expect(
            refusal(#"#\#(name)<City>([\.name]); #\#(name)<City>([\.name])"#).messages == [
                "#\(name)<City>([\\.name]): a model has one '#\(name)': put all lists of key paths into it"
            ])
    }

    @Test("Another model's is refused")
    func otherModel() {
        let told = refusal(#"#Index<Street>([\.name])"#)
        #expect(told.messages == ["Street: '#Index' in 'City' cannot be about 'Street'"])
        #expect(told.fixed == ["replace 'Street' with 'City'": model(#"#Index<City>([\.name])"#)])
    }

    @Test("One without key paths is refused")
    func empty() {
        #expect(
            refusal("#Unique<City>()").messages == [
                "#Unique<City>(): '#Unique' needs a list with at least one key path, like '[\\.name]'"
            ])
        #expect(
            refusal(#"#Index<City>([\.name], [])"#).messages == [
                "[]: '#Index' needs a list with at least one key path, like '[\\.name]'"
            ])
    }

    @Test("An r-tree is refused")
    func rtree() {
        #expect(
            refusal(#"#Index<City>(.rtree([\.name]))"#).messages == [
                ".rtree([\\.name]): indexes of kind '.rtree' are not yet supported"
            ])
    }

    @Test("A list that is not written out is refused")
    func listIsNoLiteral() {
        #expect(
            refusal("#Index<City>(paths)").messages == [
                "paths: the key paths have to be written as a list, like '[\\.country, \\.name]'"
            ])
    }

    @Test("A part of a property is refused")
    func deepKeyPath() {
        #expect(
            refusal(#"#Index<City>([\.name.count])"#).messages == [
                "\\.name.count: an index over a part of a property is not yet supported; functions are written as "
                    + "'.length(\\.name)'"
            ])
    }

    @Test("A function of what is not persisted is refused")
    func functionOfUnknownProperty() {
        #expect(
            refusal(#"#Index<City>([.length(\.name), .value(\.note).descending], [.length(\.size)])"#).messages == [
                "\\.note: 'note' is not a persisted property of 'City'",
                "\\.size: 'size' is not a persisted property of 'City'",
            ])
    }

    @Test("Functions are handed on as they are written")
    func functions() {
        let expansion = expand(
            #"@Model final class City { #Index<City>([.length(\.name), .value(\.name).descending]); var name = ""; init() {} }"#
        )
        #expect(expansion.contains(#"Loam.Schema.Index<City>([.length(\.name), .value(\.name).descending])"#))
    }

    @Test("What is not persisted is refused", arguments: ["note", "size", "other"])
    func unknownProperty(name: String) {
        #expect(
            refusal("#Index<City>([\\.\(name)])").messages == [
                "\\.\(name): '\(name)' is not a persisted property of 'City'"
            ])
    }
}
