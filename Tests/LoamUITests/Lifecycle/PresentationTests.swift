import LoamUI
import Testing

extension EnvironmentValues {
    @Entry fileprivate var level: Int = 0
    @Entry fileprivate var sign: String?
    @Entry fileprivate var mark = "sheet"
}

private struct Sheet: View {
    @Environment(\.dismiss) private var dismiss
    @Environment(\.level) private var level
    @Environment(\.mark) private var mark
    @Environment(\.sign) private var sign

    var body: some View {
        Label("\(mark) \(sign ?? "")\(level)")
        Press(name: "close") { dismiss() }
    }
}

private struct Page: View {
    @State private var isShown = false
    @State private var taps = 0

    var body: some View {
        Label("\(taps) taps")
        Press(name: "tap") { taps += 1 }
        Press(name: "open") { isShown = true }
        if isShown { Sheet().presented(by: $isShown) }
    }
}

private struct Levels: View {
    @State private var step = 1

    var body: some View {
        let step = step
        Press(name: "more") { self.step += 1 }
        Stack { Sheet().transformEnvironment(\.level) { $0 += step } }
            .transformEnvironment(\.level) { $0 = ($0 + step) * 10 }
        Sheet()
    }
}

@MainActor @Suite("What views are given by those around them") struct PresentationTests {
    @Test("A presented view closes itself, and is not rendered with what presents it") func dismissing() {
        let host = ViewHost { Page() }
        host.press("open")
        host.render()
        #expect(host.texts == ["0 taps", "sheet 0"])
        host.press("tap")
        host.render()
        #expect(host.texts == ["1 taps", "sheet 0"] && host.evaluations(of: Sheet.self) == 1)
        host.press("close")
        host.render()
        #expect(host.texts == ["1 taps"])
        host.press("open")
        host.render()
        host.press("close")
        host.render()
        #expect(host.texts == ["1 taps"])
    }

    @Test("Where nothing is presented there is nothing to close") func nothingToDismiss() {
        let host = ViewHost { Sheet() }
        host.press("close")
        #expect(!host.isRenderPending)
    }

    @Test("Values of the environment have keys that a macro makes") func entries() {
        #expect(ViewHost { Sheet() }.texts == ["sheet 0"])
        let host = ViewHost { Sheet().environment(\.level, 2).environment(\.sign, "+").environment(\.mark, "page") }
        #expect(host.texts == ["page +2"])
    }

    @Test("A value of the environment is changed from the value around, the outermost first") func transforming() {
        let host = ViewHost { Levels() }
        #expect(host.texts == ["sheet 11", "sheet 0"])
        host.press("more")
        host.render()
        #expect(host.texts == ["sheet 22", "sheet 0"] && host.evaluations(of: Sheet.self) == 3)
    }
}
