import SwiftSyntax

// What may be a relationship, as far as the syntax tells: a macro sees names, not types.

extension ModelClass {
    /// Whether fields start empty, so that an initializer's body begins with all stored properties initialized and each
    /// assignment in it calls the setter, which tells the other side of a relationship.
    ///
    /// So in each class that may have a relationship. Not beside a constant: the compiler lets an initializer set one by
    /// its init accessor only.
    var startsEmpty: Bool {
        !hasConstants && properties.contains { $0.mayBeRelationship(besides: valueTypes) }
    }
}

extension DeclaredProperty {
    /// Whether the property may lead to models. True also for types of the application's own that are none.
    ///
    /// - Parameter values: names of types that are known not to be models.
    func mayBeRelationship(besides values: Set<String>) -> Bool {
        if relationship != nil { return true }
        if let attribute, !attribute.saysNoKind { return false }
        return type?.mayLeadToModels(besides: values) ?? defaultValue?.mayLeadToModels(besides: values) ?? true
    }
}

extension TypeSyntax {
    /// Whether values of a type that is written so may be models, or lead to some.
    fileprivate func mayLeadToModels(besides values: Set<String>) -> Bool {
        if let optional = self.as(OptionalTypeSyntax.self) {
            return optional.wrappedType.mayLeadToModels(besides: values)
        }
        if let unwrapped = self.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
            return unwrapped.wrappedType.mayLeadToModels(besides: values)
        }
        if let array = self.as(ArrayTypeSyntax.self) { return array.element.mayLeadToModels(besides: values) }
        if let attributed = self.as(AttributedTypeSyntax.self) {
            return attributed.baseType.mayLeadToModels(besides: values)
        }
        if let tuple = self.as(TupleTypeSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            return only.type.mayLeadToModels(besides: values)
        }
        if self.is(DictionaryTypeSyntax.self) { return false }
        if let member = self.as(MemberTypeSyntax.self) {
            guard ["Swift", "Foundation"].contains(member.baseType.trimmedDescription) else { return true }
            return KnownTypes.mayLeadToModels(member.name.text, member.genericArgumentClause, besides: values)
        }
        guard let identifier = self.as(IdentifierTypeSyntax.self) else { return true }
        return KnownTypes.mayLeadToModels(identifier.name.text, identifier.genericArgumentClause, besides: values)
    }
}

extension ExprSyntax {
    /// The same of an initial value that gives a property its type.
    fileprivate func mayLeadToModels(besides values: Set<String>) -> Bool {
        switch kind {
        case .stringLiteralExpr, .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr, .dictionaryExpr:
            return false
        default: break
        }
        if let prefixed = self.as(PrefixOperatorExprSyntax.self) {
            return prefixed.expression.mayLeadToModels(besides: values)
        }
        if let array = self.as(ArrayExprSyntax.self) {
            return array.elements.isEmpty || array.elements.contains { $0.expression.mayLeadToModels(besides: values) }
        }
        if let call = self.as(FunctionCallExprSyntax.self) {
            return call.calledExpression.mayLeadToModels(besides: values)
        }
        if let member = self.as(MemberAccessExprSyntax.self), let base = member.base {
            return base.mayLeadToModels(besides: values)
        }
        guard let name = self.as(DeclReferenceExprSyntax.self) else { return true }
        return KnownTypes.mayLeadToModels(name.baseName.text, nil, besides: values)
    }
}

/// Types of the standard library and Foundation that are attributes in nearly every model.
private enum KnownTypes {
    private static let values: Set<String> = [
        "Bool", "CGFloat", "Data", "Date", "DateComponents", "Decimal", "Double", "Duration", "Float",
        "Int", "Int8", "Int16", "Int32", "Int64", "Locale", "String", "TimeInterval", "TimeZone", "UInt", "UInt8",
        "UInt16", "UInt32", "UInt64", "URL", "UUID",
    ]
    /// Without arguments they are types of the application's own.
    private static let containers: Set<String> = ["Array", "Dictionary", "Optional", "Set"]

    static func mayLeadToModels(
        _ name: String, _ arguments: GenericArgumentClauseSyntax?, besides others: Set<String>
    ) -> Bool {
        if values.contains(name) || others.contains(name) { return false }
        guard containers.contains(name), let arguments else { return true }
        return arguments.arguments.contains { argument in
            guard case .type(let type) = argument.argument else { return true }
            return type.mayLeadToModels(besides: others)
        }
    }
}
