public import Foundation

/// Comparison with a captured model: by identifier, because a predicate cannot hold an object.
extension PredicateExpressions {
    /// The identifier of what an expression gives.
    public typealias ModelIdentifier<Root: PredicateExpression> = KeyPath<Root, PersistentIdentifier>

    /// The identifier of what an optional expression gives.
    public typealias OptionalModelIdentifier<Root: PredicateExpression, Model> =
        OptionalFlatMap<Root, Model, ModelIdentifier<Variable<Model>>, PersistentIdentifier>
    where Root.Output == Model?

    /// `row.relationship == model`
    public static func build_Equal<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model>
    ) -> Equal<ModelIdentifier<Root>, Value<PersistentIdentifier>> where Root.Output == Model {
        build_Equal(lhs: identifier(of: lhs), rhs: Value(rhs.value.persistentModelID))
    }

    /// `row.relationship != model`
    public static func build_NotEqual<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model>
    ) -> NotEqual<ModelIdentifier<Root>, Value<PersistentIdentifier>> where Root.Output == Model {
        build_NotEqual(lhs: identifier(of: lhs), rhs: Value(rhs.value.persistentModelID))
    }

    /// `row.relationship == model` where the relationship may be nil, and the model too.
    public static func build_Equal<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model?>
    ) -> Equal<OptionalModelIdentifier<Root, Model>, Value<PersistentIdentifier?>> where Root.Output == Model? {
        build_Equal(lhs: optionalIdentifier(of: lhs), rhs: Value(rhs.value?.persistentModelID))
    }

    /// `row.relationship != model` where the relationship may be nil, and the model too.
    public static func build_NotEqual<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model?>
    ) -> NotEqual<OptionalModelIdentifier<Root, Model>, Value<PersistentIdentifier?>> where Root.Output == Model? {
        build_NotEqual(lhs: optionalIdentifier(of: lhs), rhs: Value(rhs.value?.persistentModelID))
    }

    /// `models.contains(row)` for captured models.
    public static func build_contains<Root, Model: PersistentModel>(
        _ models: Value<[Model]>, _ element: Root
    ) -> SequenceContains<Value<[PersistentIdentifier]>, ModelIdentifier<Root>> where Root.Output == Model {
        build_contains(Value(models.value.map(\.persistentModelID)), identifier(of: element))
    }

    /// `row.relationship.contains(model)` for a captured model.
    public static func build_contains<Root, Model: PersistentModel>(
        _ models: Root, _ element: Value<Model>
    ) -> SequenceContainsWhere<Root, Equal<ModelIdentifier<Variable<Model>>, Value<PersistentIdentifier>>>
    where Root.Output: Sequence, Root.Output.Element == Model {
        build_contains(models, where: { build_Equal(lhs: $0, rhs: element) })
    }

    /// What the macro writes for `id` and `persistentModelID` of a model.
    public static func build_Identifier<Root>(
        root: Root, keyPath: any Swift.KeyPath<Root.Output, PersistentIdentifier> & Sendable
    ) -> ModelIdentifier<Root> where Root.Output: PersistentModel {
        identifier(of: root)
    }

    /// What the macro writes for a property named `id`.
    public static func build_Identifier<Root, Value>(
        root: Root, keyPath: any Swift.KeyPath<Root.Output, Value> & Sendable
    ) -> KeyPath<Root, Value> {
        build_KeyPath(root: root, keyPath: keyPath)
    }

    private static func identifier<Root>(of root: Root) -> ModelIdentifier<Root> where Root.Output: PersistentModel {
        build_KeyPath(root: root, keyPath: \Root.Output.persistentModelID)
    }

    private static func optionalIdentifier<Root, Model: PersistentModel>(
        of root: Root
    ) -> OptionalModelIdentifier<Root, Model> where Root.Output == Model? {
        OptionalFlatMap(root) { identifier(of: $0) }
    }
}
