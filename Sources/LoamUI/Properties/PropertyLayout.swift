@_spi(Reflection) import Swift

/// Which fields of a type are properties of the host's, and where they are in its memory. Made once for a type.
@MainActor final class PropertyLayout {
    private struct Property {
        let offset: Int
        let update: @MainActor (UnsafeMutableRawPointer, PropertyPlace) -> Void
        let showsSame: @MainActor (UnsafeRawPointer, UnsafeRawPointer) -> Bool
    }

    private struct PlainField {
        let offset: Int
        let type: Any.Type
        let isStructure: Bool
    }

    /// Fields of types that have no metadata are left out. The runtime's own constant is a variable.
    private static let ignoringUnknown = _EachFieldOptions(rawValue: 1 << 1)
    private static var known: [ObjectIdentifier: PropertyLayout] = [:]

    private var properties: [Property] = []
    private var plain: [PlainField] = []
    /// Whether an `update()` may read what nobody else observes.
    private(set) var readsInUpdate = false

    static func of(_ type: Any.Type) -> PropertyLayout {
        if let layout = known[ObjectIdentifier(type)] { return layout }
        let layout = PropertyLayout(type)
        known[ObjectIdentifier(type)] = layout
        return layout
    }

    private init(_ type: Any.Type) {
        let isContainer = type is any InnerProperties.Type
        _ = _forEachField(of: type, options: Self.ignoringUnknown) { _, offset, field, kind in
            if let property = field as? any DynamicProperty.Type {
                add(property, at: offset)
            } else if isContainer, kind == .struct {
                addContained(field, at: offset)
            } else {
                plain.append(
                    PlainField(offset: offset, type: field, isStructure: kind == .struct || kind == .tuple))
            }
            return true
        }
    }

    /// The fields of a modifier, which is no property itself.
    private func addContained(_ type: Any.Type, at offset: Int) {
        let inner = PropertyLayout.of(type)
        readsInUpdate = readsInUpdate || inner.readsInUpdate
        properties.append(
            Property(
                offset: offset, update: { inner.update($0, in: $1) }, showsSame: { inner.showsSame($0, $1) }))
    }

    private func add<Field: DynamicProperty>(_ type: Field.Type, at offset: Int) {
        let hosted = type as? any HostedProperty.Type
        let inner = hosted == nil ? PropertyLayout.of(type) : nil
        let isObserved = type is any ObservedProperty.Type
        if let inner {
            let readsItself = !isObserved && !(type is any InnerProperties.Type)
            readsInUpdate = readsInUpdate || readsItself || inner.readsInUpdate
        }
        var place: (@MainActor (UnsafeMutableRawPointer, PropertyPlace) -> Void)?
        var compare: (@MainActor (UnsafeRawPointer, UnsafeRawPointer) -> Bool)?
        if let hosted { (place, compare) = (Self.mounting(hosted), Self.comparing(hosted)) }
        properties.append(
            Property(
                offset: offset,
                update: { [place, inner] pointer, owner in
                    place?(pointer, owner)
                    inner?.update(pointer, in: owner)
                    pointer.assumingMemoryBound(to: type).pointee.update()
                },
                showsSame: { [compare, inner] left, right in
                    if let compare { return compare(left, right) }
                    return isObserved || inner?.showsSame(left, right) ?? true
                }))
    }

    private static func mounting<Field: HostedProperty>(
        _ type: Field.Type
    ) -> @MainActor (UnsafeMutableRawPointer, PropertyPlace) -> Void {
        { pointer, place in pointer.assumingMemoryBound(to: type).pointee.mount(in: place) }
    }

    private static func comparing<Field: HostedProperty>(
        _ type: Field.Type
    ) -> @MainActor (UnsafeRawPointer, UnsafeRawPointer) -> Bool {
        { left, right in
            left.assumingMemoryBound(to: type).pointee
                .showsSame(as: right.assumingMemoryBound(to: type).pointee)
        }
    }

    private func update(_ pointer: UnsafeMutableRawPointer, in place: PropertyPlace) {
        for property in properties { property.update(pointer + property.offset, place) }
    }

    private func showsSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
        plain.allSatisfy {
            FieldComparison.areEqual($0.type, isStructure: $0.isStructure, at: left + $0.offset, right + $0.offset)
        } && properties.allSatisfy { $0.showsSame(left + $0.offset, right + $0.offset) }
    }

    /// Puts the storage into a value's properties, the inner ones first, and tells them. O(properties).
    func update<Value>(_ value: inout Value, in place: PropertyPlace) {
        place.begin()
        guard !properties.isEmpty else { return }
        withUnsafeMutableBytes(of: &value) { bytes in
            if let base = bytes.baseAddress { update(base, in: place) }
        }
    }

    /// Whether two values, the properties of which were told, show the same as far as observation does not tell.
    func showsSame<Value>(_ left: Value, _ right: Value) -> Bool {
        withUnsafeBytes(of: left) { left in
            withUnsafeBytes(of: right) { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return showsSame(left, right)
            }
        }
    }
}
