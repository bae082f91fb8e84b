import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// The diagnoses of the macros in a source, without their expansions.
struct Diagnoses {
    /// The messages, each with the source that it is about, in source order.
    let messages: [String]
    /// The source after each fix-it, by the text of the fix-it.
    let fixed: [String: String]

    init(_ source: String, macros: [String: MacroSpec] = loamMacros) {
        let file = Parser.parse(source: source)
        let context = BasicMacroExpansionContext(sourceFiles: [
            file: .init(moduleName: "Test", fullFilePath: "Test.swift")
        ])
        _ = file.expand(
            macroSpecs: macros,
            contextGenerator: {
                BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
            })
        let told = context.diagnostics
        messages = told.map { "\($0.node.trimmedDescription): \($0.message)" }
        fixed = Dictionary(
            told.flatMap(\.fixIts).map { ($0.message.message, Self.apply($0, to: file, context)) },
            uniquingKeysWith: { first, _ in first })
    }

    private static func apply(
        _ fixIt: FixIt, to file: SourceFileSyntax, _ context: BasicMacroExpansionContext
    ) -> String {
        var bytes = Array(file.description.utf8)
        let edits = fixIt.changes.compactMap { change -> (Range<Int>, String)? in
            guard case .replace(let old, let new) = change,
                let start = context.location(for: old.position, anchoredAt: old, fileName: "Test.swift").offset as Int?
            else { return nil }
            return (start..<(start + old.totalLength.utf8Length), new.description)
        }
        for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
            bytes.replaceSubrange(range, with: Array(text.utf8))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A source with its macros expanded.
func expand(_ source: String, macros: [String: MacroSpec] = loamMacros) -> String {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded = file.expand(
        macroSpecs: macros,
        contextGenerator: {
            BasicMacroExpansionContext(sharingWith: context, lexicalContext: $0.allMacroLexicalContexts())
        })
    return expanded.description
}
