public import Foundation
import LoamLive
import Observation

extension ResultsObserver {
    /// What is fetched. A new descriptor is followed at once; where it cannot be run, the results go on to follow the one
    /// before, ``fetchError`` says why, and it is tried again as a failed read is.
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

    /// Which models; see ``fetchDescriptor``.
    public var filterBy: Predicate<Element>? {
        get { fetchDescriptor.predicate }
        set { fetchDescriptor.predicate = newValue }
    }

    /// In which order; see ``fetchDescriptor``.
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
