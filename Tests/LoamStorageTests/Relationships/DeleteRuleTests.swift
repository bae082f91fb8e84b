import LoamStorage
import Testing

/// The delete rules, which are applied to what is stored.
@Suite struct DeleteRuleTests {
    let folder: TemporaryStore
    let store: Store
    let rows: RelatedRows

    init() throws {
        folder = try TemporaryStore()
        store = try folder.open()
        rows = RelatedRows(store: store)
    }

    /// Makes a folder with files, under a rule.
    private func make(_ rule: DeleteRule, isOptional: Bool = true) throws {
        try store.apply(
            .addEntities([
                EntityDefinition(
                    "Folder", properties: [PropertyDefinition("name", type: .string)],
                    relationships: [
                        RelationshipDefinition("files", to: "File", isToMany: true, deleteRule: rule, inverse: "folder")
                    ]),
                EntityDefinition(
                    "File", properties: [PropertyDefinition("name", type: .string)],
                    relationships: [
                        RelationshipDefinition("folder", to: "Folder", isOptional: isOptional),
                        RelationshipDefinition("parent", to: "File"),
                        RelationshipDefinition(
                            "parts", to: "File", isToMany: true, deleteRule: .cascade, inverse: "parent"),
                        RelationshipDefinition("origin", to: "File"),
                    ]),
            ]))
    }

    @Test func nullifyReachesRowsThatTheBatchDoesNotName() throws {
        try make(.nullify)
        let folder = try rows.insert("Folder", "a")
        let files = try (0..<3).map { try rows.insert("File", "\($0)", ["folder": folder]) }
        let result = try rows.save { try $0.delete(folder, "Folder") }
        #expect(Set(result.rows.map(\.rowID)) == Set(files + [folder]))
        for file in files { #expect(try rows.related(file, "folder", of: "File") == []) }
        #expect(try store.check().faults == [])
    }

    @Test func nullifyOfARequiredReferenceThrows() throws {
        try make(.nullify, isOptional: false)
        let folder = try rows.insert("Folder", "a")
        let file = try rows.insert("File", "f", ["folder": folder])
        #expect(
            storageError { try rows.save { try $0.delete(folder, "Folder") } }
                == .referenceRequired(relationship: "folder"))
        try rows.save { batch in
            try batch.delete(folder, "Folder")
            try batch.delete(file, "File")
        }
        #expect(try store.check().faults == [])
    }

    @Test func cascadeGoesOnThroughWhatItDeletes() throws {
        try make(.cascade)
        let folder = try rows.insert("Folder", "a")
        let file = try rows.insert("File", "f", ["folder": folder])
        let part = try rows.insert("File", "p", ["parent": file])
        let inner = try rows.insert("File", "i", ["parent": part])
        let copy = try rows.insert("File", "c", ["origin": inner])
        let result = try rows.save { try $0.delete(folder, "Folder") }
        #expect(Set(result.rows.map(\.rowID)) == [folder, file, part, inner, copy])
        #expect(try [file, part, inner].allSatisfy { try !rows.exists($0, "File") })
        #expect(try rows.related(copy, "origin", of: "File") == [])
        #expect(try store.check().faults == [])
    }

    @Test func cascadeEndsInACircle() throws {
        try make(.cascade)
        let first = try rows.insert("File", "1")
        let second = try rows.insert("File", "2", ["parent": first])
        try rows.save { try $0.set("parent", of: first, "File", to: second) }
        try rows.save { try $0.delete(second, "File") }
        #expect(try !rows.exists(first, "File"))
        #expect(try store.check().faults == [])
    }

    @Test func cascadeFollowsTheBatchNotWhatWasBefore() throws {
        try make(.cascade)
        let folders = try (0..<2).map { try rows.insert("Folder", "\($0)") }
        let files = try (0..<2).map { try rows.insert("File", "\($0)", ["folder": folders[$0]]) }
        var new: RowID = 0
        try rows.save { batch in
            try batch.set("folder", of: files[0], "File", to: folders[1])
            try batch.set("folder", of: files[1], "File", to: folders[0])
            new = try batch.insert("File", "new", ["folder": folders[0]])
            try batch.delete(folders[0], "Folder")
        }
        #expect(try rows.exists(files[0], "File"))
        #expect(try !rows.exists(files[1], "File"))
        #expect(try !rows.exists(new, "File"))
        #expect(try store.check().faults == [])
    }

    @Test func denyHoldsUnlessTheRowsGoToo() throws {
        try make(.deny)
        let folder = try rows.insert("Folder", "a")
        let file = try rows.insert("File", "f", ["folder": folder])
        #expect(
            storageError { try rows.save { try $0.delete(folder, "Folder") } } == .deletionDenied(relationship: "files")
        )
        #expect(try rows.exists(folder, "Folder"))
        try rows.save { batch in
            try batch.delete(folder, "Folder")
            try batch.set("folder", of: file, "File", to: nil)
        }
        #expect(try rows.exists(file, "File"))
        #expect(try store.check().faults == [])
    }

    @Test func noActionLeavesAReferenceThatReadsAsNil() throws {
        try make(.noAction)
        let folder = try rows.insert("Folder", "a")
        let file = try rows.insert("File", "f", ["folder": folder])
        try rows.save { try $0.delete(folder, "Folder") }
        #expect(try store.values(file, of: "File")?[1] == .uint(folder))
        #expect(try rows.related(file, "folder", of: "File") == [])
        let report = try store.check()
        #expect(report.faults == [])
    }

    @Test func aOneWayReferenceIsLetGoOf() throws {
        try make(.nullify)
        let file = try rows.insert("File", "f")
        let copy = try rows.insert("File", "c", ["origin": file])
        try rows.save { try $0.delete(file, "File") }
        #expect(try rows.related(copy, "origin", of: "File") == [])
        #expect(try store.check().faults == [])
    }
}
