import SwiftSyntax

/// A class under `@Model`, read from its syntax once, and what every role of the macro works from.
struct ModelClass {
    let name: String
    /// The modifier, with a space, that witnesses of the protocol need; empty for internal classes.
    let accessLevel: String
    /// The persisted properties, in declaration order. Their indexes are the ordinals.
    let properties: [DeclaredProperty]
    /// `#Index` and `#Unique` in the body.
    let indexes: [IndexDeclaration]
    /// Whether a persisted property is declared with `let`.
    let hasConstants: Bool
    /// Structures and enums that the class itself declares: types that are no models.
    let valueTypes: Set<String>

    init(_ declaration: some DeclGroupSyntax) {
        name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
        accessLevel = Self.accessLevel(of: declaration.modifiers)
        let variables = declaration.memberBlock.members.compactMap { $0.decl.as(VariableDeclSyntax.self) }
            .filter(\.isPersisted)
        properties = variables.flatMap { variable in
            variable.bindings.compactMap { DeclaredProperty($0, of: variable) }
        }
        valueTypes = Set(
            declaration.memberBlock.members.compactMap {
                $0.decl.as(StructDeclSyntax.self)?.name.text ?? $0.decl.as(EnumDeclSyntax.self)?.name.text
            })
        hasConstants = variables.contains { $0.bindingSpecifier.tokenKind == .keyword(.let) }
        indexes = declaration.memberBlock.members.compactMap { IndexDeclaration($0.decl) }
    }

    /// The ordinal of a property; nil for one that is not persisted.
    func ordinal(of name: String) -> Int? { properties.firstIndex { $0.name == name } }

    private static func accessLevel(of modifiers: DeclModifierListSyntax) -> String {
        for modifier in modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.public), .keyword(.open): return "public "
            case .keyword(.package): return "package "
            default: continue
            }
        }
        return ""
    }
}

extension VariableDeclSyntax {
    /// Whether the store keeps what it declares: stored, of the instance, and not `@Transient`. Properties that are
    /// refused for their wrapper or type are left alone, so that nothing is said of their accessors too.
    var isPersisted: Bool {
        isStoredInInstance && !has(.lazy) && !has(.weak)
            && !has(.unowned) && attribute("Transient") == nil && !isEphemeral && wrappers.isEmpty
            && bindings.allSatisfy { $0.typeAnnotation?.type.isStorable ?? true }
    }

    /// Whether it is kept in memory only, and observed all the same: `@Attribute(.ephemeral)`.
    var isEphemeral: Bool {
        isStoredInInstance && attribute("Transient") == nil
            && attribute("Attribute")?.hasOption("ephemeral") ?? false
    }

    /// Whether objects have storage for it, with or without observers.
    var isStoredInInstance: Bool {
        !has(.static) && !has(.class) && bindings.contains { $0.isStored }
    }

    func has(_ keyword: Keyword) -> Bool { modifiers.contains { $0.name.tokenKind == .keyword(keyword) } }

    func modifier(_ keyword: Keyword) -> DeclModifierSyntax? {
        modifiers.first { $0.name.tokenKind == .keyword(keyword) }
    }

    /// The attribute of that name, with or without the module in front.
    func attribute(_ name: String) -> AttributeSyntax? {
        attributes.lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.baseName == name }
    }
}

extension AttributeSyntax {
    /// The last component of its name.
    var baseName: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.text }
        return attributeName.trimmedDescription
    }

    var argumentList: LabeledExprListSyntax? { arguments?.as(LabeledExprListSyntax.self) }
}

extension PatternBindingSyntax {
    var isStored: Bool {
        switch accessorBlock?.accessors {
        case nil: true
        case .getter: false
        case .accessors: !observers.isEmpty
        }
    }

    /// `willSet` and `didSet`; empty where there are other accessors too.
    var observers: [AccessorDeclSyntax] {
        guard case .accessors(let accessors) = accessorBlock?.accessors else { return [] }
        // As an array: what a syntax collection's own `filter` gives has left its place in the source.
        let observing = Array(accessors).filter {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
        return observing.count == accessors.count ? observing : []
    }
}
