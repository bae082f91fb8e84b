/// Declares a value of the environment, and the key that it is kept under.
///
/// ```swift
/// extension EnvironmentValues {
///     @Entry var unit: String = "km"
///     @Entry var player: Player?
/// }
/// ```
///
/// The default is what a view reads where nobody around it has given a value: it is evaluated at each such read where the
/// type is written, and once where it is not, which needs a type that is `Sendable`. An optional without a default is nil.
@attached(accessor) @attached(peer, names: prefixed(__Key_))
public macro Entry() = #externalMacro(module: "LoamPlugin", type: "EntryMacro")
