/// Declares indexes of a model: each list of properties is one, for equality, ranges and sorting by its properties in
/// their order.
///
/// ```swift
/// #Index<City>([\.country, \.name], [\.population])
/// ```
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
    #externalMacro(module: "LoamPlugin", type: "IndexMacro")

/// Declares indexes of a model over properties and functions of them, for conditions on those functions.
///
/// ```swift
/// #Index<City>([.length(\.name), .value(\.population).descending])
/// ```
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [Schema.IndexComponent<T>]...) =
    #externalMacro(module: "LoamPlugin", type: "IndexMacro")

/// Declares indexes of a model by kind.
///
/// ```swift
/// #Index<City>(.sectioned([\.country, \.name]), .folded([\.name]), .trigrams([\.name]))
/// ```
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
    #externalMacro(module: "LoamPlugin", type: "IndexMacro")

/// Declares what is unique among the objects of a model: for each list, no two objects share the values of all its
/// properties. Objects with nil in one of them are not compared.
///
/// ```swift
/// #Unique<City>([\.country, \.name])
/// ```
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
    #externalMacro(module: "LoamPlugin", type: "IndexMacro")
