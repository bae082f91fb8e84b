import SwiftDiagnostics

// What `@Model` says.

extension MacroDiagnostic {
    static func modelIsNoClass(_ kind: String) -> Self {
        Self(name: "modelIsNoClass", message: "'@Model' can only be applied to a class, not to \(kind)")
    }

    static func superclass(_ name: String) -> Self {
        Self(
            name: "superclass",
            message: "a model class that inherits from another, here '\(name)', is not yet supported")
    }

    static func mainActor(_ model: String) -> Self {
        Self(
            name: "mainActor",
            message: "model '\(model)' cannot be '@MainActor': a model belongs to the isolation of its context, and "
                + "key paths to its properties are used by predicates and the store on any; use it with "
                + "'container.mainContext' to have it on the main actor")
    }

    static func isolatedProperty(_ name: String) -> Self {
        Self(
            name: "isolatedProperty",
            message:
                "persisted property '\(name)' cannot be '@MainActor': it belongs to the isolation of its model's context"
        )
    }

    static func missingInitializer(_ model: String) -> Self {
        Self(name: "missingInitializer", message: "'@Model' requires an initializer be provided for '\(model)'")
    }

    static func unsetProperty(_ name: String, model: String) -> Self {
        Self(
            name: "unsetProperty",
            message: "this initializer never sets persisted property '\(name)', which every '\(model)' needs: set "
                + "'self.\(name)' here, give it a default value, or make it optional")
    }

    static func reservedName(_ name: String) -> Self {
        Self(
            name: "reservedName",
            message: "a persisted property cannot be named '\(name)', which every model has already; "
                + "'@Attribute(originalName:)' keeps the name of an older store")
    }

    /// A warning: in the language mode of Swift 5 the compiler gives accessors to a constant too.
    static func constantProperty(_ name: String) -> Self {
        Self(
            name: "constantProperty",
            message:
                "persisted property '\(name)' should be a 'var': its value is read from the store when it is first used, "
                + "and beside it a relationship that an initializer sets first is not seen from the other model",
            severity: .warning)
    }

    /// A warning: the generated accessors take the place of the observers.
    static func observers(_ name: String) -> Self {
        Self(
            name: "observers",
            message:
                "'willSet' and 'didSet' of persisted property '\(name)' are never called: its accessors are generated",
            severity: .warning)
    }

    static func wrapper(_ attribute: String, name: String) -> Self {
        Self(
            name: "wrapper",
            message:
                "'@\(attribute)' makes accessors and cannot be applied to persisted property '\(name)', whose accessors "
                + "are generated; macros that only add declarations beside a property can")
    }

    static func modifier(_ modifier: String, name: String) -> Self {
        Self(name: "modifier", message: "persisted property '\(name)' cannot be '\(modifier)'")
    }

    static func severalBindings() -> Self {
        Self(name: "severalBindings", message: "declare each persisted property by itself")
    }

    static func pattern() -> Self {
        Self(name: "pattern", message: "a persisted property is a single name with its value, not a pattern")
    }

    static func missingType(_ name: String) -> Self {
        Self(name: "missingType", message: "persisted property '\(name)' needs a type or an initial value")
    }

    static func nilWithoutType(_ name: String) -> Self {
        Self(name: "nilWithoutType", message: "persisted property '\(name)' needs a type: 'nil' has none")
    }

    static func unsupportedType(_ name: String, type: String) -> Self {
        Self(
            name: "unsupportedType",
            message:
                "persisted property '\(name)' cannot have the type '\(type)': the store keeps 'Codable' values and models"
        )
    }

    static func transientWithoutValue(_ name: String, mark: String) -> Self {
        Self(
            name: "transientWithoutValue",
            message:
                "'\(mark)' property '\(name)' needs an initial value: an object that comes from the store has no other"
        )
    }

    static func conditionalProperty() -> Self {
        Self(
            name: "conditionalProperty",
            message: "a persisted property cannot stand in an '#if': the store's schema would depend on it")
    }
}
