import LoamMacros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin: every macro that `Loam`, `LoamUI` and `LoamViews` declare.
@main
struct LoamPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        AttributeMacro.self,
        EntryMacro.self,
        EphemeralPropertyMacro.self,
        ExpressionMacro.self,
        IndexMacro.self,
        ModelActorMacro.self,
        ModelMacro.self,
        PersistedPropertyMacro.self,
        PredicateMacro.self,
        PreviewMacro.self,
        RelatablePropertyMacro.self,
        RelationshipMacro.self,
        TransientMacro.self,
    ]
}

// The compiler asks for a macro by the plugin module's name, so each expansion has its type here.

final class AttributeMacro: AttributeExpansion {}
final class EntryMacro: EntryExpansion {}
final class EphemeralPropertyMacro: EphemeralPropertyExpansion {}
final class ExpressionMacro: ExpressionExpansion {}
final class IndexMacro: IndexExpansion {}
final class ModelActorMacro: ModelActorExpansion {}
final class ModelMacro: ModelExpansion {}
final class PersistedPropertyMacro: PersistedPropertyExpansion {}
final class PredicateMacro: PredicateExpansion {}
final class PreviewMacro: PreviewExpansion {}
final class RelatablePropertyMacro: RelatablePropertyExpansion {}
final class RelationshipMacro: RelationshipExpansion {}
final class TransientMacro: TransientExpansion {}
