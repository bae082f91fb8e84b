import Dispatch

/// An actor with a context of its own. `@ModelActor` makes an actor conform.
///
/// ```swift
/// @ModelActor actor Importer {
///     func add(_ names: [String]) throws {
///         for name in names { modelContext.insert(City(name: name)) }
///         try modelContext.save()
///     }
/// }
/// ```
///
/// The executor that the macro makes runs on a queue of its own, so that a save that waits for the disk holds no
/// thread of the cooperative pool.
public protocol ModelActor: Actor {
    /// The container whose models the actor works with.
    nonisolated var modelContainer: ModelContainer { get }
    /// Runs the actor's jobs and owns its context. It has to be a ``SerialModelExecutor``.
    nonisolated var modelExecutor: any ModelExecutor { get }
}

extension ModelActor {
    /// The executor that the actor's jobs run on. Stops the process where ``modelExecutor`` is no
    /// ``SerialModelExecutor``: an actor cannot run on it.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        let executor = modelExecutor
        if let executor = executor as? DefaultSerialModelExecutor { return executor.asUnownedSerialExecutor() }
        guard let executor = executor as? any SerialExecutor else {
            preconditionFailure("The model executor of \(Self.self) has to be a SerialModelExecutor.")
        }
        return executor.asUnownedSerialExecutor()
    }

    /// The context of the actor's executor, with the models that the actor works on.
    public var modelContext: ModelContext { modelExecutor.modelContext }

    /// The model with this identifier, if it is of the type and of the actor's container.
    public subscript<T: PersistentModel>(id: PersistentIdentifier, as type: T.Type) -> T? {
        guard id.entityName == ModelType.of(type).entityName, let store = try? modelContext.store(of: type),
            id.storeIdentifier == store.containerStore.id
        else { return nil }
        return modelContext.model(for: id) as? T
    }
}

/// Runs an actor's jobs and owns its context.
public protocol ModelExecutor: Executor {
    /// The context that the jobs use.
    var modelContext: ModelContext { get }
}

/// An executor that runs one job at a time, as an actor needs it.
public protocol SerialModelExecutor: ModelExecutor, SerialExecutor {}

/// The executor that `@ModelActor` makes: a serial queue.
public final class DefaultSerialModelExecutor: SerialModelExecutor, @unchecked Sendable {
    /// Touched by jobs on the queue only.
    public let modelContext: ModelContext
    private let queue = DispatchQueue(label: "loam.model-actor")

    /// Makes an executor for a context that nobody else uses. From now on the context's isolation is known, so that
    /// ``ModelContext/autosaveEnabled`` works.
    public init(modelContext: ModelContext) {
        modelContext.follow(on: queue)
        self.modelContext = modelContext
    }

    /// Runs a job on the queue, after those before it.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = asUnownedSerialExecutor()
        queue.async { job.runSynchronously(on: executor) }
    }

    /// Stops the process where the caller does not run on the queue, as `assumeIsolated` asks.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }

    /// The executor as the runtime refers to it.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}
