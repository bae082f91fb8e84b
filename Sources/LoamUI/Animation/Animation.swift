/// How a change is shown over time. Nothing here moves anything: the host hands the animation to its owner with the
/// render, and whoever draws decides what to do with it.
///
/// ```swift
/// withAnimation(.easeInOut(duration: 0.2)) { isOpen.toggle() }
/// ```
///
/// Two animations are equal where they were made with the same numbers. A value of a few words; O(1).
public struct Animation: Hashable, Sendable, CustomStringConvertible {
    /// The course of an animation from its begin to its end.
    public enum Curve: Hashable, Sendable {
        /// The toolkit's own.
        case standard
        /// A cubic Bézier curve from (0, 0) to (1, 1) over a duration in seconds, by its two control points.
        case bezier(x1: Double, y1: Double, x2: Double, y2: Double, duration: Double)
        /// A spring: seconds that it takes, and how far it swings over, from -1 to 1; `blend` in seconds is for a spring
        /// that takes the place of another.
        case spring(duration: Double, bounce: Double, blend: Double)
        /// A spring by its physics, from an initial velocity in units a second.
        case physicalSpring(mass: Double, stiffness: Double, damping: Double, initialVelocity: Double)
    }

    /// How often an animation runs.
    public enum Repetition: Hashable, Sendable {
        /// So many times; every second time backwards where it reverses.
        case times(Int, autoreverses: Bool)
        /// Until the view goes, or shows something else.
        case forever(autoreverses: Bool)
    }

    /// The course.
    public var curve: Curve
    /// Seconds before it begins, of its own time.
    public private(set) var delay = 0.0
    /// By which its time is multiplied: 2 is twice as fast.
    public private(set) var speed = 1.0
    /// Nil: it runs once.
    public private(set) var repetition: Repetition?

    /// An animation with a course of its own.
    public init(_ curve: Curve) { self.curve = curve }

    /// The same, begun some seconds later.
    public func delay(_ delay: Double) -> Animation {
        var animation = self
        animation.delay += delay / speed
        return animation
    }

    /// The same, so many times as fast.
    public func speed(_ speed: Double) -> Animation {
        var animation = self
        animation.speed *= speed
        return animation
    }

    /// The same, several times.
    public func repeatCount(_ count: Int, autoreverses: Bool = true) -> Animation {
        var animation = self
        animation.repetition = .times(count, autoreverses: autoreverses)
        return animation
    }

    /// The same, until the view goes.
    public func repeatForever(autoreverses: Bool = true) -> Animation {
        var animation = self
        animation.repetition = .forever(autoreverses: autoreverses)
        return animation
    }

    /// The course, and what else was asked for.
    public var description: String {
        var text = "\(curve)"
        if delay != 0 { text += ", delay \(delay)" }
        if speed != 1 { text += ", speed \(speed)" }
        if let repetition { text += ", \(repetition)" }
        return text
    }
}
