public import SwiftSyntax
import SwiftSyntaxBuilder
public import SwiftSyntaxMacros

/// `@Model`: makes a class one whose objects a store keeps.
///
/// The member role is the one that diagnoses, so that each mistake is told once; the other roles do what they can.
open class ModelExpansion: MemberMacro, MemberAttributeMacro, ExtensionMacro {
    /// Generates the backing, the description, the indexes, the initializer for stored rows and the encoder.
    ///
    /// - Throws: nothing: each mistake is a diagnostic at its place.
    public static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard ModelChecks.check(declaration, node: node, missing: protocols, in: context) else { return [] }
        let model = ModelClass(declaration)
        // Where the class conforms without this macro its superclass does.
        let identity =
            protocols.contains { $0.lastName == "PersistentModel" }
            ? ModelIdentity.type(in: declaration, accessLevel: model.accessLevel) : nil
        let identityMember = identity.map { "\(raw: model.accessLevel)typealias ID = \(raw: $0)" as DeclSyntax }
        return [
            "@exclusivity(unchecked) \(raw: model.accessLevel)var _$backing: Loam._ModelBacking? = nil",
            model.schemaMetadata, model.indices, model.backedInitializer, model.encoding, model.invalidation,
        ] + (identityMember.map { [$0] } ?? [])
    }

    /// Puts `@_PersistedProperty` on each property that the store keeps, or `@_RelatableProperty` where the class may have
    /// a relationship, and `@_EphemeralProperty` on those in memory only.
    ///
    /// - Throws: nothing; the member role says what is wrong.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
    ) throws -> [AttributeSyntax] {
        guard declaration.is(ClassDeclSyntax.self), declaration.mainActor == nil,
            let variable = member.as(VariableDeclSyntax.self), variable.bindings.count == 1
        else { return [] }
        if variable.isEphemeral, variable.attribute("_EphemeralProperty") == nil { return ["@_EphemeralProperty"] }
        guard variable.isPersisted, let binding = variable.bindings.first,
            variable.attribute("_PersistedProperty") == nil, variable.attribute("_RelatableProperty") == nil,
            let property = DeclaredProperty(binding, of: variable)
        else { return [] }
        let model = ModelClass(declaration)
        guard let ordinal = model.ordinal(of: property.name) else { return [] }
        return [model.startsEmpty ? "@_RelatableProperty(\(raw: ordinal))" : "@_PersistedProperty(\(raw: ordinal))"]
    }

    /// Generates the conformance, and one to `Sendable` that is unavailable and says why.
    ///
    /// The protocols that it implies are written out: a file that was not compiled together with the class, and that has
    /// asked for `City.ID` before, does not find them else.
    ///
    /// - Throws: where what it generates is no extension, which would be a defect of the macro.
    public static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard declaration.is(ClassDeclSyntax.self), declaration.mainActor == nil else { return [] }
        let missing = Set(protocols.map(\.lastName))
        guard missing.contains("PersistentModel") else { return [] }
        let implied = [
            ("Observable", "Loam._Observable"), ("Hashable", "Swift.Hashable"), ("Identifiable", "Swift.Identifiable"),
        ]
        let all = (["Loam.PersistentModel"] + implied.filter { missing.contains($0.0) }.map(\.1)).joined(
            separator: ", ")
        return [
            try ExtensionDeclSyntax("nonisolated extension \(type.trimmed): \(raw: all) {}"),
            try ExtensionDeclSyntax(
                """
                @available(*, unavailable, message: "models are not Sendable: pass the model's persistentModelID, or use a ModelActor")
                extension \(type.trimmed): Swift.Sendable {}
                """),
        ]
    }
}

extension TypeSyntax {
    /// The last component of a type's name.
    var lastName: String { self.as(MemberTypeSyntax.self)?.name.text ?? trimmedDescription }
}
