extension Image {
    /// How large images are, beside the letters around.
    public enum Scale: String, CaseIterable, Hashable, Sendable {
        /// From the smallest to the largest.
        case small, medium, large
    }
}

extension View {
    /// How large images inside are, beside the letters around.
    public func imageScale(_ scale: Image.Scale) -> some View { attribute(.imageScale, .text(scale.rawValue)) }
}
