public import Foundation

/// Makes a predicate over a model from a closure.
///
/// ```
/// let least = 1_000_000
/// let big = #Predicate<City> { city in
///     city.population > least && city.country?.name.starts(with: "F") == true
/// }
/// ```
///
/// What does not mention the row, such as `Date.now` or `Kind.capital`, is captured when the predicate is made. Each part
/// becomes a statement of its own, so that long predicates compile fast.
///
/// The closure is an expression, or statements that give a value on every path: `let`, which names a value that stands
/// wherever the name does; `if` with `else` or with statements after it; `guard`; `return`. `if let` and `guard let` may
/// stand beside other conditions. Inner closures are like that, too.
///
/// ```
/// let sought = #Predicate<City> { city in
///     guard let country = city.country else { return false }
///     let name = city.name.lowercased()
///     return name.hasPrefix("new ") || name == country.name.lowercased()
/// }
/// ```
///
/// Variables, loops, `switch` over a row and functions are refused by the compiler, with what to write instead.
///
/// A captured part that Swift would stop at (`limit!`, `value as! Int`, `names[3]`, a division of integers) matters
/// only where it is reached, as in `limit == nil || city.population < limit!`. A fetch takes it for nil there, as it
/// does an unwrapped nil of the row: no order and no text holds for it, and it equals nothing but nil. Other captured
/// code, such as `Int8(size)`, is run as it stands.
///
/// Where a file imports Foundation too, its macro of the same name is tried as well: it takes the type checker seconds
/// from some six terms on, and is chosen where the predicate compares optionals. What it makes is fetched alike, but it
/// refuses `evaluate(_:)` and properties of captured objects. A declaration in the module itself hides both: the build
/// plugin `LoamPredicate` adds it, and the README shows it. Without that, import only what is needed of Foundation
/// (`import class Foundation.NumberFormatter`), or write the parameter's type: `{ (city: City) in ... }`.
///
/// The result is Foundation's `Predicate`: it can be evaluated on objects, and fetched with a ``FetchDescriptor``.
/// ``Expression(_:)`` makes a part of predicates that has a name, with a value of any type.
///
/// For types that are no models, and for predicates of several inputs, Foundation's macro of the same name applies,
/// in files that import Foundation.
@freestanding(expression)
public macro Predicate<Model: PersistentModel>(_ body: (Model) -> Bool) -> Foundation.Predicate<Model> =
    #externalMacro(module: "LoamPlugin", type: "PredicateMacro")
