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
        // Most titles are texts, and nothing has to be looked up for these.
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
    private var isRead = false
    // Arrays of plain types: of a tuple with a title nothing could be read without a look at its type.
    private var titles: [Title] = []
    private var ranges: [Range<Int>] = []
    /// By the numbers of the sections.
    private var unreadable: [Int: UnreadableTitle] = [:]

    init(_ state: ResultState, reader: SectionTitleReader<Title>) {
        self.state = state
        self.reader = reader
    }

    private func read() {
        if isRead { return }
        isRead = true
        guard state.isSectioned else { return }
        let sections = state.sections
        titles.reserveCapacity(sections.count)
        ranges.reserveCapacity(sections.count)
        for (number, section) in sections.enumerated() {
            let (title, value) = reader.read(section.identifier)
            titles.append(title)
            ranges.append(section.rows)
            if let value { unreadable[number] = UnreadableTitle(value) }
        }
    }

    var all: [Title] {
        read()
        return titles
    }

    /// Where the rows of a section are in the result, and its title.
    func section(at number: Int) -> (title: Title, unreadable: UnreadableTitle?, rows: Range<Int>) {
        read()
        return (titles[number], unreadable.isEmpty ? nil : unreadable[number], ranges[number])
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
