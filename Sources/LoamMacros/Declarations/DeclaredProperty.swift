import SwiftSyntax

/// One persisted property of a model class.
struct DeclaredProperty {
    /// The name by which the store knows the property, without backticks.
    let name: String
    /// The name as the source writes it.
    let identifier: TokenSyntax
    let type: TypeSyntax?
    let defaultValue: ExprSyntax?
    let attribute: AttributeSyntax?
    let relationship: AttributeSyntax?

    /// Reads one binding of a declaration; nil for a pattern that is no single name.
    init?(_ binding: PatternBindingSyntax, of declaration: VariableDeclSyntax) {
        guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else { return nil }
        identifier = pattern.identifier.trimmed
        name = pattern.identifier.unquoted
        type = binding.typeAnnotation?.type.trimmed
        defaultValue = binding.initializer?.value.trimmed
        attribute = declaration.attribute("Attribute")
        relationship = declaration.attribute("Relationship")
    }

    /// Reads a declaration; nil for what is no variable of one single name.
    init?(_ declaration: some DeclSyntaxProtocol) {
        guard let variable = declaration.as(VariableDeclSyntax.self), variable.bindings.count == 1,
            let binding = variable.bindings.first
        else { return nil }
        self.init(binding, of: variable)
    }

    /// Whether the store keeps what a transformer makes of the value: `@Attribute(.transformable(by: ...))`.
    var isTransformed: Bool { attribute?.hasOption("transformable") ?? false }

    /// The stored property behind the accessors.
    var fieldName: String { "_" + name }

    /// The type of the values, with `T!` read as `T?`; nil where the initializer decides.
    var valueType: TypeSyntax? {
        guard let unwrapped = type?.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) else { return type }
        return TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType.trimmed))
    }

    /// What the field of a new object holds where fields start empty: the initial value, nil for an optional, or nothing.
    var initialField: String {
        if let defaultValue { return "Loam._Field(\(defaultValue))" }
        return type?.isOptional == true ? "Loam._Field(nil)" : "Loam._Field()"
    }

    /// Whether an initializer of the class has to set it.
    var needsValue: Bool { defaultValue == nil && type?.isOptional == false }

    /// The expression of `Schema.PropertyMetadata` for the property of `model`.
    func metadata(of model: String) -> String {
        var arguments = ["name: \(name.literal)", "keypath: \\\(model).\(identifier.text)"]
        if let value = defaultExpression { arguments.append("defaultValue: \(value)") }
        if let said = saidMetadata { arguments.append("metadata: \(said)") }
        return "Loam.Schema.PropertyMetadata(\(arguments.joined(separator: ", ")))"
    }

    /// The default value, given its type; nil for relationships, whose default is not stored with old rows.
    private var defaultExpression: String? {
        guard let defaultValue, relationship == nil, !defaultValue.is(NilLiteralExprSyntax.self) else { return nil }
        guard let valueType else { return defaultValue.description }
        return "(\(defaultValue)) as \(valueType)"
    }

    private var saidMetadata: String? {
        if let relationship { return "Loam.Schema.Relationship(\(relationship.copiedArguments))" }
        if let attribute { return "Loam.Schema.Attribute(\(attribute.copiedArguments))" }
        return nil
    }
}

extension TypeSyntax {
    /// Whether it is written as an optional.
    var isOptional: Bool {
        self.is(OptionalTypeSyntax.self) || self.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
            || self.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
    }
}

extension AttributeSyntax {
    /// The arguments as source, one space apart.
    fileprivate var copiedArguments: String {
        (argumentList ?? []).map { $0.with(\.trailingComma, nil).trimmedDescription }.joined(separator: ", ")
    }
}

extension TokenSyntax {
    /// The name without backticks.
    var unquoted: String {
        text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2 ? String(text.dropFirst().dropLast()) : text
    }
}

extension String {
    /// A Swift string literal of an identifier.
    var literal: String { "\"\(self)\"" }
}
