public import Foundation
import LoamLive
import Observation

extension ResultsObserver {
    /// What is fetched. A new descriptor is followed at once; where it cannot be run, the results stay as they are and
    /// ``fetchError`` says why.
    public var fetchDescriptor: FetchDescriptor<Element> {
        get {
            registrar.access(self, keyPath: \.fetchDescriptor)
            return descriptor
        }
        set {
            registrar.withMutation(of: self, keyPath: \.fetchDescriptor) { descriptor = newValue }
            do {
                let old = shown.state
                try changing { try follow(newValue) }
                registrar.withMutation(of: self, keyPath: \.fetchError) { error = nil }
                hand(out: LiveUpdate(resetting: old, to: shown.state))
            } catch {
                registrar.withMutation(of: self, keyPath: \.fetchError) { self.error = SwiftDataError(error) }
            }
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
}
