public import Foundation

/// Comparison with a captured model: by identifier, because a predicate cannot hold an object.
extension PredicateExpressions {
    /// The identifier of what an expression gives.
    public typealias _ModelIdentifier<Root: PredicateExpression> = KeyPath<Root, PersistentIdentifier>

    /// The identifier of what an optional expression gives.
    public typealias _OptionalModelIdentifier<Root: PredicateExpression, Model> =
        OptionalFlatMap<Root, Model, _ModelIdentifier<Variable<Model>>, PersistentIdentifier>
    where Root.Output == Model?

    /// What the macro writes for `row.relationship == model`.
    public static func build_Equal<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model>
    ) -> Equal<_ModelIdentifier<Root>, Value<PersistentIdentifier>> where Root.Output == Model {
        build_Equal(lhs: identifier(of: lhs), rhs: Value(rhs.value.persistentModelID))
    }

    /// What the macro writes for `row.relationship != model`.
    public static func build_NotEqual<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model>
    ) -> NotEqual<_ModelIdentifier<Root>, Value<PersistentIdentifier>> where Root.Output == Model {
        build_NotEqual(lhs: identifier(of: lhs), rhs: Value(rhs.value.persistentModelID))
    }

    /// What the macro writes for `row.relationship == model` where the relationship may be nil, and the model too.
    public static func build_Equal<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model?>
    ) -> Equal<_OptionalModelIdentifier<Root, Model>, Value<PersistentIdentifier?>> where Root.Output == Model? {
        build_Equal(lhs: optionalIdentifier(of: lhs), rhs: Value(rhs.value?.persistentModelID))
    }

    /// What the macro writes for `row.relationship != model` where the relationship may be nil, and the model too.
    public static func build_NotEqual<Root, Model: PersistentModel>(
        lhs: Root, rhs: Value<Model?>
    ) -> NotEqual<_OptionalModelIdentifier<Root, Model>, Value<PersistentIdentifier?>> where Root.Output == Model? {
        build_NotEqual(lhs: optionalIdentifier(of: lhs), rhs: Value(rhs.value?.persistentModelID))
    }

    /// What is captured for `model!`, `models[0]` or `value as! Model`.
    public typealias _UnwrappedModel<Model> = ForcedUnwrap<Value<Model?>, Model>
    /// The identifier of such a model.
    public typealias _UnwrappedIdentifier = ForcedUnwrap<Value<PersistentIdentifier?>, PersistentIdentifier>

    /// What the macro writes for `row.relationship == model!`.
    public static func build_Equal<Root, Model: PersistentModel>(
        lhs: Root, rhs: _UnwrappedModel<Model>
    ) -> Equal<_ModelIdentifier<Root>, _UnwrappedIdentifier> where Root.Output == Model {
        build_Equal(lhs: identifier(of: lhs), rhs: identifier(of: rhs))
    }

    /// What the macro writes for `row.relationship != model!`.
    public static func build_NotEqual<Root, Model: PersistentModel>(
        lhs: Root, rhs: _UnwrappedModel<Model>
    ) -> NotEqual<_ModelIdentifier<Root>, _UnwrappedIdentifier> where Root.Output == Model {
        build_NotEqual(lhs: identifier(of: lhs), rhs: identifier(of: rhs))
    }

    /// What the macro writes for `row.relationship == model!` where the relationship may be nil.
    public static func build_Equal<Root, Model: PersistentModel>(
        lhs: Root, rhs: _UnwrappedModel<Model>
    ) -> Equal<_OptionalModelIdentifier<Root, Model>, Value<PersistentIdentifier?>> where Root.Output == Model? {
        build_Equal(lhs: lhs, rhs: rhs.inner)
    }

    /// What the macro writes for `row.relationship != model!` where the relationship may be nil.
    public static func build_NotEqual<Root, Model: PersistentModel>(
        lhs: Root, rhs: _UnwrappedModel<Model>
    ) -> NotEqual<_OptionalModelIdentifier<Root, Model>, Value<PersistentIdentifier?>> where Root.Output == Model? {
        build_NotEqual(lhs: lhs, rhs: rhs.inner)
    }

    /// What the macro writes for `row.relationship.contains(model!)`.
    public static func build_contains<Root, Model: PersistentModel>(
        _ models: Root, _ element: _UnwrappedModel<Model>
    ) -> SequenceContainsWhere<Root, Equal<_ModelIdentifier<Variable<Model>>, _UnwrappedIdentifier>>
    where Root.Output: Sequence, Root.Output.Element == Model {
        build_contains(models, where: { build_Equal(lhs: $0, rhs: element) })
    }

    private static func identifier<Model: PersistentModel>(of model: _UnwrappedModel<Model>) -> _UnwrappedIdentifier {
        _UnwrappedIdentifier(Value(model.inner.value?.persistentModelID))
    }

    /// What the macro writes for `models.contains(row)` with captured models.
    public static func build_contains<Root, Model: PersistentModel>(
        _ models: Value<[Model]>, _ element: Root
    ) -> SequenceContains<Value<[PersistentIdentifier]>, _ModelIdentifier<Root>> where Root.Output == Model {
        build_contains(Value(models.value.map(\.persistentModelID)), identifier(of: element))
    }

    /// What the macro writes for `row.relationship.contains(model)` with a captured model.
    public static func build_contains<Root, Model: PersistentModel>(
        _ models: Root, _ element: Value<Model>
    ) -> SequenceContainsWhere<Root, Equal<_ModelIdentifier<Variable<Model>>, Value<PersistentIdentifier>>>
    where Root.Output: Sequence, Root.Output.Element == Model {
        build_contains(models, where: { build_Equal(lhs: $0, rhs: element) })
    }

    /// What the macro writes for `id` and `persistentModelID`: a property that the type itself has by that name, else
    /// the model's identifier, whatever protocol the name was found in.
    ///
    /// One function, whose value's type decides: with one more for `PersistentIdentifier`, a model's own `id` would
    /// never be taken.
    public static func build_Identifier<Root, Value>(
        root: Root, keyPath: any Swift.KeyPath<Root.Output, Value> & Sendable
    ) -> KeyPath<Root, Value> {
        build_KeyPath(root: root, keyPath: identifierKeyPath(standingFor: keyPath) ?? keyPath)
    }

    /// `\.persistentModelID` in the place of another key path to the identifier of a model; nil for a stored property.
    private static func identifierKeyPath<Output, Value>(
        standingFor keyPath: Swift.KeyPath<Output, Value>
    ) -> (any Swift.KeyPath<Output, Value> & Sendable)? {
        guard Value.self == PersistentIdentifier.self, let model = Output.self as? any PersistentModel.Type else {
            return nil
        }
        func open<Model: PersistentModel>(_ model: Model.Type) -> (any Swift.KeyPath<Output, Value> & Sendable)? {
            guard ModelType.of(model).ordinal(of: keyPath) == nil else { return nil }
            // Both types are the same, and a key path without subscripts is Sendable.
            return unsafeBitCast(\Model.persistentModelID, to: (any Swift.KeyPath<Output, Value> & Sendable).self)
        }
        return open(model)
    }

    private static func identifier<Root>(of root: Root) -> _ModelIdentifier<Root> where Root.Output: PersistentModel {
        build_KeyPath(root: root, keyPath: \Root.Output.persistentModelID)
    }

    private static func optionalIdentifier<Root, Model: PersistentModel>(
        of root: Root
    ) -> _OptionalModelIdentifier<Root, Model> where Root.Output == Model? {
        OptionalFlatMap(root) { identifier(of: $0) }
    }
}
