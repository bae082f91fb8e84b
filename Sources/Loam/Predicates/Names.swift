public import Foundation

// What `#Predicate` expands to says `Loam.`, so that it compiles in files that do not import Foundation.

public typealias _Predicate<Model> = Foundation.Predicate<Model>
public typealias _PredicateExpressions = Foundation.PredicateExpressions

/// Foundation's predicate.
public typealias Predicate<each Input> = Foundation.Predicate<repeat each Input>
