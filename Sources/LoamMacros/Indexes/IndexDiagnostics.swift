// What `#Index` and `#Unique` say.

extension MacroDiagnostic {
    static func indexOutsideModel(_ name: String) -> Self {
        Self(name: "indexOutsideModel", message: "'#\(name)' has to stand in the body of a '@Model' class")
    }

    static func secondDeclaration(_ name: String) -> Self {
        Self(name: "secondDeclaration", message: "a model has one '#\(name)': put all lists of key paths into it")
    }

    static func otherModel(_ name: String, other: String, model: String) -> Self {
        Self(name: "otherModel", message: "'#\(name)' in '\(model)' cannot be about '\(other)'")
    }

    static func noKeyPaths(_ name: String) -> Self {
        Self(name: "noKeyPaths", message: "'#\(name)' needs a list with at least one key path, like '[\\.name]'")
    }

    static func rtree() -> Self {
        Self(name: "rtree", message: "indexes of kind '.rtree' are not yet supported")
    }

    static func listIsNoLiteral() -> Self {
        Self(
            name: "listIsNoLiteral", message: "the key paths have to be written as a list, like '[\\.country, \\.name]'"
        )
    }

    static func deepKeyPath() -> Self {
        Self(
            name: "deepKeyPath",
            message:
                "an index over a part of a property is not yet supported; functions are written as '.length(\\.name)'")
    }

    static func unknownProperty(_ name: String, model: String) -> Self {
        Self(name: "unknownProperty", message: "'\(name)' is not a persisted property of '\(model)'")
    }
}
