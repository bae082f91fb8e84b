// What the marks on properties say.

extension MacroDiagnostic {
    static func markOnNoProperty(_ mark: String) -> Self {
        Self(name: "markOnNoProperty", message: "'@\(mark)' can only be applied to a property of a model")
    }

    static func markOnUnstoredProperty(_ mark: String) -> Self {
        Self(
            name: "markOnUnstoredProperty",
            message: "'@\(mark)' has no meaning for a computed or static property: the store does not keep it")
    }

    static func markOnTransient(_ mark: String) -> Self {
        Self(name: "markOnTransient", message: "'@\(mark)' has no meaning for a '@Transient' property")
    }

    static func attributeAndRelationship() -> Self {
        Self(
            name: "attributeAndRelationship",
            message:
                "a property is either an attribute or a relationship: '@Attribute' and '@Relationship' exclude each other"
        )
    }

    static func option(_ option: String) -> Self {
        Self(name: "option", message: "attribute option '.\(option)' is not yet supported")
    }

    static func nameIsNoLiteral(_ label: String) -> Self {
        Self(name: "nameIsNoLiteral", message: "'\(label)' has to be a string literal that is not empty")
    }

    static func relationshipOption(_ option: String) -> Self {
        Self(name: "relationshipOption", message: "relationship option '.\(option)' is not yet supported")
    }

    static func relationshipToValue(_ name: String, type: String) -> Self {
        Self(
            name: "relationshipToValue",
            message: "'@Relationship' property '\(name)' has to lead to models, and '\(type)' is a value")
    }

    static func inverseIsNoKeyPath() -> Self {
        Self(name: "inverseIsNoKeyPath", message: "'inverse' has to be a key path literal like '\\City.country'")
    }

    static func inverseWithoutRoot() -> Self {
        Self(
            name: "inverseWithoutRoot",
            message: "'inverse' has to name a model and one of its properties, like '\\City.country'")
    }

    static func countsCross(_ minimum: Int, maximum: Int) -> Self {
        Self(
            name: "countsCross",
            message: "'minimumModelCount' of \(minimum) is more than 'maximumModelCount' of \(maximum)")
    }
}
