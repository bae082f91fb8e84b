import Synchronization

/// An object that is made when it is asked for first, and kept. One load tells it, where `AtomicLazyReference` makes a
/// call and looks for the type's metadata.
struct KeptObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
    /// The address of an object that is retained here, or 0.
    private let address = Atomic<UInt>(0)

    deinit { reference?.release() }

    private var reference: Unmanaged<Object>? {
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map { Unmanaged.fromOpaque($0) }
    }

    @inline(__always)
    var known: Object? { reference?.takeUnretainedValue() }

    /// Lends the object without counting a reference: it is kept for as long as this is.
    @inline(__always)
    func withKnown<R>(_ body: (Object?) throws -> R) rethrows -> R {
        guard let reference else { return try body(nil) }
        return try reference._withUnsafeGuaranteedRef { try body($0) }
    }

    /// Keeps an object, unless one is kept already; returns the one that is.
    @discardableResult
    func keep(_ new: Object) -> Object {
        let kept = Unmanaged.passRetained(new)
        let (isFirst, _) = address.compareExchange(
            expected: 0, desired: UInt(bitPattern: kept.toOpaque()), ordering: .acquiringAndReleasing)
        if !isFirst { kept.release() }
        return known ?? new
    }
}
