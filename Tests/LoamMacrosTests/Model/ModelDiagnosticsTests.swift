import LoamMacros
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import Testing

@Suite("What @Model refuses")
struct ModelDiagnosticsTests {
    /// A model whose body is `members`, with an initializer.
    private func model(_ members: String) -> String {
        """
        @Model final class City {
            \(members)
            init() {}
        }
        """
    }

    private func refusal(_ members: String) -> Diagnoses { Diagnoses(model(members)) }

    @Test(
        "Everything but a class",
        arguments: [
            ("struct City {}", "a struct", "final class City {}"), ("actor City {}", "an actor", "final class City {}"),
        ])
    func otherKinds(source: String, kind: String, fixed: String) {
        let told = Diagnoses("@Model \(source)")
        #expect(told.messages == ["@Model: '@Model' can only be applied to a class, not to \(kind)"])
        let keyword = source.prefix { $0 != " " }
        #expect(told.fixed == ["replace '\(keyword)' with 'final class'": "@Model \(fixed)"])
    }

    @Test(
        "What has no remedy",
        arguments: [
            ("enum City {}", "an enum"), ("protocol City {}", "a protocol"), ("extension City {}", "an extension"),
        ])
    func kindsWithoutRemedy(source: String, kind: String) {
        let told = Diagnoses("@Model \(source)")
        #expect(told.messages == ["@Model: '@Model' can only be applied to a class, not to \(kind)"])
        #expect(told.fixed.isEmpty)
    }

