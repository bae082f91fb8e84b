import LoamUI
import Observation
import Testing

private struct Values: View {
    @State private var count = 0

    var body: some View {
        Label("\(count)")
        Press(name: "continuous") {
            withAnimation(.easeOut) { withTransaction(\.isContinuous, true) { count += 1 } }
        }
        Press(name: "disabled") {
            var transaction = Transaction(animation: .smooth)
            transaction.disablesAnimations = true
            withTransaction(transaction) { count += 1 }
        }
        Press(name: "binding") { $count.animation(.snappy).wrappedValue += 1 }
    }
}

@Observable @MainActor private final class Scores {
    var home = 0
    var guests = 0
    var names = ["a"]
}

private struct Scoreboard: View {
    let scores: Scores

    var body: some View {
        Stack {
            Label("home \(scores.home)").animation(.easeIn, value: scores.home)
            Label("guests \(scores.guests)").animation(nil, value: scores.guests)
            Stack { ForEach(scores.names, id: \.self) { Label($0) } }
        }
        .animation(.bouncy, value: scores.guests)
        .animation(.linear, value: scores.names)
    }
}

@Suite("Animations and transactions") @MainActor
struct AnimationTests {
    @Test("Animations are equal that were made with the same numbers, and say what was asked for")
    func numbers() {
        #expect(Animation.linear == .linear(duration: 0.35) && Animation.linear != .easeIn)
        #expect(Animation.easeInOut(duration: 2) == .timingCurve(0.42, 0, 0.58, 1, duration: 2))
        #expect(Animation.bouncy == .spring(duration: 0.5, bounce: 0.3) && Animation.smooth == .spring)
        #expect(Animation.spring(response: 2, dampingFraction: 0.5) == .spring(duration: 2, bounce: 0.5))
        #expect(Animation.interactiveSpring != .snappy)
        let physical = Animation.interpolatingSpring(stiffness: 100, damping: 10)
        #expect(
            physical.curve == .physicalSpring(mass: 1, stiffness: 100, damping: 10, initialVelocity: 0)
                && Animation.default.curve == .standard)
        let twice = Animation.default.speed(2).delay(1).speed(2).repeatCount(3, autoreverses: false)
        #expect(twice.speed == 4 && twice.delay == 0.5 && twice.repetition == .times(3, autoreverses: false))
        #expect(Animation.default.repeatForever().repetition == .forever(autoreverses: true))
        #expect(twice.description.contains("delay 0.5, speed 4.0") && Animation.default.description == "standard")
    }

    @Test("What a transaction says beside its animation reaches the render, from within another and from a binding")
    func transactions() {
        var last: Transaction?
        let host = ViewHost {
            Values()
        } onRender: {
            last = $0.transaction
        }
        host.press("continuous")
        host.render()
        #expect(last?.animation == .easeOut && last?.isContinuous == true && last?.disablesAnimations == false)
        host.press("disabled")
        host.render()
        #expect(last?.animation == .smooth && last?.disablesAnimations == true && last?.isContinuous == false)
        host.press("binding")
        host.render()
        #expect(last == Transaction(animation: .snappy) && host.texts == ["3"])
        host.unmount()
    }

    @Test("What a view declares for a value counts in renders with another value, the innermost first")
    func declared() {
        let scores = Scores()
        var shown: [String: Animation?] = [:]
        let host = ViewHost {
            Scoreboard(scores: scores)
        } onRender: { render in
            shown = [:]
            for node in render.changed {
                let name = node.description.value as? String ?? "\(node.kind)"
                shown[name] = .some(render.animation(of: node))
            }
        }
        func change(_ body: () -> Void) -> [String: Animation?] {
            body()
            host.render()
            return shown
        }
        #expect(shown["home 0"] == .some(nil))
        #expect(change { scores.home = 1 } == ["home 1": .easeIn])
        #expect(change { scores.guests = 1 } == ["guests 1": nil])
        // The row is inside of two places whose values are others, of which the inner one counts.
        #expect(
            change { (scores.guests, scores.names) = (2, ["a", "b"]) }
                == ["guests 2": nil, "Stack": .bouncy, "b": .bouncy])
        #expect(change { scores.names = ["b"] } == ["Stack": .linear])
        #expect(change { withAnimation(.smooth) { scores.home = 2 } } == ["home 2": .easeIn])
        #expect(change { withAnimation(nil) { scores.home = 3 } } == ["home 3": .easeIn])
        var transaction = Transaction(animation: .smooth)
        transaction.disablesAnimations = true
        #expect(change { withTransaction(transaction) { scores.home = 4 } } == ["home 4": .smooth])
        host.unmount()
    }

    @Test("An error of what runs within a transaction is thrown on, and the transaction is over")
    func errors() {
        #expect(throws: SwiftDataError.missingModelContext) {
            try withAnimation(.linear) { () throws(SwiftDataError) in throw SwiftDataError.missingModelContext }
        }
        var last: Transaction?
        let host = ViewHost {
            Values()
        } onRender: {
            last = $0.transaction
        }
        #expect(last == nil && host.texts == ["0"])
        host.unmount()
    }
}
