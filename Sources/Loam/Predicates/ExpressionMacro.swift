public import Foundation

/// Makes an expression over a value from a closure: a part of predicates that has a name, and a value of any type.
///
/// ```
/// let open = #Expression<[Task], Int> { tasks in
///     tasks.filter { !$0.isDone }.count
/// }
/// let busy = #Predicate<Project> { project in
///     open.evaluate(project.tasks) > 3 && project.due < Date.now
/// }
/// ```
///
/// The closure may have what that of ``Predicate(_:)`` may, `let` and `if` included. What does not mention the input is
/// captured when the expression is made.
///
/// The result is Foundation's `Expression`. Its `evaluate(_:)` gives the value for an input. In a predicate, and in
/// another expression, the input may be the row, a property or a relationship of it, or what is computed of them; a
/// fetch puts it in the place of the closure's parameter, and may use an index for what comes of it. Of captured values
/// alone it is evaluated before, with `try`.
///
/// Where a file imports Foundation too, its macro of the same name is tried as well, as ``Predicate(_:)`` says.
/// For expressions of several inputs Foundation's macro of the same name applies, in files that import Foundation, or
/// the declaration that the build plugin `LoamPredicate` adds to a module.
@freestanding(expression)
public macro Expression<Input, Output>(_ body: (Input) -> Output) -> Foundation.Expression<Input, Output> =
    #externalMacro(module: "LoamPlugin", type: "ExpressionMacro")
