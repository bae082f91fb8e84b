import ArgumentParser

/// `loam explain`: tells how rows of an entity are found. It is `loam query` with `--explain`.
struct ExplainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain how rows of an entity are found, without printing them.",
        discussion: """
            Takes what 'loam query' takes. The plan is a tree of operators, one in a line; rows go from the innermost \
            operator to the outermost. Behind each stands what it is expected to read and to cost, in units of a record \
            that a scan of all reads, and with --level work what it has read and its own time. The last lines name the \
            indexes that would serve, where some would, and the commands that add them.

            Examples:
              loam explain f.loam flights --where 'dest = "HNL"' --sort=-distance
              loam explain f.loam flights --where 'dest = "HNL"' --level work
              loam explain f.loam flights --group carrier --json
            """)

    @OptionGroup var query: QueryCommand

    func run() throws {
        var query = query
        query.explain = true
        try query.run()
    }
}
