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

    init(_ state: ResultState, reader: SectionTitleReader<Title>) {
        self.state = state
        self.reader = reader
    }

    /// What is read of each section, and where its rows are in the result.
    private lazy var contents: (read: [SectionTitleReader<Title>.Read], rows: [Range<Int>]) = {
        let sections = state.isSectioned ? state.sections : []
        return (sections.map { reader.read($0.identifier) }, sections.map(\.rows))
    }()
    var read: [SectionTitleReader<Title>.Read] { contents.read }
    var rows: [Range<Int>] { contents.rows }
    lazy var all: [Title] = read.map(\.title)
    /// A title leads to the section whose models have it, before one whose stored value cannot be read.
    lazy var positions: [Title: Int] = {
        let readable = read.indices.filter { read[$0].unreadable == nil }
        let others = read.indices.filter { read[$0].unreadable != nil }
        return Dictionary((readable + others).map { (read[$0].title, $0) }, uniquingKeysWith: { first, _ in first })
    }()
}
