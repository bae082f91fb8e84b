import LoamMacros
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import SwiftSyntaxMacrosGenericTestSupport
import Testing

/// Every macro of the plugin, by its name in source.
let loamMacros: [String: MacroSpec] = [
    "_EphemeralProperty": MacroSpec(type: EphemeralPropertyExpansion.self),
    "_PersistedProperty": MacroSpec(type: PersistedPropertyExpansion.self),
    "Attribute": MacroSpec(type: AttributeExpansion.self),
    "Entry": MacroSpec(type: EntryExpansion.self),
    "Expression": MacroSpec(type: ExpressionExpansion.self),
    "Index": MacroSpec(type: IndexExpansion.self),
    "Model": MacroSpec(
        type: ModelExpansion.self,
        conformances: ["PersistentModel", "Observable", "Hashable", "Identifiable", "Sendable"]),
    "ModelActor": MacroSpec(type: ModelActorExpansion.self, conformances: ["ModelActor"]),
    "Predicate": MacroSpec(type: PredicateExpansion.self),
    "Preview": MacroSpec(type: PreviewExpansion.self),
    "_RelatableProperty": MacroSpec(type: RelatablePropertyExpansion.self),
    "Relationship": MacroSpec(type: RelationshipExpansion.self),
    "Transient": MacroSpec(type: TransientExpansion.self),
    "Unique": MacroSpec(type: IndexExpansion.self),
]

/// Records an issue where `source`, expanded, is not `expanded`, or where other diagnostics come than the ones listed.
///
/// Swift Testing's counterpart of the function of the same purpose in swift-syntax's XCTest support.
func expectExpansion(
    of source: String, is expanded: String, diagnostics: [DiagnosticSpec] = [], applyFixIts: [String]? = nil,
    fixed: String? = nil, macros: [String: MacroSpec] = loamMacros, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    assertMacroExpansion(
        source, expandedSource: expanded, diagnostics: diagnostics, macroSpecs: macros, applyFixIts: applyFixIts,
        fixedSource: fixed, indentationWidth: .spaces(4),
        failureHandler: { failure in
            let location = SourceLocation(
                fileID: failure.location.fileID, filePath: failure.location.filePath, line: failure.location.line,
                column: failure.location.column)
            Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
        },
        fileID: fileID, filePath: filePath, line: line, column: column)
}
