public import Foundation

/// Where and how a container keeps its models.
///
/// ```swift
/// let configuration = ModelConfiguration(url: folder.appending(path: "cities.loam"))
/// ```
public struct ModelConfiguration: Identifiable, Hashable, Sendable, CustomDebugStringConvertible {
    /// What the file is named after, and what stores in memory are shared by.
    public let name: String
    /// The store's file; a lock file lies beside it. For a configuration in memory the file is never made.
    public let url: URL
    /// The models, where the configuration is not for those of its container.
    public var schema: Schema?
    /// False opens the store read-only: saves throw.
    public let allowsSave: Bool
    /// Whether the store is gone with the last container that uses it.
    public let isStoredInMemoryOnly: Bool

    /// The URL: two configurations of one file are the same.
    public var id: URL { url }

    /// A store in the default place: `<name>.loam` in the user's application support folder.
    public init(
        _ name: String? = nil, schema: Schema? = nil, isStoredInMemoryOnly: Bool = false, allowsSave: Bool = true
    ) {
        let name = name ?? "default"
        self.init(
            name: name, schema: schema, url: Self.defaultFolder.appendingPathComponent(name + ".loam"),
            isStoredInMemoryOnly: isStoredInMemoryOnly, allowsSave: allowsSave)
    }

    /// A store at a URL, which must be a file's.
    public init(_ name: String? = nil, schema: Schema? = nil, url: URL, allowsSave: Bool = true) {
        self.init(
            name: name ?? url.deletingPathExtension().lastPathComponent, schema: schema, url: url,
            isStoredInMemoryOnly: false, allowsSave: allowsSave)
    }

    /// A store in the default place for these models. It takes one type at least, so that
    /// `ModelConfiguration(isStoredInMemoryOnly: true)` means one initializer.
    public init(
        for type: any PersistentModel.Type, _ types: any PersistentModel.Type..., isStoredInMemoryOnly: Bool = false
    ) {
        self.init(nil, schema: Schema([type] + types), isStoredInMemoryOnly: isStoredInMemoryOnly)
    }

    private init(name: String, schema: Schema?, url: URL, isStoredInMemoryOnly: Bool, allowsSave: Bool) {
        self.name = name
        self.schema = schema
        self.url = url
        self.isStoredInMemoryOnly = isStoredInMemoryOnly
        self.allowsSave = allowsSave
    }

    private static var defaultFolder: URL {
        let manager = FileManager.default
        return manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
            ?? manager.homeDirectoryForCurrentUser
    }

    /// The name, the place and whether it can be saved to.
    public var debugDescription: String {
        "ModelConfiguration(name: \(name), url: \(isStoredInMemoryOnly ? "in memory" : url.path), "
            + "allowsSave: \(allowsSave))"
    }
}
