import LoamUI
import Observation
import Testing

@Observable @MainActor private final class Counter {
    var count = 0
    var other = 0
}

private struct CounterView: View {
    @State private var count = 0

    var body: some View {
        Label("\(count)")
        Press(name: "add") { count += 1 }
        Press(name: "add twice, animated") {
            withAnimation(.linear) { count += 1 }
            withAnimation(.easeIn) { count += 1 }
        }
        Press(name: "add at once") { withAnimation(nil) { count += 1 } }
    }
}

private struct Parent: View {
    @State private var number = 0

    var body: some View {
        Label("parent \(number)")
        Press(name: "parent") { number += 1 }
        CounterView()
    }
}

private struct Row: View {
    let counter: Counter

    var body: some View { Label("\(counter.count)") }
}

@MainActor @Suite struct StateTests {
    @Test("Setting a state renders the body that has read it, once, and nothing else renders")
    func state() {
        var renders = 0
        let host = ViewHost {
            Parent()
        } onRender: { _ in
            renders += 1
        }
        #expect(host.texts == ["parent 0", "0"])
        #expect(renders == 1)
        host.press("add")
        #expect(host.isRenderPending)
        host.render()
        #expect(host.texts == ["parent 0", "1"])
        #expect(renders == 2)
        #expect(host.evaluations(of: CounterView.self) == 2)
        #expect(host.evaluations(of: Parent.self) == 1)
        host.render()
        #expect(renders == 2)
    }

    @Test("State stays where a parent makes its view anew, and an equal view is not evaluated")
    func parentsRender() {
        let host = ViewHost { Parent() }
        host.press("add")
        host.press("parent")
        host.render()
        #expect(host.texts == ["parent 1", "1"])
        #expect(host.evaluations(of: CounterView.self) == 2)
        host.press("parent")
        host.render()
        #expect(host.texts == ["parent 2", "1"])
        #expect(host.evaluations(of: CounterView.self) == 2)
    }

    @Test("The newest transaction of a turn is the render's, and one without animation is told from none")
    func transactions() {
        var transactions: [Transaction?] = []
        let host = ViewHost {
            CounterView()
        } onRender: {
            transactions.append($0.transaction)
        }
        for action in ["add twice, animated", "add at once", "add"] {
            host.press(action)
            host.render()
        }
        let expected = [nil, Transaction(animation: .easeIn), Transaction(animation: nil), nil]
        #expect(transactions == expected)
    }

    @Test("So is it for changes of an observable object, of several properties and of one")
    func transactionsOfObjects() {
        let counter = Counter()
        var transactions: [Transaction?] = []
        let host = ViewHost {
            Row(counter: counter)
        } onRender: {
            transactions.append($0.transaction)
        }
        for animations in [[.linear, .easeIn], [.easeIn, nil], [nil, .linear]] as [[Animation?]] {
            for animation in animations { withAnimation(animation) { counter.count += 1 } }
            // What nobody has read is no change of what is shown.
            withAnimation(.bouncy) { counter.other += 1 }
            host.render()
        }
        counter.count += 1
        host.render()
        let expected = [nil, Transaction(animation: .easeIn), Transaction(animation: nil)]
        #expect(transactions == expected + [Transaction(animation: .linear), nil])
        #expect(host.texts == ["7"] && host.evaluations(of: Row.self) == 5)
        // Changes after the host has gone are told to nobody.
        host.unmount()
        counter.count += 1
        #expect(!host.isRenderPending)
    }

    @Test("Of 1,000 views one change renders one, and what no body reads renders nothing")
    func siblings() {
        let counters = (0..<1_000).map { _ in Counter() }
        var changed: [Int] = []
        let host = ViewHost {
            ForEach(0..<1_000) { Row(counter: counters[$0]) }
        } onRender: {
            changed.append($0.changed.count)
        }
        let before = host.evaluations
        counters[500].count = 7
        host.render()
        #expect(host.evaluations - before == 2)
        #expect(host.evaluations(of: Row.self) == 1_001)
        #expect(changed.last == 1)
        #expect(host.texts[500] == "7")
        counters[500].other = 1
        #expect(!host.isRenderPending)
    }

    @Test("A render comes by itself in a later turn of the main actor")
    func turns() async {
        let counter = Counter()
        let (renders, continuation) = AsyncStream.makeStream(of: [String].self)
        let host = ViewHost {
            Row(counter: counter)
        } onRender: {
            continuation.yield($0.root.children.texts)
        }
        counter.count = 1
        counter.count = 2
        var iterator = renders.makeAsyncIterator()
        #expect(await iterator.next() == ["0"])
        #expect(await iterator.next() == ["2"])
        host.unmount()
    }
}

extension [ViewNode] {
    @MainActor fileprivate var texts: [String] { compactMap { $0.description.value as? String } }
}
