import ArgumentParser
import Foundation
import LoamStorage

extension InputFormat: ExpressibleByArgument {}

/// `loam import`: reads rows from a file into a new or an existing entity.
struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a CSV file or JSON lines, all of it or nothing.",
        discussion: """
            CSV is RFC 4180 with a header line that names the columns. JSON lines hold one object each; nested values \
            are kept as JSON text. The store is created when there is none, and so is the entity: its types are the \
            narrowest that hold all values of the file (int64, double, bool for true and false, date for ISO 8601, \
            else string), and every property is optional. When the entity exists, rows are appended; columns must be \
            properties, and properties without a column become nil. An empty field is nil.

            Example:
              loam import f.loam flights flights.csv --null NA --index origin,-distance
            """)

    @OptionGroup var target: StoreArgument

    @Argument(help: "The entity that takes the rows.")
    var entity: String

    @Argument(
        help: "The file to read; - reads standard input. What is no regular file is read into memory.",
        completion: .file())
    var file: String

    @Option(help: "The file's format; without it, what the file's name says, else csv.")
    var format: InputFormat?

    @Option(
        help: ArgumentHelp(
            "Types of some columns, instead of those inferred: int, double, string, date, bool, or another type's name.",
            valueName: "a:int,b:double"))
    var types: [TypeList] = []

    @Option(
        name: .customLong("null"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A text that means nil, such as NA. May be repeated.", valueName: "token"))
    var nullTokens: [String] = []

    @Option(
        name: .customLong("index"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An index of the new entity; a minus means descending. May be repeated.", valueName: "a,-b"))
    var indexes: [KeyList] = []

    @Option(
        name: .customLong("unique"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A unique index of the new entity. May be repeated.", valueName: "a,b"))
    var uniqueIndexes: [KeyList] = []

    @Option(
        name: .customLong("fold"),
        help: ArgumentHelp(
            "An index of the new entity over a string without case and diacritics, which serves [cd]. May be repeated.",
            valueName: "name"))
    var foldedIndexes: [String] = []

    func run() throws {
        guard EntityDefinition.isValidName(entity) else { throw ArgumentError(.invalidEntityName(entity)) }
        if file != "-" { try target.files.refuseOwn(file) }
        let input = try InputFile(path: file, format: format, nullTokens: nullTokens)
        let isNewFile = !FileManager.default.fileExists(atPath: target.store)
        // A file that cannot be read must not leave an empty store behind.
        let inferred = isNewFile ? try inferColumns(of: input) : nil
        let store = try target.writing(createsFile: true)
        let count = try store.discardedOnFailure {
            if let existing = try store.read({ $0.schema.entity(named: entity) }) {
                try append(input, to: existing, of: store)
            } else {
                try create(inferred ?? inferColumns(of: input), from: input, in: store)
            }
        }
        if Terminal.isError { Terminal.writeError("\(Grouped.text(count)) rows imported.\n") }
    }

    private func inferColumns(of input: InputFile) throws -> (columns: [Column], rows: Int) {
        let progress = Progress("Inferring types")
        defer { progress.finish() }
        var given: [String: ValueType] = [:]
        for list in types { given.merge(list.types) { _, last in last } }
        return try input.inferColumns(types: given, progress: progress)
    }

    private func create(
        _ inferred: (columns: [Column], rows: Int), from input: InputFile, in store: Store
    ) throws -> Int {
        let columns = inferred.columns
        let definition = EntityDefinition(
            entity, properties: columns.map { PropertyDefinition($0.name, type: $0.type, isOptional: $0.isOptional) },
            indexes: try definitions(columns.map(\.name)))
        return try load(input.rows(columns), .newEntity(definition), count: inferred.rows, into: store)
    }

    private func append(_ input: InputFile, to existing: Entity, of store: Store) throws -> Int {
        let known = Dictionary(existing.properties.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        for (name, type) in types.flatMap(\.types) where known[name] != type {
            throw ArgumentError(.typesOfExistingEntity(entity, property: name))
        }
        for definition in try definitions(existing.properties.map(\.name))
        where !existing.indexes.contains(where: { $0.definition.isSame(as: definition, butForSections: true) }) {
            let keys = definition.components.map { ($0.direction == .descending ? "-" : "") + $0.keyPath }
            throw ArgumentError(.indexOfExistingEntity(entity, index: "\(entity) \(keys.joined(separator: ","))"))
        }
        // The properties in which relationships are kept are left nil.
        let positions = existing.properties.indices.filter { existing.properties[$0].role == .attribute }
        let columns = positions.map { position in
            let property = existing.properties[position]
            return Column(name: property.name, type: property.type, isOptional: property.isOptional)
        }
        return try load(input.rows(columns), .existingEntity(entity), count: nil, into: store) { values in
            var all = [Value](repeating: .null, count: existing.properties.count)
            for (position, value) in zip(positions, values) { all[position] = value }
            return all
        }
    }

    /// - Parameter arrange: brings values from the order of the columns to that of the entity's properties.
    private func load(
        _ rows: any RowReader, _ target: LoadTarget, count: Int?, into store: Store,
        _ arrange: ([Value]) -> [Value] = { $0 }
    ) throws -> Int {
        let progress = Progress("Importing", total: count)
        defer { progress.finish() }
        let result = try store.load(target, rowCount: count, progress: { progress.note($0) }) { load in
            var done = 0
            while let values = try rows.next() {
                do {
                    try load.append(arrange(values))
                } catch let error as StorageError {
                    throw RowError(line: rows.line, error: error)
                }
                done += 1
                progress.update(done)
            }
        }
        return result.rowCount
    }

    /// The indexes that the options ask for, each once. Of a plain and a unique index over the same keys, the unique
    /// one.
    private func definitions(_ names: [String]) throws -> [IndexDefinition] {
        let unique = uniqueIndexes.map { IndexDefinition($0, kind: .unique) }
        let plain = indexes.map { IndexDefinition($0) }
        let folded = foldedIndexes.map { name in
            IndexDefinition([.init(name, form: .caseAndDiacriticFolded)])
        }
        let known = Set(names)
        var seen: Set<[IndexDefinition.Component]> = []
        let all = (unique + plain + folded).filter { seen.insert($0.components).inserted }
        for component in all.flatMap(\.components) {
            let property = component.keyPath.split(separator: ".").first.map(String.init) ?? component.keyPath
            guard known.contains(property) else {
                throw ArgumentError(.unknownProperty(component.keyPath, entity: entity, known: names))
            }
        }
        return all
    }
}

/// A row that the store refused, and its line in the file.
struct RowError: Error, CustomStringConvertible {
    var line: Int
    var error: StorageError

    var description: String { "line \(line): \(error)" }
}

extension Progress {
    fileprivate func note(_ step: LoadProgress) {
        if case .index(let name, let entries) = step { note("index \(name), \(Grouped.text(entries)) entries") }
    }
}
