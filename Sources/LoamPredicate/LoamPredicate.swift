import Foundation
import PackagePlugin

/// Declares Loam's `#Predicate` and `#Expression` in the module that it is applied to.
///
/// A file that imports Foundation sees two macros of each name, and the compiler tries both on every predicate: seconds
/// for a few terms, and then it may choose Foundation's. A declaration in the module itself hides imported ones, so the
/// predicates of the whole module are Loam's, and compile in milliseconds.
@main
struct LoamPredicate: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard target is SwiftSourceModuleTarget else { return [] }
        let folder = context.pluginWorkDirectoryURL
        let text = folder.appendingPathComponent("Predicate.txt")
        // Written only when it differs: a new date would have the module compiled again at each build.
        if (try? String(contentsOf: text, encoding: .utf8)) != Self.declaration {
            try Self.declaration.write(to: text, atomically: true, encoding: .utf8)
        }
        let source = folder.appendingPathComponent("LoamPredicate.swift")
        return [
            .buildCommand(
                displayName: "Declaring #Predicate and #Expression in \(target.name)",
                executable: URL(fileURLWithPath: "/bin/cp"),
                arguments: [text.path, source.path], inputFiles: [text], outputFiles: [source])
        ]
    }

    private static let declaration = """
        import Foundation
        import Loam

        @freestanding(expression)
        macro Predicate<Input>(_ body: (Input) -> Bool) -> Foundation.Predicate<Input> =
            #externalMacro(module: "LoamPlugin", type: "PredicateMacro")

        @freestanding(expression)
        macro Expression<each Input, Output>(
            _ body: (repeat each Input) -> Output
        ) -> Foundation.Expression<repeat each Input, Output> =
            #externalMacro(module: "LoamPlugin", type: "ExpressionMacro")

        """
}
