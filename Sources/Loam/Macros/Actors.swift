/// Gives an actor a ``ModelContext`` of its own, and an executor on a queue of its own to run on.
///
/// ```swift
/// @ModelActor
/// actor Importer {
///     func add(_ names: [String]) throws {
///         for name in names { modelContext.insert(City(name: name)) }
///         try modelContext.save()
///     }
/// }
///
/// let importer = Importer(modelContainer: container)
/// ```
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "LoamPlugin", type: "ModelActorMacro")
