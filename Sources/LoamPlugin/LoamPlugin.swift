import LoamMacros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

/// The compiler plugin: every macro that `Loam` declares.
@main
struct LoamPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        TransientMacro.self
    ]
}

// The compiler asks for a macro by the plugin module's name, so each expansion has its type here.

final class TransientMacro: TransientExpansion {}
