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
    /// A key path, or one in a function as the format grammar writes it: `lowercase:(name)`, with the colon or without.
    fileprivate init(_ key: KeyList.Key, form: StringForm) {
        guard key.path.last == ")", let start = key.path.firstIndex(of: "("),
            let function = Function(named: String(key.path[..<start]))
        else {
            self.init(key.path, direction: key.direction, form: form)
            return
        }
        let keyPath = key.path[key.path.index(after: start)...].dropLast()
        self.init(String(keyPath), direction: key.direction, function: function, form: form)
    }
}
