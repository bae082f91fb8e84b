/// A page that no value of a path stands for: of a link with a destination, or of `navigationDestination(isPresented:)`.
@MainActor @Observable final class PushedPage {
    /// Made anew as often as the view that pushed it.
    var view: AnyView
    /// How many values the path had when it was pushed: it stands on the page of the last.
    fileprivate(set) var depth = 0
    /// Called when it is gone.
    let onRemoval: @MainActor () -> Void

    init(_ view: AnyView, onRemoval: @escaping @MainActor () -> Void = {}) {
        (self.view, self.onRemoval) = (view, onRemoval)
    }
}

/// What makes the pages of one type of value.
@MainActor @Observable final class PageMaker {
    var make: (@MainActor (AnyHashable) -> AnyView)?
    /// Of several that are declared, the first that is there counts.
    @ObservationIgnored weak var owner: AnyObject?
}

/// The pages of a stack.
@MainActor @Observable final class NavigationModel {
    /// Where the values are; set before each body of the stack.
    @ObservationIgnored var path: PathAccess?
    private(set) var pushed: [PushedPage] = []
    @ObservationIgnored private var makers: [ObjectIdentifier: PageMaker] = [:]

    func maker(of type: Any.Type) -> PageMaker {
        if let maker = makers[ObjectIdentifier(type)] { return maker }
        let maker = PageMaker()
        makers[ObjectIdentifier(type)] = maker
        return maker
    }

    /// Pushes a page; in the place of all others where it replaces.
    func push(_ page: PushedPage, replacing: Bool = false) {
        if replacing { cut(to: 0, keeping: 0) }
        page.depth = path?.read().count ?? 0
        pushed.append(page)
    }

    /// Pushes a value; false where the path takes none of its type.
    func push(_ value: AnyHashable, replacing: Bool = false) -> Bool {
        if replacing { cut(to: 0, keeping: 0) }
        return path?.append(value) ?? false
    }

    /// Goes back to before a page.
    func remove(_ page: PushedPage) {
        guard let index = pushed.firstIndex(where: { $0 === page }) else { return }
        cut(to: page.depth, keeping: index)
    }

    /// Keeps so many values of the path, and pages that were pushed on them.
    func cut(to depth: Int) { cut(to: depth, keeping: pushed.count { $0.depth <= depth }) }

    /// Pages that were pushed on values which the path has no more go with them.
    func prune() {
        let depth = path?.read().count ?? 0
        if pushed.contains(where: { $0.depth > depth }) { drop { $0.depth > depth } }
    }

    private func cut(to depth: Int, keeping count: Int) {
        if let path, path.read().count > depth { path.truncate(depth) }
        let kept = Set(pushed.prefix(count).map(ObjectIdentifier.init))
        drop { $0.depth > depth || !kept.contains(ObjectIdentifier($0)) }
    }

    private func drop(where isGone: (PushedPage) -> Bool) {
        let gone = pushed.filter(isGone)
        guard !gone.isEmpty else { return }
        pushed.removeAll(where: isGone)
        for page in gone { page.onRemoval() }
    }

    /// The pages after the first, in their order.
    var entries: [PageEntry] {
        let values = path?.read() ?? []
        var entries = pushed.filter { $0.depth == 0 }.map { PageEntry(content: .pushed($0)) }
        for (index, value) in values.enumerated() {
            entries.append(PageEntry(content: .value(value, depth: index + 1)))
            entries += pushed.filter { $0.depth == index + 1 }.map { PageEntry(content: .pushed($0)) }
        }
        return entries
    }
}

/// A page after the first.
struct PageEntry: Identifiable {
    enum Content {
        case value(AnyHashable, depth: Int)
        case pushed(PushedPage)
    }

    let content: Content

    var id: AnyHashable {
        switch content {
        case .value(let value, let depth): AnyHashable([AnyHashable(depth), value])
        case .pushed(let page): AnyHashable(ObjectIdentifier(page))
        }
    }
}

private struct NavigationKey: EnvironmentKey {
    static var defaultValue: NavigationModel? { nil }
}

private struct ReplacesPagesKey: EnvironmentKey {
    static var defaultValue: Bool { false }
}

extension EnvironmentValues {
    /// The pages that links push.
    var navigation: NavigationModel? {
        get { self[NavigationKey.self] }
        set { self[NavigationKey.self] = newValue }
    }

    /// Whether links push in the place of all pages: those beside the detail column.
    var replacesPages: Bool {
        get { self[ReplacesPagesKey.self] }
        set { self[ReplacesPagesKey.self] = newValue }
    }
}
