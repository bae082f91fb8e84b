/// The storage of one mounted view's properties, by their order in the view, and the environment around it.
@MainActor final class PropertyPlace {
    /// What is around the view.
    var environment: EnvironmentValues
    /// The keys of the environment that the view has read since it was mounted.
    let reads = EnvironmentReads()
    /// Called with what the view's owner should know.
    let report: @MainActor (HostWarning) -> Void
    private var slots: [AnyObject] = []
    private var next = 0

    init(_ environment: EnvironmentValues, report: @escaping @MainActor (HostWarning) -> Void) {
        self.environment = environment
        self.report = report
    }

    /// The environment for properties, whose reads are noted in ``reads``.
    var observedEnvironment: EnvironmentValues {
        var values = environment
        values.reads = reads
        return values
    }

    /// Properties ask for their storage in the same order each time.
    func begin() { next = 0 }

    /// The storage of the next property, made where there is none.
    func storage<Storage: AnyObject>(_ make: () -> Storage) -> Storage {
        defer { next += 1 }
        if next < slots.count, let storage = slots[next] as? Storage { return storage }
        let storage = make()
        if next < slots.count { slots[next] = storage } else { slots.append(storage) }
        return storage
    }

    /// Lets go of the storage.
    func removeAll() { slots = [] }
}
