import Observation

/// What code can track of observers and of the requests of views, whatever their types.
///
/// It stands for them where they are tracked. A key path into a generic type is made anew wherever it is written, which
/// takes longer than to see that nobody tracks; each of these is made once.
package struct TrackedParts: Observable, Sendable {
    package var results: Void { () }
    package var sections: Void { () }
    package var values: Void { () }
    package var settings: Void { () }
    package var fetchDescriptor: Void { () }
    package var sectionBy: Void { () }
    package var fetchError: Void { () }
}

/// Tells those who track parts of one owner.
package struct PartRegistrar: Sendable {
    package typealias Part = KeyPath<TrackedParts, Void>

    private let registrar = ObservationRegistrar()

    package init() {}

    package func access(_ part: Part) { registrar.access(TrackedParts(), keyPath: part) }

    package func willSet(_ part: Part) { registrar.willSet(TrackedParts(), keyPath: part) }

    package func didSet(_ part: Part) { registrar.didSet(TrackedParts(), keyPath: part) }

    package func withMutation<Result>(of part: Part, _ change: () throws -> Result) rethrows -> Result {
        try registrar.withMutation(of: TrackedParts(), keyPath: part, change)
    }
}
