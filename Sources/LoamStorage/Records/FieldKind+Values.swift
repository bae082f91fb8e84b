/// What a value has to be, to be one of a type. Where bytes say of what type they are, as those of a member do, they are
/// damaged if that is another one.
extension FieldKind {
    /// Whether it is the kind of a value's type; nil is of all kinds, and an integer of all widths.
    func takes(_ value: Value) -> Bool {
        switch (value, self) {
        case (.null, _), (.bool, .bool), (.float, .float), (.double, .double), (.date, .date), (.uuid, .uuid),
            (.decimal, .decimal), (.string, .string), (.url, .url), (.data, .data), (.array, .array),
            (.dictionary, .dictionary), (.structure, .structure):
            true
        case (.int, _): isInteger && isSigned
        case (.uint, _): isInteger && !isSigned
        default: false
        }
    }

    /// Whether it is the kind of a value's type; nil is of all kinds, and an integer of all widths.
    func takes(_ value: UnboxedValue) -> Bool {
        switch (value.kind, self) {
        case (.null, _), (.bool, .bool), (.float, .float), (.double, .double), (.date, .date), (.uuid, .uuid),
            (.decimal, .decimal), (.string, .string), (.url, .url), (.data, .data):
            true
        case (.int, _): isInteger && isSigned
        case (.uint, _): isInteger && !isSigned
        case (.composite, _): value.text.first.map { CompositeTag(self)?.rawValue == $0 } ?? false
        default: false
        }
    }

    /// - Throws: `damagedRecord` unless bytes begin with the tag of this kind of composite value.
    func checkTag(of bytes: RawSpan) throws {
        guard let tag = CompositeTag(self), bytes.byteCount > 0,
            bytes.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self) == tag.rawValue
        else { throw CompositeReader.damaged("a composite value is of another kind than its field") }
    }

    static var memberOfOtherType: StorageError { CompositeReader.damaged("a member is of another type than its own") }
}
