extension Animation {
    /// The toolkit's own course.
    public static let `default` = Animation(.standard)

    // MARK: Bézier curves

    /// Even from begin to end.
    public static let linear = linear(duration: 0.35)
    /// Slow at the begin.
    public static let easeIn = easeIn(duration: 0.35)
    /// Slow at the end.
    public static let easeOut = easeOut(duration: 0.35)
    /// Slow at both ends.
    public static let easeInOut = easeInOut(duration: 0.35)

    /// Even from begin to end, over a duration in seconds.
    public static func linear(duration: Double) -> Animation { timingCurve(0, 0, 1, 1, duration: duration) }

    /// Slow at the begin, over a duration in seconds.
    public static func easeIn(duration: Double) -> Animation { timingCurve(0.42, 0, 1, 1, duration: duration) }

    /// Slow at the end, over a duration in seconds.
    public static func easeOut(duration: Double) -> Animation { timingCurve(0, 0, 0.58, 1, duration: duration) }

    /// Slow at both ends, over a duration in seconds.
    public static func easeInOut(duration: Double) -> Animation { timingCurve(0.42, 0, 0.58, 1, duration: duration) }

    /// A cubic Bézier curve by its control points, over a duration in seconds.
    public static func timingCurve(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, duration: Double = 0.35
    ) -> Animation {
        Animation(.bezier(x1: x1, y1: y1, x2: x2, y2: y2, duration: duration))
    }

    // MARK: Springs

    /// A spring that does not swing over.
    public static let spring = spring()
    /// A spring for what a finger or pointer moves.
    public static let interactiveSpring = interactiveSpring()
    /// A spring that swings over a little.
    public static let bouncy = bouncy()
    /// A spring that does not swing over.
    public static let smooth = smooth()
    /// A quick spring that barely swings over.
    public static let snappy = snappy()

    /// A spring by its duration in seconds, and how far it swings over, from -1 to 1.
    public static func spring(duration: Double = 0.5, bounce: Double = 0, blendDuration: Double = 0) -> Animation {
        Animation(.spring(duration: duration, bounce: bounce, blend: blendDuration))
    }

    /// A spring by its response in seconds, and the fraction of the damping at which it does not swing.
    public static func spring(
        response: Double, dampingFraction: Double = 0.825, blendDuration: Double = 0
    ) -> Animation {
        Animation(.spring(duration: response, bounce: 1 - dampingFraction, blend: blendDuration))
    }

    /// A spring for what a finger or pointer moves.
    public static func interactiveSpring(
        response: Double = 0.15, dampingFraction: Double = 0.86, blendDuration: Double = 0.25
    ) -> Animation {
        spring(response: response, dampingFraction: dampingFraction, blendDuration: blendDuration)
    }

    /// A spring that swings over, by so much more than by itself.
    public static func bouncy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(duration: duration, bounce: 0.3 + extraBounce)
    }

    /// A spring that does not swing over, but for what is asked for.
    public static func smooth(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(duration: duration, bounce: extraBounce)
    }

    /// A quick spring that swings over a little, and by so much more.
    public static func snappy(duration: Double = 0.5, extraBounce: Double = 0) -> Animation {
        spring(duration: duration, bounce: 0.15 + extraBounce)
    }

    /// A spring by its physics.
    public static func interpolatingSpring(
        mass: Double = 1, stiffness: Double, damping: Double, initialVelocity: Double = 0
    ) -> Animation {
        Animation(
            .physicalSpring(mass: mass, stiffness: stiffness, damping: damping, initialVelocity: initialVelocity))
    }
}
