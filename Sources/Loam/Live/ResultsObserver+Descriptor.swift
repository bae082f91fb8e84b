public import Foundation
import LoamLive
import Observation

extension ResultsObserver {
    /// What is fetched. A new descriptor is read and followed by the assignment itself, which costs as much as the
    /// fetch.
    ///
    /// Where it cannot be run, the results go on to follow the one before, and ``fetchError`` says why. It is tried
    /// again when the next change is delivered, and by ``ResultsObserver/refresh()``. Unsaved changes are no part of
    /// the results, whatever ``FetchDescriptor/includePendingChanges`` says, and nothing is prefetched.
    public var fetchDescriptor: FetchDescriptor<Element> {
        get {
            registrar.access(self, keyPath: \.fetchDescriptor)
            return descriptor
        }
        set {
            registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { descriptor = newValue }
            followDescriptor()
        }
    }

    /// The predicate of ``fetchDescriptor``: which models the observer shows. Setting it sets the descriptor anew.
    public var filterBy: Predicate<Element>? {
        get { fetchDescriptor.predicate }
        set { fetchDescriptor.predicate = newValue }
    }

    /// The sort descriptors of ``fetchDescriptor``: the order of the models. Setting them sets the descriptor anew.
    public var sortBy: [SortDescriptor<Element>] {
        get { fetchDescriptor.sortBy }
        set { fetchDescriptor.sortBy = newValue }
    }

    /// The property whose values are the sections' titles.
    public var sectionBy: PartialKeyPath<Element>? { sectionKeyPath }

    /// Follows the descriptor where it could not be before, as where the store could not be read.
    func followAgain() {
        if descriptorError != nil { followDescriptor() }
    }

    private func followDescriptor() {
        do {
            let old = shown.state
            try changing { try follow(descriptor) }
            if fetchError != nil { setError { (descriptorError, readError) = (nil, nil) } }
            hand(out: LiveUpdate(resetting: old, to: shown.state))
        } catch {
            setError { descriptorError = SwiftDataError(error) }
        }
    }
}
