import Foundation
import Loam

/// A list that is kept by a delegate's calls alone, as a table is: what goes is taken out at its old place, what comes is
/// put in at its new one, when the change is over.
final class ReplayedList<Element: PersistentModel, SectionTitle: Hashable & SendableMetatype>:
    FetchedResultsControllerDelegate
{
    typealias Controller = FetchedResultsController<Element, SectionTitle>

    struct Row: Equatable {
        var identifier: PersistentIdentifier
        var text: String

        init(_ model: Element, text: String) {
            identifier = model.persistentModelID
            self.text = text
        }
    }

    struct Section: Equatable {
        var title: SectionTitle?
        var rows: [Row]
    }

    var sections: [Section]
    /// What is wrong with the calls.
    private(set) var faults: [String] = []
    private(set) var moves = 0
    private(set) var changes = 0
    private var goneSections: [Int] = []
    private var newSections: [(index: Int, title: SectionTitle?)] = []
    private var gone: [IndexPath] = []
    private var come: [(place: IndexPath, row: Row)] = []
    private var updates: [(from: IndexPath, to: IndexPath, row: Row)] = []

    /// What is shown of a model.
    private let text: (Element) -> String

    init(_ controller: Controller, text: @escaping (Element) -> String) {
        self.text = text
        sections = Self.sections(of: controller, text: text)
    }

    /// What a controller shows.
    static func sections(of controller: Controller, text: (Element) -> String) -> [Section] {
        controller.sections?.map { section in
            Section(title: section.title, rows: section.objects.map { Row($0, text: text($0)) })
        } ?? []
    }

    func controllerWillChangeContent(_ controller: Controller) {
        check(controller.fetchedObjects?.identifiers == sections.flatMap { $0.rows.map(\.identifier) }, "will")
    }

    func controller(
        _ controller: Controller, didChange sectionInfo: FetchedResultsSectionInfo<Element, SectionTitle>,
        atSectionIndex sectionIndex: Int, for type: FetchedResultsChangeType
    ) {
        check(gone.isEmpty && come.isEmpty && updates.isEmpty, "section behind objects")
        if type == .delete {
            check(sections[sectionIndex].title == sectionInfo.title, "deleted section")
            check(sections[sectionIndex].rows.count == sectionInfo.numberOfObjects, "size of deleted section")
            goneSections.append(sectionIndex)
        } else {
            check(type == .insert, "kind of section change")
            newSections.append((sectionIndex, sectionInfo.title))
        }
    }

    func controller(
        _ controller: Controller, didChange object: Element, at indexPath: IndexPath?,
        for type: FetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let row = Row(object, text: text(object))
        if let indexPath {
            check(sections[indexPath[0]].rows[indexPath[1]].identifier == row.identifier, "\(type) of another row")
        }
        if let newIndexPath { check(controller.object(at: newIndexPath) === object, "\(type) to another row") }
        switch (type, indexPath, newIndexPath) {
        case (.delete, let from?, nil): gone.append(from)
        case (.insert, nil, let to?): come.append((to, row))
        case (.move, let from?, let to?):
            moves += 1
            gone.append(from)
            come.append((to, row))
            check(!goneSections.contains(from[0]), "move from a section that goes")
            check(!newSections.contains { $0.index == to[0] }, "move to a section that comes")
        case (.update, let from?, let to?): updates.append((from, to, row))
        default: check(false, "places of \(type)")
        }
    }

    func controllerDidChangeContent(_ controller: Controller) {
        changes += 1
        check(Set(gone + updates.map(\.from)).count == gone.count + updates.count, "a place that goes twice")
        for place in gone.sorted().reversed() { sections[place[0]].rows.remove(at: place[1]) }
        for section in goneSections.sorted().reversed() {
            check(sections[section].rows.isEmpty, "rows in a section that goes")
            sections.remove(at: section)
        }
        for section in newSections.sorted(by: { $0.index < $1.index }) {
            sections.insert(Section(title: section.title, rows: []), at: section.index)
        }
        for (place, row) in come.sorted(by: { $0.place < $1.place }) {
            sections[place[0]].rows.insert(row, at: place[1])
        }
        for update in updates {
            check(sections[update.to[0]].rows[update.to[1]].identifier == update.row.identifier, "updated row")
            sections[update.to[0]].rows[update.to[1]] = update.row
        }
        (goneSections, newSections, gone, come, updates) = ([], [], [], [], [])
    }

    private func check(_ isRight: Bool, _ fault: String) { if !isRight { faults.append(fault) } }
}
