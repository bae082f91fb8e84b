import ArgumentParser
import LoamStorage

/// Key paths with directions, separated by commas: `origin,-time_hour`. A minus means descending, a plus or nothing
/// ascending; no path may stand twice. Commas in parentheses and quotes separate nothing.
struct KeyList: ExpressibleByArgument, Hashable {
    struct Key: Hashable {
        var path: String
        var direction: SortDirection
    }

    var keys: [Key]

    init?(argument: String) {
        var keys: [Key] = []
        for part in Self.parts(argument) {
            var path = part.trimmingPrefix(while: \.isWhitespace)
            let direction: SortDirection = path.first == "-" ? .descending : .ascending
            if path.first == "-" || path.first == "+" { path = path.dropFirst() }
            while path.last?.isWhitespace == true { path = path.dropLast() }
            guard !path.isEmpty else { return nil }
            keys.append(Key(path: String(path), direction: direction))
        }
        guard Set(keys.map(\.path)).count == keys.count else { return nil }
        self.keys = keys
    }

    /// What stands between the commas that are in neither parentheses nor quotes.
    static func parts(_ text: some StringProtocol) -> [Substring] {
        let text = Substring(text)
        var (parts, start, depth, quote): ([Substring], String.Index, Int, Character?) = ([], text.startIndex, 0, nil)
        for index in text.indices {
            switch text[index] {
            case let mark where mark == quote: quote = nil
            case _ where quote != nil: break
            case "'", "\"": if depth > 0 { quote = text[index] }
            case "(": depth += 1
            case ")": depth -= 1
            case "," where depth <= 0:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        // Where a parenthesis stays open it is part of a name, and all commas separate.
        guard depth <= 0, quote == nil else { return text.split(separator: ",", omittingEmptySubsequences: false) }
        return parts + [text[start...]]
    }

    /// The list as it is written on the command line.
    var description: String {
        keys.map { ($0.direction == .descending ? "-" : "") + $0.path }.joined(separator: ",")
    }
}

/// Names separated by commas: `name,population`. Commas in parentheses and quotes separate nothing.
struct NameList: ExpressibleByArgument, Hashable {
    var names: [String]

    init?(argument: String) {
        names = KeyList.parts(argument).map(String.init)
        guard names.allSatisfy({ !$0.isEmpty }) else { return nil }
    }
}

/// Columns with types: `a:int,b:double`.
struct TypeList: ExpressibleByArgument, Hashable {
    var types: [String: ValueType]

    init?(argument: String) {
        types = [:]
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            guard let colon = part.lastIndex(of: ":") else { return nil }
            let name = String(part[..<colon])
            guard !name.isEmpty, let type = Self.type(String(part[part.index(after: colon)...])) else { return nil }
            guard types.updateValue(type, forKey: name) == nil else { return nil }
        }
    }

    private static func type(_ word: String) -> ValueType? {
        word == "int" ? .int64 : ValueType.simple[word]
    }
}
