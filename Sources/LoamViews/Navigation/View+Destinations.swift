/// Says what page a type of value has.
private struct Destination<Content: View>: WrappingView {
    let wrapped: Content
    let type: Any.Type
    let navigation: NavigationModel?
    let make: @MainActor (AnyHashable) -> AnyView

    func follow(_ previous: Self?, in mount: WrapperMount<Self>) {
        guard let maker = navigation?.maker(of: type) else { return }
        if maker.owner == nil { maker.owner = mount }
        if maker.owner === mount { maker.make = make }
    }

    func end(in mount: WrapperMount<Self>) {
        guard let maker = navigation?.maker(of: type), maker.owner === mount else { return }
        (maker.owner, maker.make) = (nil, nil)
    }
}

private struct DestinationReader<Content: View, Value: Hashable, Page: View>: View {
    let content: Content
    let destination: (Value) -> Page
    @Environment(\.navigation) private var navigation

    init(content: Content, destination: @escaping (Value) -> Page) {
        (self.content, self.destination) = (content, destination)
    }

    var body: some View {
        Destination(wrapped: content, type: Value.self, navigation: navigation) { [destination] value in
            (value.base as? Value).map { AnyView(destination($0)) } ?? AnyView(EmptyView())
        }
    }
}

/// Pushes a page as long as something is presented.
private struct Presenter<Content: View>: WrappingView {
    let wrapped: Content
    let navigation: NavigationModel?
    let state: PresentedPage
    /// Which page; nil for none.
    let id: AnyHashable?
    let page: @MainActor () -> AnyView
    let close: @MainActor () -> Void

    func follow(_ previous: Self?, in mount: WrapperMount<Self>) {
        state.close = close
        guard id != nil || state.page != nil else { return }
        mount.host.afterRender { [state, id, page, navigation] in state.show(id, page, in: navigation) }
    }

    func end(in mount: WrapperMount<Self>) {
        mount.host.afterRender { [state, navigation] in state.show(nil, { AnyView(EmptyView()) }, in: navigation) }
    }
}

@MainActor private final class PresentedPage {
    var page: PushedPage?
    var id: AnyHashable?
    var close: @MainActor () -> Void = {}

    func show(_ id: AnyHashable?, _ view: () -> AnyView, in navigation: NavigationModel?) {
        if let page, let id, id == self.id { return page.view = view() }
        let old = page
        (page, self.id) = (nil, id)
        if let old { navigation?.remove(old) }
        guard id != nil, let navigation else { return }
        let new = PushedPage(view()) { [weak self] in self?.remove(id) }
        page = new
        navigation.push(new)
    }

    private func remove(_ id: AnyHashable?) {
        // Where it was taken away, nothing is left to close.
        guard page != nil, self.id == id else { return }
        (page, self.id) = (nil, nil)
        close()
    }
}

private struct PresentingView<Content: View, Item: Hashable, Page: View>: View {
    let content: Content
    @Binding var item: Item?
    let page: (Item) -> Page
    @State private var state = PresentedPage()
    @Environment(\.navigation) private var navigation

    init(content: Content, item: Binding<Item?>, page: @escaping (Item) -> Page) {
        (self.content, _item, self.page) = (content, item, page)
    }

    var body: some View {
        let item = item
        Presenter(
            wrapped: content, navigation: navigation, state: state, id: item.map { AnyHashable($0) },
            page: { [page] in item.map { AnyView(page($0)) } ?? AnyView(EmptyView()) },
            close: { [$item] in $item.wrappedValue = nil })
    }
}

extension View {
    /// Says what page a value of a type has in the stack around the view. Where several say so, the first counts.
    public func navigationDestination<Value: Hashable, Page: View>(
        for data: Value.Type, @ViewBuilder destination: @escaping (Value) -> Page
    ) -> some View {
        DestinationReader(content: self, destination: destination)
    }

    /// Pushes a page as long as a flag is set. Going back clears it.
    public func navigationDestination<Page: View>(
        isPresented: Binding<Bool>, @ViewBuilder destination: @escaping () -> Page
    ) -> some View {
        let item = Binding<Bool?>(
            get: { isPresented.wrappedValue ? true : nil }, set: { isPresented.wrappedValue = $0 != nil })
        return PresentingView(content: self, item: item) { _ in destination() }
    }

    /// Pushes a page for a value as long as there is one. Going back takes it away.
    public func navigationDestination<Item: Hashable, Page: View>(
        item: Binding<Item?>, @ViewBuilder destination: @escaping (Item) -> Page
    ) -> some View {
        PresentingView(content: self, item: item, page: destination)
    }
}
