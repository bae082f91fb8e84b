public import Foundation

// What `#Predicate` and `#Expression` expand to says `Loam.`, so that it compiles in files that do not import Foundation.

/// Foundation's type, for generated code.
public typealias _Predicate<Model> = Foundation.Predicate<Model>
/// Foundation's type, for generated code.
public typealias _Expression<each Input, Output> = Foundation.Expression<repeat each Input, Output>
/// Foundation's nodes, for generated code.
public typealias _PredicateExpressions = Foundation.PredicateExpressions

/// Foundation's predicate, so that files need not import Foundation for it.
public typealias Predicate<each Input> = Foundation.Predicate<repeat each Input>

/// Foundation's expression, so that files need not import Foundation for it.
public typealias Expression<each Input, Output> = Foundation.Expression<repeat each Input, Output>
