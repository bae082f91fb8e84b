public import Observation

/// Makes a class a model: its objects can be kept in a store, fetched from it, and observed.
///
/// ```swift
/// @Model
/// final class City {
///     #Index<City>([\.country, \.name])
///
///     @Attribute(.unique) var code: String
///     var name: String
///     var population = 0
///     var country: Country?
///
///     init(code: String, name: String) {
///         self.code = code
///         self.name = name
///     }
/// }
/// ```
///
/// Every stored `var` is persisted, unless it is ``Transient()``: a property whose type is a model, an optional model
/// or an array of models is a relationship, any other is an attribute, whose type is `Codable`. Values are read from
/// the store when they are first used.
///
/// - The accessors of persisted properties are generated. So `willSet` and `didSet` of such a property are never
///   called, of which the macro warns, and a property wrapper, or a macro that makes accessors, is refused. Macros
///   that only add declarations beside a property are welcome.
/// - The class has an initializer of its own, which sets each property that is not optional and has no default: to
///   leave one out is an error, as for any class. In a class that may have relationships (one with a property of a type
///   that the macro does not know, and without a persisted `let`) each of its assignments calls the setter, so both
///   sides of a relationship that it sets hear of it. There the compiler does not see a property that is set in some
///   branches only, or read before it is set, which gives an empty value. ``ModelContext/save()`` throws for an
///   inserted model without a value that it requires; one that a relationship alone would bring into a context stays
///   outside until it has it. Beside a persisted `let`, a relationship that is set before all properties have values
///   is not seen from the other model: insert the model itself. Default values are evaluated for each object, also for
///   those that come from the store.
/// - An initializer that throws or returns nil should do so before it sets relationships: an object that has all
///   values that it requires, and that a model leads to or it leads to one, is stored with that model.
/// - A class that inherits from one that is no model calls `super.init()` before it sets properties.
/// - A model that inherits from another is not yet supported.
/// - A model belongs to its context's isolation, not to an actor's: `@MainActor` is refused, and in a module whose
///   default isolation is the main actor the class is declared `nonisolated`.
@attached(
    member, conformances: PersistentModel, names: named(_$backing), named(schemaMetadata), named(_indices), named(init),
    named(_encode), named(_invalidate), named(ID))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Observable, Hashable, Identifiable, Sendable)
public macro Model() = #externalMacro(module: "LoamPlugin", type: "ModelMacro")

/// What generated code calls `Observable`, in files that do not import Observation.
public typealias _Observable = Observable

/// The accessors and the field of a persisted property of a class without relationships, or with a persisted `let`.
/// `@Model` applies it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(_ ordinal: Int) =
    #externalMacro(module: "LoamPlugin", type: "PersistedPropertyMacro")

/// The accessors and the field of a persisted property of a class that may have relationships. `@Model` applies it.
@attached(accessor, names: named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _RelatableProperty(_ ordinal: Int) =
    #externalMacro(module: "LoamPlugin", type: "RelatablePropertyMacro")

/// The accessors and the field of a property that is kept in memory only. `@Model` applies it.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _EphemeralProperty() = #externalMacro(module: "LoamPlugin", type: "EphemeralPropertyMacro")

extension _Field {
    /// An empty field of the value's type. The value is not evaluated.
    @inlinable public init(_like value: @autoclosure () -> Value) { self.init() }
}
