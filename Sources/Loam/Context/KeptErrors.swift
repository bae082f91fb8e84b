/// What went wrong where nothing can be thrown, as in a setter or an autosave: the next fetch or save throws it.
struct KeptErrors {
    /// The first error since the last one was thrown.
    private var kept: (any Error)?
    /// Why the last autosave failed, until a save succeeds or a fetch has thrown it.
    private var autosave: (any Error)?

    /// Keeps an error, unless one is kept already.
    mutating func keep(_ error: any Error) { kept = kept ?? error }

    /// The error that is to be thrown now, if there is one; it is forgotten. An autosave's comes last.
    mutating func take() -> (any Error)? { kept.take() ?? autosave.take() }

    /// A save begins, which has an error of its own where it fails.
    mutating func forgetAutosave() { autosave = nil }

    /// Everything that may have gone wrong is taken back.
    mutating func forget() { self = KeptErrors() }

    // MARK: Autosaves

    /// What was kept before an autosave is for a fetch or save that somebody calls: it is laid aside meanwhile.
    mutating func beginAutosave() -> (any Error)? { kept.take() }

    /// - Parameters:
    ///   - error: why the autosave failed, if it did.
    ///   - former: what ``beginAutosave()`` gave.
    mutating func endAutosave(_ error: (any Error)?, former: (any Error)?) {
        if let error { autosave = error }
        if let former { kept = former }
    }
}
