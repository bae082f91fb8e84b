/// Says more of an attribute of a model than its declaration does.
///
/// ```swift
/// @Attribute(.unique) var code: String
/// @Attribute(originalName: "title") var name: String
/// ```
///
/// - Parameters:
///   - options: `.unique`: no two models share a value. `.ephemeral`: the value is observed and kept in memory only; it
///     has a default, as an object that comes from the store gets nothing else. `.externalStorage` and `.codable` say
///     what holds anyway: long values are kept apart from the records, and `Codable` values as such. `.spotlight` and
///     `.allowsCloudEncryption` have no effect. `.preserveValueOnDeletion`: the history keeps the value when a model is
///     deleted (``HistoryTombstone``); the deletion writes it once more. `.transformable(by:)`: the store keeps the data
///     that a ``ValueTransformer`` makes of the value, which may be of any type that has an empty value, a default or nil;
///     fetches cannot test it or sort by it.
///   - originalName: the name that the property has in older stores, for a property that was renamed.
///   - hashModifier: kept with the schema, without effect.
@attached(peer)
public macro Attribute(
    _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "LoamPlugin", type: "AttributeMacro")

/// Says more of a relationship of a model than its declaration does.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Street.city) var streets: [Street]
/// ```
///
/// - Parameters:
///   - options: none is supported yet.
///   - deleteRule: what happens to the related models when the model is deleted.
///   - minimumModelCount: how many models it leads to at least, checked when it is saved; 0 for any number.
///   - maximumModelCount: how many it leads to at most, checked when it is saved; 0 for any number.
///   - originalName: the name that the property has in older stores, for a property that was renamed.
///   - inverse: the property of the other model that leads back. Found without being told where there is exactly one.
///   - hashModifier: kept with the schema, without effect.
@attached(peer)
public macro Relationship(
    _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
    minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
    inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "LoamPlugin", type: "RelationshipMacro")

/// Keeps a property of a model out of the store: it lives with the object and is lost with it.
///
/// ```swift
/// @Model
/// final class RemoteImage {
///     var sourceURL: URL
///     @Transient var isDownloading = false
/// }
/// ```
///
/// A transient property has a default value, because an object that comes from the store gets nothing else.
@attached(peer)
public macro Transient() = #externalMacro(module: "LoamPlugin", type: "TransientMacro")
