public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@ModelActor`: gives an actor a context of its own and an executor to run on.
open class ModelActorExpansion: MemberMacro, ExtensionMacro {
    /// Generates the executor, the container and the initializer.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self) else {
            let isType = declaration.is(ClassDeclSyntax.self) || declaration.is(StructDeclSyntax.self)
            context.diagnose(
                .modelActorIsNoActor(), at: node,
                fixIts: isType ? [.replace(declaration.introducer, by: "actor")] : [])
            return []
        }
        let accessLevel = ModelClass(declaration).accessLevel
        return [
            "\(raw: accessLevel)nonisolated let modelExecutor: any Loam.ModelExecutor",
            "\(raw: accessLevel)nonisolated let modelContainer: Loam.ModelContainer",
            """
            \(raw: accessLevel)init(modelContainer: Loam.ModelContainer) {
                let modelContext = Loam.ModelContext(modelContainer)
                self.modelExecutor = Loam.DefaultSerialModelExecutor(modelContext: modelContext)
                self.modelContainer = modelContainer
            }
            """,
        ]
    }

    /// Generates the conformance to `ModelActor`, for an actor that does not declare it itself.
    ///
    /// - Throws: where what it generates is no extension, which would be a defect of the macro.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ActorDeclSyntax.self), !protocols.isEmpty else { return [] }
        return [try ExtensionDeclSyntax("extension \(type.trimmed): Loam.ModelActor {}")]
    }
}

extension MacroDiagnostic {
    static func modelActorIsNoActor() -> Self {
        Self(name: "modelActorIsNoActor", message: "'@ModelActor' can only be applied to an actor")
    }
}
