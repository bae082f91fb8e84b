import LoamStorage

extension IndexDefinition {
    /// An index over keys as they are given on the command line.
    init(_ list: KeyList, kind: IndexKind = .ordered, folded: Set<String> = []) {
        self.init(
            list.keys.map { key in
                Component(key.path, key.direction, form: folded.contains(key.path) ? .caseAndDiacriticFolded : .exact)
            },
            kind: kind)
    }
}
