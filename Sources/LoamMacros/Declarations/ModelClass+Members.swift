import SwiftSyntax
import SwiftSyntaxBuilder

// The members that `@Model` adds, in simple statements, one property each, so that they type-check in linear time.

extension ModelClass {
    var schemaMetadata: DeclSyntax {
        let appends = properties.map { "    properties.append(\($0.metadata(of: name)))" }
        return """
            \(raw: accessLevel)static var schemaMetadata: [Loam.Schema.PropertyMetadata] {
            \(raw: body("var properties: [Loam.Schema.PropertyMetadata] = []", appends: appends, last: "return properties"))
            }
            """
    }

    var indices: DeclSyntax {
        let appends = indexes.map { "    indices.append(\($0.metadata(of: name)))" }
        return """
            \(raw: accessLevel)static var _indices: [any Loam._IndexMetadata] {
            \(raw: body("var indices: [any Loam._IndexMetadata] = []", appends: appends, last: "return indices"))
            }
            """
    }

    /// Every field starts empty and is read from the record when it is asked for.
    var backedInitializer: DeclSyntax {
        let valued = properties.filter { !startsEmpty || $0.initialField != "Loam._Field()" }
        let fields = valued.map { "    \($0.fieldName) = Loam._Field()" }
        return """
            \(raw: accessLevel)required init(_backing: Loam._ModelBacking) {
            \(raw: (fields + ["    _$backing = _backing"]).joined(separator: "\n"))
            }
            """
    }

    var encoding: DeclSyntax {
        let fields = properties.enumerated().map { ordinal, property in
            "    try encoder.\(property.isTransformed ? "encodeTransformed" : "encode")(\(property.fieldName), \(ordinal))"
        }
        return """
            \(raw: accessLevel)func _encode(into encoder: inout Loam._RecordEncoder) throws {
            \(raw: fields.joined(separator: "\n"))
            }
            """
    }

    var invalidation: DeclSyntax {
        let fields = properties.enumerated().map { ordinal, property in
            """
                if fields.contains(\(ordinal)) {
                    \(property.fieldName) = Loam._Field()
                }
            """
        }
        return """
            \(raw: accessLevel)func _invalidate(_ fields: Loam._FieldSet) {
            \(raw: fields.joined(separator: "\n"))
            }
            """
    }

    /// A list built by appending; without elements the empty list, as a variable would be warned of.
    private func body(_ first: String, appends: [String], last: String) -> String {
        appends.isEmpty ? "    return []" : (["    " + first] + appends + ["    " + last]).joined(separator: "\n")
    }
}
