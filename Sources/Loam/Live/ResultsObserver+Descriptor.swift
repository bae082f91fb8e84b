public import Foundation
import LoamLive
import Observation

extension ResultsObserver {
    /// What is fetched. A new descriptor is read and followed by the assignment itself, which costs as much as the
    /// fetch. One difference leads from the results before to the new ones, O(n log n); a reset where there are more
    /// than 65,536.
    ///
    /// Where it cannot be run, the results go on to follow the one before, and ``fetchError`` says why. It is tried
    /// again when the store could be read for the next change, and by ``ResultsObserver/refresh()``. Relationships that
    /// are to be prefetched are read with the models of ``ResultsObserver/results`` that are read together.
    public var fetchDescriptor: FetchDescriptor<Element> {
        get {
            registrar.access(\.fetchDescriptor)
            return descriptor
        }
        set {
            registrar.withMutation(of: \.fetchDescriptor) { descriptor = newValue }
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

    /// The property whose values are the sections' titles; nil for results without sections. Its values must be of the
    /// observer's type of titles, or optional strings for strings: ``fetchError`` says so where they are not, and the
    /// sections stay as they were. Otherwise setting it is like setting ``fetchDescriptor``.
    public var sectionBy: PartialKeyPath<Element>? {
        get {
            registrar.access(\.sectionBy)
            return sectionKeyPath
        }
        set {
            registrar.withMutation(of: \.sectionBy) { sectionKeyPath = newValue }
            followDescriptor()
        }
    }

    /// Sets ``fetchDescriptor`` and ``sectionBy``: one fetch and one difference for both.
    package func follow(_ descriptor: FetchDescriptor<Element>, sectionBy: PartialKeyPath<Element>?) {
        registrar.withMutation(of: \.fetchDescriptor) { self.descriptor = descriptor }
        registrar.withMutation(of: \.sectionBy) { sectionKeyPath = sectionBy }
        followDescriptor()
    }

    /// Follows the descriptor where it could not be before, as where the store could not be read; returns whether it does
    /// from now on.
    func followAgain() -> Bool {
        guard descriptorError != nil else { return false }
        followDescriptor()
        return descriptorError == nil
    }

    private func followDescriptor() {
        do {
            try checkSections()
            try follow(descriptor, section: sectionKeyPath)
            if descriptorError != nil || readError != nil { setError { (descriptorError, readError) = (nil, nil) } }
            titleReader.reader = SectionTitleReader(Element.self, section: sectionKeyPath)
            takeDeliveries()
        } catch {
            setError { descriptorError = SwiftDataError(error) }
        }
    }

    private func checkSections() throws {
        guard let sectionKeyPath, !(sectionKeyPath is KeyPath<Element, SectionTitle>) else { return }
        if SectionTitle.self == String.self, sectionKeyPath is KeyPath<Element, String?> { return }
        throw SwiftDataError(
            .unsupportedKeyPath,
            detail: "The observer's titles are of type \(SectionTitle.self), the values of \(sectionKeyPath) are not.")
    }
}
