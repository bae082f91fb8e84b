/// The models of one version of a program.
///
/// ```swift
/// enum SchemaV1: VersionedSchema {
///     static let versionIdentifier = Schema.Version(1, 0, 0)
///     static var models: [any PersistentModel.Type] { [Trip.self] }
///
///     @Model final class Trip { ... }
/// }
/// ```
public protocol VersionedSchema: SendableMetatype {
    /// The models; those that their relationships lead to are added.
    static var models: [any PersistentModel.Type] { get }
    /// The version, by which newer models are told from older ones.
    static var versionIdentifier: Schema.Version { get }
}

/// How the stores of older versions become those of the newest one.
///
/// Only lightweight stages so far, which need no plan: opening a store makes what its schema lacks. A plan with a
/// custom stage keeps its container from opening.
public protocol SchemaMigrationPlan: SendableMetatype {
    /// The versions, the oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The steps between them, in order.
    static var stages: [MigrationStage] { get }
}

/// One step of a ``SchemaMigrationPlan``.
public enum MigrationStage: Sendable {
    /// What opening a store does by itself: adding, renaming, making optional or required, widening a type,
    /// adding an inverse, and making a to-one a to-many.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// A step with code of the program. Not yet supported: a container with such a plan does not open.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: (@Sendable (ModelContext) throws -> Void)?,
        didMigrate: (@Sendable (ModelContext) throws -> Void)?)
}

extension Schema {
    /// Makes the schema of the models of a version.
    public convenience init(versionedSchema: any VersionedSchema.Type) {
        self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
    }
}

extension SchemaMigrationPlan {
    /// Refuses what is not supported yet.
    static func checkStages() throws {
        for case .custom(let old, let new, _, _) in stages {
            throw SwiftDataError(
                .loadIssueModelContainer,
                detail:
                    "The custom stage of \(Self.self) from \(old) to \(new) is not yet supported: only lightweight ones are."
            )
        }
    }
}
