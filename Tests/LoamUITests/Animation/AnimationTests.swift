import LoamUI
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
