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
