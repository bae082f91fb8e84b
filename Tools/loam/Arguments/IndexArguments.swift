import LoamStorage

extension IndexDefinition {
    /// Makes an index over keys as they are given on the command line.
    init(_ list: KeyList, kind: IndexKind = .ordered, folded: Set<String> = []) {
        self.init(
            list.keys.map { key in
                Component(key, form: folded.contains(key.path) ? .caseAndDiacriticFolded : .exact)
            },
            kind: kind)
    }
}

extension IndexDefinition.Component {
    /// A key path, or one in a function or a form, as indexes are printed: `length(name)`, `fold(name)`,
    /// `year(born, 'Europe/Berlin')`; a function's name may have its colons.
    fileprivate init(_ key: KeyList.Key, form: StringForm) {
        self.init(key.path, direction: key.direction, form: form)
        guard key.path.last == ")", let start = key.path.firstIndex(of: "(") else { return }
        let name = String(key.path[..<start])
        let arguments = KeyList.parts(key.path[key.path.index(after: start)...].dropLast()).map(\.trimmed)
        guard let keyPath = arguments.first else { return }
        if let function = Function(named: name), arguments.count == 1 {
            self.init(keyPath, direction: key.direction, function: function, form: form)
        } else if let function = Function(named: name), function.entry.takesTimeZone, arguments.count == 2,
            let zone = Self.unquoted(arguments[1])
        {
            self.init(keyPath, direction: key.direction, function: function, timeZone: zone, form: form)
        } else if form == .exact, let ownForm = StringForm.words[name], arguments.count == 1 {
            self.init(KeyList.Key(path: keyPath, direction: key.direction), form: ownForm)
        }
    }

    private static func unquoted(_ text: String) -> String? {
        guard let quote = text.first, quote == "'" || quote == "\"", text.count >= 2, text.last == quote else {
            return nil
        }
        return String(text.dropFirst().dropLast())
    }
}
