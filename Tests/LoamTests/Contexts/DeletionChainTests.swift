import Foundation
import LoamStorage
import Testing

@testable import Loam

@Model private final class Folder {
    var name: String
    @Relationship(deleteRule: .cascade) var child: Folder?
    @Relationship(deleteRule: .cascade, inverse: \Page.folder) var pages: [Page] = []

    init(_ name: String) { self.name = name }
}

@Model private final class Page {
    var name: String
    var folder: Folder?
    /// The cover is deleted with the page, and takes the folder along in which it is.
    @Relationship(deleteRule: .cascade, inverse: \Cover.page) var cover: Cover?

    init(_ name: String) { self.name = name }
}

@Model private final class Cover {
    @Relationship(deleteRule: .cascade) var page: Page?

    init() {}
}

/// A deleted link lets go of the links after it, which get objects thereby; else those would be deleted as rows.
@Model private final class Link {
    var name: String
    var previous: Link?
    @Relationship(deleteRule: .nullify, inverse: \Link.previous) var next: [Link] = []

    init(_ name: String) { self.name = name }
}

/// Deletion goes from model to model by a list, not by a call within a call.
@Suite("Deleting chains of models")
struct DeletionChainTests {
    let container: ModelContainer

    init() throws {
        container = try memoryContainer(Folder.self)
    }

    private static let length = 20_000

    /// Makes a chain; returns the first folder and all of them.
    private func chain(_ context: ModelContext) -> [Folder] {
        var folders: [Folder] = []
        for number in 0..<Self.length {
            let folder = Folder("\(number)")
            context.insert(folder)
            folders.last?.child = folder
            folders.append(folder)
        }
        return folders
    }

    @Test("that are not saved yet leaves nothing")
    func unsaved() throws {
        let context = ModelContext(container)
        let folders = chain(context)
        context.delete(folders[0])
        #expect(context.insertedModelsArray.isEmpty && !context.hasChanges)
        #expect(folders.allSatisfy { $0.modelContext == nil })
        #expect(context.identities.count == 0 && context.changes.listed.inserted.isEmpty)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Folder>()) == 0)
    }

    @Test("that are stored, with and without objects, deletes them all", arguments: [true, false])
    func stored(_ hasObjects: Bool) throws {
        let context = ModelContext(container)
        var folders = chain(context)
        try context.save()
        let first = try #require(folders.first)
        if !hasObjects { folders = [] }
        context.delete(first)
        #expect(try context.fetchCount(FetchDescriptor<Folder>()) == 0)
        #expect(context.deletedModelsArray.count == Self.length)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Folder>()) == 0)
        #expect(try container.store.check().faults.isEmpty)
    }

    @Test("that close to a ring, saved or not, ends", arguments: [true, false])
    func ring(_ isSaved: Bool) throws {
        let context = ModelContext(container)
        let (folder, other, page, cover) = (Folder("a"), Folder("b"), Page("c"), Cover())
        context.insert(folder)
        folder.child = other
        other.child = folder
        folder.pages = [page]
        page.cover = cover
        if isSaved { try context.save() }
        context.delete(other)
        #expect(context.insertedModelsArray.isEmpty)
        #expect(context.deletedModelsArray.count == (isSaved ? 4 : 0))
        #expect(context.hasChanges == isSaved)
        try context.save()
        #expect([folder.modelContext, page.modelContext, cover.modelContext].allSatisfy { $0 == nil })
        #expect(try container.store.check().faults.isEmpty)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Page>()) == 0)
    }

    /// Each deleted model makes an object of the next row, which therefore cannot be deleted by its id. The rows of the
    /// chains without an object can be.
    @Test("by their rows looks at rows again only where they were touched", arguments: [1, 10, 1_000])
    func byRows(_ length: Int) throws {
        let container = try memoryContainer(Link.self)
        let context = ModelContext(container)
        let count = 1_000
        var last: Link?
        for number in 0..<count {
            let link = Link("\(number)")
            context.insert(link)
            link.previous = number % length > 0 ? last : nil
            last = link
        }
        try context.save()
        let deleting = ModelContext(container)
        let first = try #require(
            try deleting.fetch(FetchDescriptor<Link>(predicate: #Predicate { $0.name == "0" })).first)
        try deleting.delete(model: Link.self)
        #expect(first.isDeleted)
        #expect(deleting.deletions.examinedRows <= 3 * count)
        #expect(deleting.identities.count == length)
        #expect(try deleting.fetchCount(FetchDescriptor<Link>()) == 0)
        try deleting.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Link>()) == 0)
        #expect(try container.store.check().faults.isEmpty)
    }

    @Test("of which a part is saved and a part is not deletes the one and discards the other")
    func mixed() throws {
        let context = ModelContext(container)
        let (folder, child) = (Folder("a"), Folder("b"))
        folder.child = child
        let pages = ["1", "2"].map { Page($0) }
        child.pages = pages
        context.insert(folder)
        try context.save()
        let (new, page) = (Folder("c"), Page("3"))
        child.child = new
        new.pages = [page]
        child.pages.append(Page("4"))
        context.delete(folder)
        #expect(context.insertedModelsArray.isEmpty)
        #expect(context.deletedModelsArray.count == 4)
        #expect(try context.fetchCount(FetchDescriptor<Page>()) == 0)
        context.rollback()
        #expect(folder.child === child && child.child == nil && child.pages == pages)
        context.delete(folder)
        try context.save()
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Folder>()) == 0)
        #expect(try container.store.check().faults.isEmpty)
    }
}
