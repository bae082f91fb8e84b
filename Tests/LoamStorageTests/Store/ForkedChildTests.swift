import Foundation
import LMDB
import LoamStorage
import Testing

/// A child of `fork` has the store's memory, but neither its threads nor its locks.
@Suite struct ForkedChildTests {
    @Test func savesAndRowIDsAreRefused() throws {
        let temporary = try TemporaryStore()
        let store = try temporary.open()
        try store.apply(.addEntity(EntityDefinition("City", properties: [PropertyDefinition("name", type: .string)])))
        var batch = WriteBatch()
        batch.insert(
            try store.catalog().encode(["name": .string("Bern")], as: "City"), into: try store.entity("City").id,
            rowID: try store.makeRowID())
        // Swift does not offer fork, so it is looked up by its name.
        typealias Fork = @convention(c) () -> pid_t
        let symbol = try #require(dlsym(nil, "fork"))
        let child = unsafeBitCast(symbol, to: Fork.self)()
        if child == 0 {
            // A child that hangs is ended by a signal.
            alarm(20)
            let refusals = [
                isRefused { try store.save(batch) }, isRefused { _ = try store.makeRowID() },
                isRefused { try store.read { _ in } },
            ]
            _exit(Int32(refusals.count { $0 }))
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        #expect(status == 3 << 8)
        try store.save(batch)
        #expect(try store.read { try $0.count(of: $0.entity(named: "City")) } == 1)
    }

    private func isRefused(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return false
        } catch {
            return (error as? LMDBError)?.kind == .forked
        }
    }
}
