/// How many blocks of memory a row may take from the heap, in the mean, rounded up. What a build without optimization
/// takes is a bound; what an optimized one takes is the product's.
struct AllocationBound: Sendable, CustomStringConvertible, ExpressibleByIntegerLiteral {
    let optimized: Int
    let unoptimized: Int

    /// The same in both builds.
    init(integerLiteral bound: Int) { (optimized, unoptimized) = (bound, bound) }

    init(_ optimized: Int, unoptimized: Int) {
        self.optimized = optimized
        self.unoptimized = unoptimized
    }

    static func unoptimized(_ bound: Int) -> AllocationBound { AllocationBound(0, unoptimized: bound) }

    /// That of this build.
    var value: Int {
        #if DEBUG
            unoptimized
        #else
            optimized
        #endif
    }

    var description: String { "\(value)" }
}