    @Test("A class that conforms through its superclass")
    func subclass() {
        var macros = loamMacros
        macros["Model"] = MacroSpec(type: ModelExpansion.self, conformances: [])
        let told = Diagnoses("@Model final class Capital: City, Codable { init() {} }", macros: macros)
        #expect(
            told.messages == ["City: a model class that inherits from another, here 'City', is not yet supported"])
        #expect(Diagnoses("@Model final class City: PersistentModel { init() {} }", macros: macros).messages.isEmpty)
    }

    @Test("A class of the main actor, and nothing is generated for it")
    func mainActor() {
        let told = Diagnoses("@Model @MainActor public final class City {\n    var name = \"\"\n    init() {}\n}")
        #expect(
            told.messages == [
                "@MainActor: model 'City' cannot be '@MainActor': a model belongs to the isolation of its context, and "
                    + "key paths to its properties are used by predicates and the store on any; use it with "
                    + "'container.mainContext' to have it on the main actor"
            ])
        #expect(
            told.fixed == [
                "replace '@MainActor' with 'nonisolated'":
                    "@Model nonisolated public final class City {\n    var name = \"\"\n    init() {}\n}"
            ])
    }

    @Test("A property of the main actor")
    func mainActorProperty() {
        let told = refusal("@MainActor var name = \"\"")
        #expect(
            told.messages == [
                "@MainActor: persisted property 'name' cannot be '@MainActor': it belongs to the isolation of its model's "
                    + "context"
            ])
        #expect(
            told.fixed == [
                "remove '@MainActor'": model("var name = \"\""),
                "mark it '@Transient' to keep it out of the store": model("@Transient @MainActor var name = \"\""),
            ])
    }

    @Test("A class without an initializer")
    func missingInitializer() {
        let told = Diagnoses(
            """
            @Model public final class City {
                var name: String
                var population = 0
                var country: Country?
            }
            """)
        #expect(told.messages == ["City: '@Model' requires an initializer be provided for 'City'"])
        #expect(
            told.fixed["add an initializer"] == """
                @Model public final class City {
                    var name: String
                    var population = 0
                    var country: Country?

                    public init(name: String) {
                        self.name = name
                    }
                }
                """)
    }

    @Test("A persisted constant")
    func constant() {
        let told = refusal("let name: String")
        #expect(
            told.messages == [
                "let: persisted property 'name' should be a 'var': its value is read from the store when it is first used, "
                    + "and beside it a relationship that an initializer sets first is not seen from the other model"
            ])
        #expect(told.fixed["replace 'let' with 'var'"] == model("var name: String"))
        #expect(told.fixed[transientFix] == model("@Transient let name: String"))
    }

    @Test("Observers", arguments: ["didSet { print(name) }", "willSet { }"])
    func observers(observer: String) {
        let told = refusal("var name: String = \"\" { \(observer) }")
        #expect(
            told.messages == [
                "\(observer): 'willSet' and 'didSet' of persisted property 'name' are never called: "
                    + "its accessors are generated"
            ])
        #expect(told.fixed["remove the observers"]?.contains("{ \(observer)") == false)
        #expect(told.fixed[transientFix] == model("@Transient var name: String = \"\" { \(observer) }"))
    }

    @Test("Both are kept", arguments: ["let name: String", "var name: String { didSet { print(name) } }"])
    func warnedOf(property: String) {
        #expect(expand(model(property)).contains("_name = Loam._Field()"))
    }

    @Test("A property wrapper")
    func wrapper() {
        let told = refusal("@Published var name: String = \"\"")
        #expect(
            told.messages == [
                "@Published: '@Published' makes accessors and cannot be applied to persisted property 'name', whose "
                    + "accessors are generated; macros that only add declarations beside a property can"
            ])
        #expect(told.fixed == [transientFix: model("@Transient @Published var name: String = \"\"")])
    }

    @Test(
        "Others that make accessors",
        arguments: ["@Combine.Published", "@Clamped(wrappedValue: 3)", "@ObservationIgnored"])
    func otherWrappers(attribute: String) {
        let told = refusal("\(attribute) var count = 3")
        #expect(told.messages.count == 1)
        #expect(told.messages.first?.contains("makes accessors") == true)
    }

    @Test("Macros of others", arguments: ["@CodedAs(\"n\")", "@Other.Traced", "@available(*, unavailable)"])
    func foreignMacros(attribute: String) {
        let source = "\(attribute) var name: String = \"\""
        #expect(refusal(source).messages.isEmpty)
        #expect(expand(model(source)).contains("private var _name: Loam._Field<String>"))
    }

    @Test("lazy, weak and unowned", arguments: ["lazy", "weak", "unowned"])
    func modifiers(modifier: String) {
        let told = refusal("\(modifier) var other: City? = nil")
        #expect(told.messages == ["\(modifier): persisted property 'other' cannot be '\(modifier)'"])
        #expect(told.fixed == [transientFix: model("@Transient \(modifier) var other: City? = nil")])
    }

    @Test(
        "Names that every model has", arguments: ["hashValue", "modelContext", "persistentModelID", "schemaMetadata"])
    func reservedNames(name: String) {
        #expect(
            refusal("var \(name): String").messages == [
                "\(name): a persisted property cannot be named '\(name)', which every model has already; "
                    + "'@Attribute(originalName:)' keeps the name of an older store"
            ])
    }

    @Test(
        "Names that the application takes",
        arguments: ["id", "rawValue", "description", "debugDescription", "hash", "count", "isDeleted", "hasChanges"])
    func flags(name: String) {
        #expect(refusal("var \(name) = false").messages.isEmpty)
    }

    @Test("Several properties in one declaration")
    func severalBindings() {
        #expect(
            refusal("var a = 1, b = 2").messages == ["a = 1, b = 2: declare each persisted property by itself"])
    }

    @Test("A pattern")
    func pattern() {
        #expect(
            refusal("var (a, b) = (1, 2)").messages == [
                "(a, b): a persisted property is a single name with its value, not a pattern"
            ])
    }

    @Test("A property without type and value, and nil without a type")
    func missingType() {
        #expect(refusal("var a").messages == ["a: persisted property 'a' needs a type or an initial value"])
        #expect(refusal("var a = nil").messages == ["nil: persisted property 'a' needs a type: 'nil' has none"])
    }

    @Test(
        "Types that no store keeps",
        arguments: ["(Int, Int)", "[(Int, Int)]", "() -> Void", "(() -> Void)?", "any Codable", "Int.Type"])
    func types(type: String) {
        let told = refusal("var a: \(type)")
        #expect(
            told.messages == [
                "\(type): persisted property 'a' cannot have the type '\(type)': the store keeps 'Codable' values and models"
            ])
        #expect(told.fixed == [transientFix: model("@Transient var a: \(type)")])
    }

    @Test("A transient property without a value")
    func transientWithoutValue() {
        #expect(
            refusal("@Transient var note: String").messages == [
                "note: '@Transient' property 'note' needs an initial value: an object that comes from the store has no other"
            ])
        #expect(refusal("@Transient var note: String?").messages.isEmpty)
        #expect(refusal("@Transient @Wrapped var note: String").messages.isEmpty)
        #expect(refusal("@Transient lazy var note = 3").messages.isEmpty)
        #expect(refusal("@Transient let note: String?").messages.count == 1)
    }

    @Test("A property under #if")
    func conditional() {
        let told = refusal("#if DEBUG\n    var note = 1\n    #endif")
        #expect(
            told.messages == [
                "var note = 1: a persisted property cannot stand in an '#if': the store's schema would depend on it"
            ])
        #expect(told.fixed == [transientFix: model("#if DEBUG\n    @Transient var note = 1\n    #endif")])
    }

    private let transientFix = "mark it '@Transient' to keep it out of the store"
}
