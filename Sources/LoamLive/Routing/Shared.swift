/// A value behind one reference: a copy counts that one, where a copy of the value counts one for each of its parts. A change
/// copies the value first where another copy has it, too.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | the value in the box | being the only one who has the box | whoever changes ``value`` | it is copied |
struct Shared<Value: Sendable>: Sendable {
    private final class Box: @unchecked Sendable {
        var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { box = Box(value) }

    var value: Value {
        @inline(__always) _read { yield box.value }
        @inline(__always) _modify {
            if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
            yield &box.value
        }
    }
}
