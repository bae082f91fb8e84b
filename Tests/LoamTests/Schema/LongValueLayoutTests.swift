import Foundation
import Loam
import Testing

private enum OldPhotos {
    @Model final class Photo {
        var name: String
        var image: Data

        init(_ name: String, _ image: Data) { (self.name, self.image) = (name, image) }
    }
}

private enum NewPhotos {
    @Model final class Photo {
        var name: String
        var image: Data
        var rating = 0

        init(_ name: String, _ image: Data) { (self.name, self.image) = (name, image) }
    }
}

@Suite("A value too long for the record, in a record of an earlier layout")
struct LongValueLayoutTests {
    @Test("is compared when its row is saved in the present one")
    func saved() throws {
        let folder = try TemporaryFolder()
        let image = Data(repeating: 7, count: 40_000)
        do {
            let container = try ModelContainer(
                for: OldPhotos.Photo.self, configurations: ModelConfiguration(url: folder.store))
            let context = ModelContext(container)
            context.insert(OldPhotos.Photo("harbour", image))
            try context.save()
        }
        let container = try ModelContainer(
            for: NewPhotos.Photo.self, configurations: ModelConfiguration(url: folder.store))
        let (context, other) = (ModelContext(container), ModelContext(container))
        let photo = try #require(try context.fetch(FetchDescriptor<NewPhotos.Photo>()).first)
        let seen = try #require(try other.fetch(FetchDescriptor<NewPhotos.Photo>()).first)
        photo.rating = 5
        try context.save()
        #expect(try context.fetchCount(FetchDescriptor<NewPhotos.Photo>()) == 1)
        #expect(try other.fetchCount(FetchDescriptor<NewPhotos.Photo>()) == 1)
        #expect(photo.image == image && seen.image == image && seen.rating == 5)
        photo.image = Data(repeating: 8, count: 40_000)
        try context.save()
        #expect(try other.fetch(FetchDescriptor<NewPhotos.Photo>()) == [seen])
        #expect(seen.image == Data(repeating: 8, count: 40_000))
    }
}
