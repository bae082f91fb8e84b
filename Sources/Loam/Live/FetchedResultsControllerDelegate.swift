public import Foundation
import LoamLive

/// Hears of the changes of a ``FetchedResultsController``, on the controller's isolation. All of it is optional.
///
/// ```swift
/// @MainActor final class List: @MainActor FetchedResultsControllerDelegate {
///     func controllerDidChangeContent(_ controller: FetchedResultsController<City, String>) { show(controller) }
/// }
/// ```
///
/// A change, which may be that of several saves, is told in this order:
/// 1. ``controllerWillChangeContent(_:)``, while the controller shows what was. Everything behind it is called when it
///    shows what is.
/// 2. The change itself, in one of three forms. A delegate has it in the first of them that it implements:
///    - all at once as a state: `controller(_:didChangeContentWith:)` with a ``ResultsSnapshot``;
///    - all at once as a difference: `controller(_:didChangeContentWith:)` with a ``ResultsDifference``;
///    - one by one: `controller(_:didChange:atSectionIndex:for:)` for each section, then
///      `controller(_:didChange:at:for:newIndexPath:)` for each object.
/// 3. ``controllerDidChangeContent(_:)``. Core Data leaves this and the first out for the forms that come at once.
///
/// Whatever a delegate asks for in the midst of a change, a fetch, a save, ``FetchedResultsController/refresh()`` or
/// ``FetchedResultsController/performFetch()``, the change goes on as it began; what that brings is a change of its own
/// after it.
///
/// Nobody has to start over: where it is not known which models changed, as where another process changed more than the
/// history tells, the results before and after are compared, and all models that stayed count as updated.
public protocol FetchedResultsControllerDelegate<Element, SectionTitle>: AnyObject {
    /// The models of the controller.
    associatedtype Element: PersistentModel
    /// What is the title of a section; `Never` for results without sections.
    associatedtype SectionTitle: Hashable & SendableMetatype

    /// The results are about to change.
    func controllerWillChangeContent(_ controller: FetchedResultsController<Element, SectionTitle>)

    /// The results have changed, and everything about it was told.
    func controllerDidChangeContent(_ controller: FetchedResultsController<Element, SectionTitle>)

    /// An object came, went, moved or changed: deletions from the last to the first, then insertions, moves and updates,
    /// each ascending. Each object is in one call, but for moves from a section that goes, or to one that comes: those
    /// are a deletion and an insertion, as no list has both sections at one time.
    ///
    /// - Parameters:
    ///   - controller: the controller whose results these are.
    ///   - object: the object. One that was deleted has its identifier, and its last values where somebody held the
    ///     object, or the context had not taken the deletion in by itself; else empty ones.
    ///   - indexPath: where it was before the change; nil for insertions.
    ///   - type: what happened. A move says that the object changed, too.
    ///   - newIndexPath: where it is after the change; nil for deletions.
    func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>, didChange object: Element,
        at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?)

    /// A section came or went: deletions from the last to the first, then insertions, ascending. The objects in it are
    /// told as well.
    ///
    /// - Parameters:
    ///   - controller: the controller whose results these are.
    ///   - sectionInfo: the section, as it was before the change where it was deleted.
    ///   - sectionIndex: its number before the change where it was deleted, else its number now.
    ///   - type: an insertion or a deletion.
    func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        didChange sectionInfo: FetchedResultsSectionInfo<Element, SectionTitle>, atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType)

    /// What stands for a section in an index beside the list; the first letter of its name, as a capital, without more.
    func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?

    /// The results have changed, by this difference. It is no reset.
    func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        didChangeContentWith difference: ResultsDifference<SectionTitle>)

    /// The results have changed, and are these.
    func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        didChangeContentWith snapshot: ResultsSnapshot<SectionTitle>)
}

/// What happened to an object, or to a section.
public enum FetchedResultsChangeType: UInt, Sendable {
    /// It is new in the results.
    case insert = 1
    /// It is in the results no more.
    case delete = 2
    /// It changed, and stands at another place therefore.
    case move = 3
    /// It changed, and kept its place among the others.
    case update = 4
}

/// What a delegate does not implement. Each form of a change hands over to the next one.
extension FetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent(_ controller: FetchedResultsController<Element, SectionTitle>) {}

    /// Does nothing.
    public func controllerDidChangeContent(_ controller: FetchedResultsController<Element, SectionTitle>) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>, didChange object: Element,
        at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        didChange sectionInfo: FetchedResultsSectionInfo<Element, SectionTitle>, atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {}

    /// The first letter of the name, as a capital; nil for an empty name.
    public func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        FetchedResultsController<Element, SectionTitle>.indexTitle(of: sectionName)
    }

    /// Tells the change one by one. Does nothing while there is none.
    public func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        didChangeContentWith difference: ResultsDifference<SectionTitle>
    ) {
        controller.tellEach(to: self)
    }

    /// Tells the change as a difference. Does nothing while there is none.
    public func controller(
        _ controller: FetchedResultsController<Element, SectionTitle>,
        didChangeContentWith snapshot: ResultsSnapshot<SectionTitle>
    ) {
        guard let difference = controller.toldDifference else { return }
        self.controller(controller, didChangeContentWith: difference)
    }
}
