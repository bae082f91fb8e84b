/// A view that says how changes inside are shown over time.
private struct AnimatedView<Wrapped: View, Value: Equatable>: WrappingView {
    let wrapped: Wrapped
    let animation: Animation?
    let value: Value

    func follow(_ previous: Self?, in mount: WrapperMount<Self>) {
        if let previous, previous.value != value { mount.host.note(animation, of: mount) }
    }
}

extension View {
    /// Says how what changes inside is shown over time, in renders in which a value is another than in the one before;
    /// nil: at once.
    ///
    /// It counts before the animation of the change's own transaction, unless that has
    /// ``Transaction/disablesAnimations``; of several the innermost counts. ``Render/animation(of:)`` has what counts.
    public func animation<Value: Equatable>(_ animation: Animation?, value: Value) -> some View {
        AnimatedView(wrapped: self, animation: animation, value: value)
    }
}
