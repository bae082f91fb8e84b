import Foundation

/// An argument that is well formed but does not fit the store or the file.
struct ArgumentError: Error, Hashable, CustomStringConvertible {
    enum Kind: Hashable {
        case unknownColumnOfTypes(String)
        case unknownEntity(String, known: [String])
        case unknownProperty(String, entity: String, known: [String])
        case unknownIndex(String, known: [String])
        case ambiguousIndex(String, names: [String])
        case notIndexable(String)
        case typesOfExistingEntity(String, property: String)
        case indexOfExistingEntity(String, index: String)
        case foldedNotString(String)
        case fileExists(String)
        case invalidEntityName(String)
        case sameFile(String)
        case storeFile(String)
        case schemaChanged(String)
        case nobodyToAsk
    }

    let kind: Kind

    init(_ kind: Kind) {
        self.kind = kind
    }

    var description: String {
        func list(_ names: [String]) -> String {
            names.isEmpty ? "none" : names.map { Printable.escaped($0, limit: 60) }.joined(separator: ", ")
        }
        func name(_ text: String) -> String { "'\(Printable.escaped(text, limit: 60))'" }
        return switch kind {
        case .unknownColumnOfTypes(let column): "--types names \(name(column)), which is no column of the file"
        case .unknownEntity(let entity, let known): "there is no entity \(name(entity)); the store has: \(list(known))"
        case .unknownProperty(let property, let entity, let known):
            "entity \(name(entity)) has no property \(name(property)); it has: \(list(known))"
        case .unknownIndex(let index, let known): "there is no index \(name(index)); the store has: \(list(known))"
        case .ambiguousIndex(let index, let names):
            "several indexes are called \(name(index)); say which: \(list(names))"
        case .notIndexable(let property): "\(name(property)) is a nested value and has no order to index"
        case .typesOfExistingEntity(let entity, let property):
            "entity \(name(entity)) exists, and its property \(name(property)) has another type than --types says"
        case .indexOfExistingEntity(let entity, let index):
            "entity \(name(entity)) exists without this index; after the import, add it: loam index STORE add \(index)"
        case .foldedNotString(let property): "\(name(property)) is not a string and cannot be folded"
        case .fileExists(let path): "\(name(path)) exists already; choose another name or remove it first"
        case .invalidEntityName(let entity):
            "\(name(entity)) cannot be an entity's name: that has 1 to 255 bytes and neither a dot nor a comma nor a "
                + "control character"
        case .sameFile(let path): "\(name(path)) is the store itself or its lock file; choose another file"
        case .schemaChanged(let entity):
            "entity \(name(entity)) was changed by somebody else while its rows were read; run the query again"
        case .storeFile(let path):
            "\(name(path)) is a store, or the name of a store's lock file; choose another file, or remove the store first"
        case .nobodyToAsk: "nothing was done: there is no terminal to ask on; say --yes to go ahead"
        }
    }
}
