import Foundation
import LMDB
import Testing

@Suite struct CopyTests {
    @Test(arguments: [false, true])
    func aCopyHoldsTheSame(_ compacting: Bool) throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let rows = try environment.makeRows()
        try environment.fill(rows, 0..<2000)
        try environment.write { transaction in
            for key in 0..<UInt64(1500) { _ = try transaction.delete(key, in: rows) }
        }
        let destination = store.directory + "/copy"
        try environment.copy(to: destination, compacting: compacting)
        let copy = try Environment.open(path: destination)
        #expect(try copy.count(#require(try copy.database(named: "rows"))) == 500)
        #expect(try copy.info.usedBytes < environment.info.usedBytes || !compacting)
        let mode = try FileManager.default.attributesOfItem(atPath: destination)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func nothingIsOverwritten() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let error = #expect(throws: LMDBError.self) { try environment.copy(to: store.path, compacting: false) }
        #expect(error?.code == EEXIST)
        #expect(error?.kind == .exists)
        #expect(FileManager.default.fileExists(atPath: store.path))
    }

    @Test func aWriterCannotCopy() throws {
        let store = try TemporaryStore()
        let environment = try store.open()
        let failure = try kind {
            try environment.write { _ in try environment.copy(to: store.directory + "/copy", compacting: true) }
        }
        #expect(failure == .reentrant)
    }

    @Test func syncingWorksInBothModes() throws {
        let store = try TemporaryStore()
        try store.open().sync()
        try store.open { $0.isReadOnly = true }.sync()
    }
}
