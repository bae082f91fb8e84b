import LoamLive
import LoamStorage
import Synchronization

/// Makes the titles of sections of the stored values that their rows have in common.
struct SectionTitleReader<Title: Hashable>: Sendable {
    /// A title, and what is stored where the title's type has no such value.
    typealias Read = (title: Title, unreadable: UnreadableValue?)

    private let entity: String
    private let property: String
    private let model: any PersistentModel.Type
    private let ordinal: Int
    /// Whether the titles may be the results of a function.
    private let isComputed: Bool

    /// - Parameter section: the property whose values are the titles, one of a related model, or a function of either;
    ///   nil without sections.
    init<Element: PersistentModel>(_ type: Element.Type, section: PartialKeyPath<Element>?) {
        let description = ModelType.of(type)
        let ordinal = section.flatMap { description.ordinal(of: $0) }
        entity = description.entityName
        property =
            ordinal.map { description.properties[$0].name } ?? section.flatMap { description.sortPath(of: $0) } ?? ""
        model = type
        self.ordinal = ordinal ?? -1
        isComputed = section != nil && ordinal == nil
    }

    /// Every value has a title: one that the type does not have reads as it does in the section's models.
    func read(_ stored: Value) -> Read {
        if stored.isNull { return (fallback(of: model), nil) }
        // Nothing has to be looked up for a text.
        if Title.self == String.self, case .string(let text) = stored, let title = text as? Title {
            return (title, nil)
        }
        if let value = CodableStorage.propertyValue(Title.self, of: stored), let title = value as? Title {
            return (title, nil)
        }
        if isComputed, let title = result(stored, in: model) { return (title, nil) }
        return (fallback(of: model), UnreadableValue(stored, entity: entity, property: property, type: Title.self))
    }

    private func result<Element: PersistentModel>(_ stored: Value, in type: Element.Type) -> Title? {
        ScalarFunction<Element, Title>.value(stored)
    }

    private func fallback<Element: PersistentModel>(of type: Element.Type) -> Title {
        CodableStorage.fallback(Title.self, model: type, ordinal: ordinal)
    }
}

/// The reader of titles that an observer uses now.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `current` | its mutex | the observer's isolation, with another section key path | the observer and its sequences go |
final class TitleSource<Title: Hashable>: Sendable {
    private let current: Mutex<SectionTitleReader<Title>>

    init(_ reader: SectionTitleReader<Title>) { current = Mutex(reader) }

    var reader: SectionTitleReader<Title> {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// The titles of a state's sections, one for each, read when they are first asked for.
final class SectionTitles<Title: Hashable> {
    private let state: ResultState
    private let reader: SectionTitleReader<Title>
    // Looking for overlapping accesses would cost each section as much as finding it. Arrays of plain types: of a tuple
    // with a title nothing could be read without a look at its type.
    @exclusivity(unchecked) private var isRead = false
    @exclusivity(unchecked) private var titles: [Title] = []
    @exclusivity(unchecked) private var ranges: [Range<Int>] = []
    /// By the numbers of the sections.
    @exclusivity(unchecked) private var unreadable: [Int: UnreadableTitle] = [:]

    init(_ state: ResultState, reader: SectionTitleReader<Title>) {
        self.state = state
        self.reader = reader
    }

    private func read() {
        if isRead { return }
        isRead = true
        guard state.isSectioned else { return }
        if readTexts() { return }
        var (titles, ranges): ([Title], [Range<Int>]) = ([], [])
        titles.reserveCapacity(state.sectionCount)
        ranges.reserveCapacity(state.sectionCount)
        state.forEachSection { identifier, rows in
            let (title, value) = reader.read(identifier)
            if let value { unreadable[titles.count] = UnreadableTitle(value) }
            titles.append(title)
            ranges.append(rows)
        }
        (self.titles, self.ranges) = (titles, ranges)
    }

    /// Reads the titles where all are texts, which is mostly so: nothing is looked up for each then.
    private func readTexts() -> Bool {
        guard Title.self == String.self else { return false }
        var (texts, ranges): ([String], [Range<Int>]) = ([], [])
        texts.reserveCapacity(state.sectionCount)
        ranges.reserveCapacity(state.sectionCount)
        state.forEachSection { identifier, rows in
            guard case .string(let text) = identifier else { return }
            texts.append(text)
            ranges.append(rows)
        }
        // Fewer where one is no text. The list is taken as a whole, and not title by title.
        guard texts.count == state.sectionCount, let titles = (texts as Any) as? [Title] else { return false }
        (self.titles, self.ranges) = (titles, ranges)
        return true
    }

    var all: [Title] {
        read()
        return titles
    }

    /// The title of a section.
    func title(at number: Int) -> Title {
        read()
        return titles[number]
    }

    /// What is stored where a section has no title that can be read.
    func unreadable(at number: Int) -> UnreadableTitle? {
        read()
        return unreadable.isEmpty ? nil : unreadable[number]
    }

    /// Where the rows of a section are in the result.
    func rows(at number: Int) -> Range<Int> {
        read()
        return ranges[number]
    }

    /// A title leads to the section whose models have it, before one whose stored value cannot be read.
    lazy var positions: [Title: Int] = {
        read()
        let readable = titles.indices.filter { unreadable[$0] == nil }
        let others = titles.indices.filter { unreadable[$0] != nil }
        return Dictionary((readable + others).map { (titles[$0], $0) }, uniquingKeysWith: { first, _ in first })
    }()
}

/// A stored value that is no title. A value of its own is large, and each section would be.
final class UnreadableTitle: Sendable {
    let value: UnreadableValue

    init(_ value: UnreadableValue) { self.value = value }
}
