public import Foundation

/// Where and how a container keeps its models, or some of them.
///
/// ```swift
/// let configuration = ModelConfiguration(url: folder.appending(path: "cities.loam"))
/// ```
///
/// A container with several configurations has a store for each: see ``ModelContainer``.
public struct ModelConfiguration: Identifiable, Hashable, Sendable, CustomDebugStringConvertible {
    /// What the file is named after, what stores in memory are shared by where it was given, and what errors call the
    /// store.
    public let name: String
    /// The store's file; a lock file lies beside it. For a configuration in memory the file is never made.
    public let url: URL
    /// The models that the store keeps: those that the schema lists, with what their relationships lead to. Nil for the
    /// models of the container that no other configuration takes.
    public var schema: Schema?
    /// False opens the store's file read-only, so that it has to be there already. Saves throw, and models cannot be
    /// inserted.
    public let allowsSave: Bool
    /// Whether the store is gone with the last container that uses it.
    public let isStoredInMemoryOnly: Bool
    /// How much of the history is kept for ``ModelContext/fetchHistory(_:)`` and for other processes that follow the
    /// store; nil for none. By itself 7 days and 64 MiB of a file's, and none of a store in memory. A save that is not
    /// kept lets those before it go, too: tokens of them are expired, and none of them leads over a hole.
    ///
    /// Each process keeps to its own configuration as it saves. Where several containers share a store in memory, that
    /// of the first one counts.
    public var historyRetention: HistoryRetention?

    /// The URL: two configurations of one file have one identity.
    public var id: URL { url }

    /// Where a group of programs keeps its stores.
    public let groupContainer: GroupContainer
    /// Where the models are to be synchronized to: nowhere, or opening the store fails.
    public let cloudKitDatabase: CloudKitDatabase
    /// Whether containers in memory share the store with others of this name.
    let isNamed: Bool

    /// A store in the default location: `<name>.loam` in the user's application support folder, in the folder of the
    /// group where there is one.
    ///
    /// In memory, containers with configurations of one name share a store. Without a name each container has its own.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true,
        groupContainer: GroupContainer = .automatic, cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        let file = (name ?? Self.defaultName) + ".loam"
        self.init(
            name: name, schema: schema, url: groupContainer.folder(in: Self.defaultFolder).appendingPathComponent(file),
            isStoredInMemoryOnly: isStoredInMemoryOnly, allowsSave: allowsSave, groupContainer: groupContainer,
            cloudKitDatabase: cloudKitDatabase)
    }

    /// A store at a URL. Opening a container throws ``SwiftDataError/loadIssueModelContainer`` where it is not a
    /// file's.
    public init(
        _ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true,
        cloudKitDatabase: CloudKitDatabase = .automatic
    ) {
        self.init(
            name: name ?? url.deletingPathExtension().lastPathComponent, schema: schema, url: url,
            isStoredInMemoryOnly: false, allowsSave: allowsSave, groupContainer: .none,
            cloudKitDatabase: cloudKitDatabase)
    }

    /// A store in the default location for these models. It takes one type at least, so that
    /// `ModelConfiguration(isStoredInMemoryOnly: true)` means one initializer.
    public init(
        for type: any PersistentModel.Type, _ types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false
    ) {
        self.init(nil, schema: Schema([type] + types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    private init(
        name: String?, schema: Schema?, url: URL, isStoredInMemoryOnly: Bool, allowsSave: Bool,
        groupContainer: GroupContainer, cloudKitDatabase: CloudKitDatabase
    ) {
        self.name = name ?? Self.defaultName
        isNamed = name != nil
        self.schema = schema
        self.url = url
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
        self.groupContainer = groupContainer
        self.cloudKitDatabase = cloudKitDatabase
        historyRetention = isStoredInMemoryOnly ? nil : HistoryRetention()
    }

    private static let defaultName = "default"

    private static var defaultFolder: URL {
        let manager = FileManager.default
        return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? manager.homeDirectoryForCurrentUser
    }

    /// The name, the location and whether it can be saved to.
    public var debugDescription: String {
        "ModelConfiguration(name: \(name), url: \(isStoredInMemoryOnly ? "in memory" : url.path), "
            + "allowsSave: \(allowsSave))"
    }
}
