import Foundation

@testable import Loam

final class Stop: PersistentModel {
    var _name: _Field<String>
    var name: String {
        @storageRestrictions(initializes: _name)
        init(initialValue) { _name = Loam._Field(initialValue) }
        get {
            Loam._access(self, \.name)
            if let value = _name.value { return value }
            return Loam._load(self, 0, into: &_name)
        }
        set {
            Loam._willSet(self, 0, \.name)
            _name = Loam._assign(newValue, to: 0, of: self)
            Loam._didSet(self, \.name)
        }
    }
    var _line: _Field<Int>
    var line: Int = 0 {
        @storageRestrictions(initializes: _line)
        init(initialValue) { _line = Loam._Field(initialValue) }
        get {
            Loam._access(self, \.line)
            if let value = _line.value { return value }
            return Loam._load(self, 1, into: &_line)
        }
        set {
            Loam._willSet(self, 1, \.line)
            _line = Loam._assign(newValue, to: 1, of: self)
            Loam._didSet(self, \.line)
        }
    }
    var _$backing: _ModelBacking? = nil
    init(_ name: String, line: Int) {
        self.name = name
        self.line = line
    }
    required init(_backing: _ModelBacking) {
        _name = _Field()
        _line = _Field()
        _$backing = _backing
    }
    static var schemaMetadata: [Loam.Schema.PropertyMetadata] {
        [
            .init(name: "name", keypath: \Stop.name),
            .init(name: "line", keypath: \Stop.line, defaultValue: 0),
        ]
    }
    static var _indices: [any Loam._IndexMetadata] { [] }
    func _encode(into encoder: inout Loam._RecordEncoder) throws {
        try encoder.encode(_name, 0)
        try encoder.encode(_line, 1)
    }
    func _invalidate(_ fields: Loam._FieldSet) {
        if fields.contains(0) { _name = _Field() }
        if fields.contains(1) { _line = _Field() }
    }
}
