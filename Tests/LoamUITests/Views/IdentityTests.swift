import LoamUI
import Testing

/// Two views of one making, which are told apart by their types.
private struct Plain: View {
    @State private var count = 0

    var body: some View {
        Label("plain \(count)")
        Press(name: "count") { count += 1 }
    }
}

private struct Fancy: View {
    @State private var count = 0

    var body: some View {
        Label("fancy \(count)")
        Press(name: "count") { count += 1 }
    }
}

private struct Switching: View {
    @State private var id = 0
    @State private var isFancy = false
    let isErased: Bool

    var body: some View {
        Press(name: "id") { id += 1 }
        Press(name: "kind") { isFancy.toggle() }
        if isErased {
            (isFancy ? AnyView(erasing: Fancy()) : AnyView(Plain())).id(id)
        } else if isFancy {
            Fancy().id(id)
        } else {
            Plain().id(id)
        }
    }
}

private struct Changes: View {
    @State private var number = 0
    let log: (Int) -> Void

    @available(*, deprecated, message: "It shows a form that is.")
    var body: some View {
        Press(name: "add") { number += 1 }
        Label("\(number)").onChange(of: number, perform: log)
    }
}

@Suite("The state of views, by type, position and identifier") @MainActor
struct IdentityTests {
    @Test("begins anew with another identifier and with another type, and stays otherwise", arguments: [true, false])
    func identity(isErased: Bool) {
        let host = ViewHost { Switching(isErased: isErased) }
        #expect(host.texts == ["plain 0"])
        func after(_ names: String...) -> [String] {
            for name in names { host.press(name) }
            host.render()
            return host.texts
        }
        #expect(after("count", "count") == ["plain 2"])
        #expect(after("id") == ["plain 0"])
        #expect(after("count") == ["plain 1"])
        #expect(after("kind") == ["fancy 0"])
        #expect(after("count") == ["fancy 1"])
        #expect(after("kind") == ["plain 0"])
        host.unmount()
    }

    @Test("A change is told with the new value alone, too, and not at mounting") func changes() {
        var values: [Int] = []
        let host = ViewHost { Changes { values.append($0) } }
        #expect(values.isEmpty)
        host.press("add")
        host.press("add")
        host.render()
        #expect(values == [2] && host.texts == ["2"])
        host.unmount()
    }
}
