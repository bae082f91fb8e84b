// Errors of a container with several stores say which one it was.

extension SwiftDataError {
    /// Something was to be written to a store that was opened for reading only.
    init(readOnly configuration: ModelConfiguration, of container: ModelContainer) {
        let what = container.stores.count == 1 ? "container" : "configuration \(configuration.name) of the container"
        self.init(.storage, detail: "The \(what) was opened with allowsSave: false.")
    }

    /// What went wrong in one store of a container, after others were through with the same.
    ///
    /// - Parameters:
    ///   - error: what went wrong.
    ///   - store: where.
    ///   - done: the stores that were through with it.
    ///   - word: what was done with these.
    init(
        _ error: any Error, in store: ContainerStore, of container: ModelContainer, done: [ContainerStore], word: String
    ) {
        let error = SwiftDataError(error)
        guard container.stores.count > 1 else {
            self = error
            return
        }
        let names = done.map(\.configuration.name).joined(separator: ", ")
        let others = done.isEmpty ? "No store was \(word)." : "Already \(word): \(names)."
        self.init(error.code, detail: "In the configuration \(store.configuration.name): \(error.detail) \(others)")
    }
}
