import Observation

/// What stands for a model whose entity the container does not know: an object without properties and without a row.
final class UnknownModel: PersistentModel {
    var _$backing: _ModelBacking?

    init(_backing: _ModelBacking) { _$backing = _backing }

    static var schemaMetadata: [Schema.PropertyMetadata] { [] }
    static var _indices: [any _IndexMetadata] { [] }
    func _encode(into encoder: inout _RecordEncoder) throws {}
    func _invalidate(_ fields: _FieldSet) {}
}
