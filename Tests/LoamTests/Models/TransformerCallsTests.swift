import Foundation
import Loam
import Synchronization
import Testing

/// A transformer that counts the values that it is given.
private final class CountingTransformer: ValueTransformer {
    static let calls = Mutex(0)

    override func transformedValue(_ value: Any?) -> Any? {
        Self.calls.withLock { $0 += 1 }
        return (value as? String).map { Data($0.utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { String(data: $0, encoding: .utf8) }
    }
}

private enum Plain {
    @Model final class Wall {
        var id: Int
        @Attribute(.transformable(by: CountingTransformer.self)) var note: String = "none"

        init(id: Int) { self.id = id }
    }
}

private enum Indexed {
    @Model final class Wall {
        #Index<Wall>([\.id])
        var id: Int
        @Attribute(.transformable(by: CountingTransformer.self)) var note: String = "none"

        init(id: Int) { self.id = id }
    }
}

@Suite("A transformer")
struct TransformerCallsTests {
    @Test("is asked for defaults when a store is opened, and not when its schema is read again")
    func defaults() throws {
        let folder = try TemporaryFolder()
        let container = try folder.open(Plain.Wall.self)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Plain.Wall>()) == 0)
        let asked = CountingTransformer.calls.withLock { $0 }
        #expect(asked > 0)
        _ = try folder.open(Indexed.Wall.self)
        let before = CountingTransformer.calls.withLock { $0 }
        #expect(before > asked)
        #expect(try ModelContext(container).fetchCount(FetchDescriptor<Plain.Wall>()) == 0)
        #expect(CountingTransformer.calls.withLock { $0 } == before)
    }
}
