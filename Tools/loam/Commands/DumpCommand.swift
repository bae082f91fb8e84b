import ArgumentParser
import Foundation
import LoamStorage

/// `loam dump`: writes a store as lines of JSON.
struct DumpCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump",
        abstract: "Write a store as lines of JSON that 'loam load' reads.",
        discussion: """
            The first line describes the entities, each further line is one row with its entity, row id and values. \
            The dump is logical: it does not depend on LMDB's version. Every value reads back exactly.

            A dump is one state of the store, which other processes' saves do not change. The store keeps that state until \
            the last line is written, so a slow reader of a pipe makes the file grow; --output does not wait for anybody.
            """)

    @OptionGroup var target: StoreArgument

    @Argument(help: "The entities to dump; without any, all.")
    var entities: [String] = []

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write to a file, readable by you alone, which appears when the dump is complete.", valueName: "file"),
        completion: .file())
    var output: String?

    func run() throws {
        guard let output else {
            let store = try target.reading()
            let stream = OutputStream.standard
            try dump(store) { try stream.write($0) }
            return try stream.flush()
        }
        try target.files.refuse(output)
        let store = try target.reading()
        let file = try ReplacedFile(path: output, existing: .replaced)
        try dump(store) { try file.output.write($0) }
        try file.commit()
    }

    private func dump(_ store: Store, _ write: @escaping ([UInt8]) throws -> Void) throws {
        try store.read { snapshot in
            for name in entities { _ = try snapshot.schema.requireEntity(name) }
            let chosen = snapshot.schema.entities.filter { entities.isEmpty || entities.contains($0.name) }
            let total = try chosen.reduce(0) { try $0 + snapshot.count(of: $1) }
            let progress = Progress("Dumping", total: total)
            defer { progress.finish() }
            try StoreDump.write(chosen, of: snapshot, progress: { progress.update($0) }, to: write)
        }
    }
}
