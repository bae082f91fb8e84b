/// A key of ``EnvironmentValues``, for values that views are given by those around them. ``Entry()`` writes what this shows.
///
/// ```swift
/// private struct UnitKey: EnvironmentKey {
///     static let defaultValue = "km"
/// }
///
/// extension EnvironmentValues {
///     var unit: String {
///         get { self[UnitKey.self] }
///         set { self[UnitKey.self] = newValue }
///     }
/// }
/// ```
public protocol EnvironmentKey {
    /// What is kept under the key.
    associatedtype Value
    /// What a view reads that nobody gave a value. Asked for at each such read.
    static var defaultValue: Value { get }
}
