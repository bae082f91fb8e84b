import Loam
import Testing

/// A macro of another library, as `@Model` sees it: it says something of a property and adds no accessors.
@attached(peer) private macro CodedAs(_ name: String) =
    #externalMacro(module: "LoamPlugin", type: "TransientMacro")

@Model private final class Parcel {
    @CodedAs("n") var name: String
    @CodedAs("w") @Attribute(.unique) var code = 0
    @Attribute(.unique) @CodedAs("x") var description: String = "?"

    init(name: String) { self.name = name }
}

@Suite("Properties with macros of others")
struct ForeignMacroTests {
    @Test("are persisted")
    func persisted() throws {
        #expect(Parcel.schemaMetadata.map(\.name) == ["name", "code", "description"])
        let container = try memoryContainer(Parcel.self)
        let context = ModelContext(container)
        let parcel = Parcel(name: "box")
        context.insert(parcel)
        (parcel.code, parcel.description) = (3, "brown")
        try context.save()
        let read = try ModelContext(container).fetch(FetchDescriptor<Parcel>(predicate: #Predicate { $0.code == 3 }))
        #expect(read.map(\.name) == ["box"] && read.map(\.description) == ["brown"])
    }
}
