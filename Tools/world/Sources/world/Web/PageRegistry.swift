import LoamViews
import NIOCore
import Synchronization
import WorldFaces

/// What holds for all pages of a server.
struct PageLimits: Sendable {
    /// How many pages there are at most.
    var pages = 100
    /// How long a page may take to say that it has an event: longer than one that reads takes on a busy machine. One that
    /// is closed all the same connects again, and gets the whole tree.
    var answer: Duration = .seconds(30)
}

/// A place among the pages that a server has at once. It is free again when the value goes.
final class PageSeat: Sendable {
    private let registry: PageRegistry

    fileprivate init(of registry: PageRegistry) { self.registry = registry }

    deinit { registry.giveBackSeat() }
}

/// The pages that are open.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `taken` | atomic | who takes a seat; seats that go | the server ends |
/// | `waiting` | its mutex | who waits for all seats; the last seat that goes | the server ends |
/// | `pages` | the main actor | pages that open and end | the server ends |
final class PageRegistry: Sendable {
    let limits: PageLimits
    private let taken = Atomic<Int>(0)
    /// Who waits until no seat is taken.
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])
    @MainActor private var pages: [String: Page] = [:]
    private let makeRoot: @MainActor @Sendable () -> AnyView

    /// A registry of pages that each show a view of their own.
    init(limits: PageLimits = PageLimits(), root: @escaping @MainActor @Sendable () -> AnyView) {
        (self.limits, makeRoot) = (limits, root)
    }

    /// A place for one more page; nil where all are taken.
    func takeSeat() -> PageSeat? {
        guard taken.add(1, ordering: .sequentiallyConsistent).newValue <= limits.pages else {
            giveBackSeat()
            return nil
        }
        return PageSeat(of: self)
    }

    fileprivate func giveBackSeat() {
        if taken.subtract(1, ordering: .sequentiallyConsistent).newValue == 0 { tellWaiting() }
    }

    /// Waits until no seat is taken.
    func waitForAllSeats() async {
        await withCheckedContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            if takenSeats == 0 { tellWaiting() }
        }
    }

    private func tellWaiting() {
        let told = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in told { continuation.resume() }
    }

    /// How many places are taken.
    var takenSeats: Int { taken.load(ordering: .sequentiallyConsistent) }

    /// How many pages are mounted.
    @MainActor var count: Int { pages.count }

    /// What a page shows first, as HTML, of a host that goes at once.
    @MainActor func firstHTML() -> String {
        let mounted = MountedTree { makeRoot() }
        defer { mounted.unmount() }
        return mounted.tree.html
    }

    /// Mounts a page for a connection.
    @MainActor func open(over channel: any Channel) -> Page {
        let page = Page(id: RandomToken.make(), over: channel, root: makeRoot())
        pages[page.id] = page
        return page
    }

    /// The open page of a name.
    @MainActor func page(_ id: String) -> Page? { pages[id] }

    /// The connection of a page has ended.
    @MainActor func end(_ page: Page) {
        page.end()
        pages[page.id] = nil
    }

    /// Closes pages that did not read by a moment.
    @MainActor func closeOverdue(at moment: ContinuousClock.Instant) {
        for page in pages.values where page.isOverdue(limits.answer, at: moment) { page.close() }
    }

    /// Closes all pages.
    @MainActor func closeAll() {
        for page in pages.values { page.close() }
    }

    /// Closes pages that do not read, until it is cancelled.
    func watch() async {
        while !Task.isCancelled {
            try? await Task.sleep(for: limits.answer / 4)
            // What pages have said by now is heard before the main actor comes to this: where it is busy, with mounting
            // other pages for one, nobody is closed who has answered.
            await closeOverdue(at: .now)
        }
    }
}

/// Names that nobody guesses.
enum RandomToken {
    /// 128 random bits in hexadecimal digits.
    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<16).map { _ in
            let digits = String(UInt8.random(in: .min ... .max, using: &generator), radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
