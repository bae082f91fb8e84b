import Testing

@Suite("@Model")
struct ModelTests {
    @Test("A class gets accessors, fields, a description, an encoder and the conformance")
    func expands() {
        expectExpansion(
            of: #"""
                @Model final class City {
                    #Index<City>([\.population])
                    @Attribute(.unique) var code: String
                    var population = 0
                    init(code: String) { self.code = code }
                }
                """#,
            is: #"""
                final class City {
                    var code: String {
                        @storageRestrictions(initializes: _code)
                        init(initialValue) {
                            _code = Loam._Field(initialValue)
                        }
                        get {
                            Loam._access(self, \.code)
                            if let value = _code.value {
                                return value
                            }
                            var field = _code
                            let value = Loam._load(self, 0, into: &field)
                            _code = field
                            return value
                        }
                        set {
                            Loam._willSet(self, 0, \.code)
                            _code = Loam._assign(newValue, to: 0, of: self)
                            Loam._didSet(self, \.code)
                        }
                    }

                    @exclusivity(unchecked) private var _code: Loam._Field<String>
                    var population {
                        @storageRestrictions(initializes: _population)
                        init(initialValue) {
                            _population = Loam._Field(initialValue)
                        }
                        get {
                            Loam._access(self, \.population)
                            if let value = _population.value {
                                return value
                            }
                            var field = _population
                            let value = Loam._load(self, 1, into: &field)
                            _population = field
                            return value
                        }
                        set {
                            Loam._willSet(self, 1, \.population)
                            _population = Loam._assign(newValue, to: 1, of: self)
                            Loam._didSet(self, \.population)
                        }
                    }

                    @exclusivity(unchecked) private var _population = Loam._Field(_like: 0)
                    init(code: String) { self.code = code }

                    @exclusivity(unchecked) var _$backing: Loam._ModelBacking? = nil

                    static var schemaMetadata: [Loam.Schema.PropertyMetadata] {
                        var properties: [Loam.Schema.PropertyMetadata] = []
                        properties.append(Loam.Schema.PropertyMetadata(name: "code", keypath: \City.code, metadata: Loam.Schema.Attribute(.unique)))
                        properties.append(Loam.Schema.PropertyMetadata(name: "population", keypath: \City.population, defaultValue: 0))
                        return properties
                    }

                    static var _indices: [any Loam._IndexMetadata] {
                        var indices: [any Loam._IndexMetadata] = []
                        indices.append(Loam.Schema.Index<City>([\.population]))
                        return indices
                    }

                    required init(_backing: Loam._ModelBacking) {
                        _code = Loam._Field()
                        _population = Loam._Field()
                        _$backing = _backing
                    }

                    func _encode(into encoder: inout Loam._RecordEncoder) throws {
                        try encoder.encode(_code, 0)
                        try encoder.encode(_population, 1)
                    }

                    func _invalidate(_ fields: Loam._FieldSet) {
                        if fields.contains(0) {
                            _code = Loam._Field()
                        }
                        if fields.contains(1) {
                            _population = Loam._Field()
                        }
                    }

                    typealias ID = Loam.PersistentIdentifier
                }

                nonisolated extension City: Loam.PersistentModel, Loam._Observable, Swift.Hashable, Swift.Identifiable {
                }

                @available(*, unavailable, message: "models are not Sendable: pass the model's persistentModelID, or use a ModelActor")
                extension City: Swift.Sendable {
                }
                """#)
    }

    @Test("What is not stored, static or transient is left alone, and a public class gets public members")
    func leavesOthersAlone() {
        expectExpansion(
            of: """
                @Model public class Note {
                    @Transient var isOpen = false
                    @Transient let created = Date()
                    static var limit = 3
                    var isLong: Bool { false }
                    var length: Int { get { 0 } set {} }
                    public init() {}
                }
                """,
            is: """
                public class Note {
                    var isOpen = false
                    let created = Date()
                    static var limit = 3
                    var isLong: Bool { false }
                    var length: Int { get { 0 } set {} }
                    public init() {}

                    @exclusivity(unchecked) public var _$backing: Loam._ModelBacking? = nil

                    public static var schemaMetadata: [Loam.Schema.PropertyMetadata] {
                        return []
                    }

                    public static var _indices: [any Loam._IndexMetadata] {
                        return []
                    }

                    public required init(_backing: Loam._ModelBacking) {
                        _$backing = _backing
                    }

                    public func _encode(into encoder: inout Loam._RecordEncoder) throws {

                    }

                    public func _invalidate(_ fields: Loam._FieldSet) {

                    }

                    public typealias ID = Loam.PersistentIdentifier
                }

                nonisolated extension Note: Loam.PersistentModel, Loam._Observable, Swift.Hashable, Swift.Identifiable {
                }

                @available(*, unavailable, message: "models are not Sendable: pass the model's persistentModelID, or use a ModelActor")
                extension Note: Swift.Sendable {
                }
                """)
    }

    @Test(
        "The type of an own id is written out where the source tells it",
        arguments: [
            ("var id: UUID", "typealias ID = UUID"), ("@Attribute(.unique) var id = UUID()", "typealias ID = UUID"),
            ("let id: String", "typealias ID = String"), ("var id = \"\"", "typealias ID = String"),
            ("var id = 0", "typealias ID = Int"), ("var id: Int? { nil }", "typealias ID = Int?"),
            ("private(set) var id: UUID", "typealias ID = UUID"), ("static var id = 3", "PersistentIdentifier"),
            ("var id = make()", nil), ("private var id: UUID", nil), ("var id: some Hashable { 3 }", nil),
            ("struct ID: Hashable {}", nil), ("var id: ID", nil),
            ("#if DEBUG\n    var id: Int { 3 }\n    #endif", nil),
        ] as [(String, String?)])
    func identities(declaration: String, identity: String?) {
        let expansion = expand("@Model final class City {\n    \(declaration)\n    init() {}\n}")
        if let identity {
            #expect(expansion.contains(identity))
        } else {
            #expect(!expansion.contains("typealias ID"))
        }
        let isPublic = declaration.hasPrefix("static")
        let publicly = expand("@Model public class City {\n    \(declaration)\n    init() {}\n}")
        #expect(publicly.contains("public typealias ID") == isPublic)
    }

    @Test("The description repeats default values with their types, and what the marks say")
    func describes() {
        let expansion = expand(
            #"""
            @Model final class Trip {
                #Unique<Trip>([\.name, \.start])
                #Index<Trip>(.sectioned([\.name, \.start]), .folded([\.name]))
                @Attribute(.unique, originalName: "title") var name: String = .init()
                var start: Date?
                var stops: [String] = []
                var note: String! = nil
                @Relationship(deleteRule: .cascade, inverse: \Leg.trip) var legs: [Leg] = []
                var `default`: Bool = true
                init() {}
            }
            """#)
        for line in [
            #"(name: "name", keypath: \Trip.name, defaultValue: (.init()) as String, metadata: Loam.Schema.Attribute(.unique, originalName: "title")))"#,
            #"(name: "start", keypath: \Trip.start))"#,
            #"(name: "stops", keypath: \Trip.stops, defaultValue: ([]) as [String]))"#,
            #"(name: "note", keypath: \Trip.note))"#,
            #"(name: "legs", keypath: \Trip.legs, metadata: Loam.Schema.Relationship(deleteRule: .cascade, inverse: \Leg.trip)))"#,
            #"(name: "default", keypath: \Trip.`default`, defaultValue: (true) as Bool))"#,
            #"indices.append(Loam.Schema.Unique<Trip>([\.name, \.start]))"#,
            #"indices.append(Loam.Schema.Index<Trip>(.sectioned([\.name, \.start]), .folded([\.name])))"#,
            "private var _note: Loam._Field<String?>",
            "private var _default: Loam._Field<Bool>",
        ] {
            #expect(expansion.contains(line))
        }
    }

    @Test("Comments, attributes and access of properties stay")
    func keepsTrivia() {
        let expansion = expand(
            """
            @Model final class Note {
                /// What it says.
                @available(*, deprecated) public private(set) var text: String // kept
                init(text: String) { self.text = text }
            }
            """)
        #expect(expansion.contains("/// What it says."))
        #expect(expansion.contains("@available(*, deprecated)"))
        #expect(expansion.contains("public private(set) var text: String {"))
    }
}
