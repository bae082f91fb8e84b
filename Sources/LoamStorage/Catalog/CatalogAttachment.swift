import Synchronization

/// What a layer above derives from a catalog, kept with it.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `kept` | itself | whoever asks first | the catalog goes: a change of the schema or of an index makes another one |
/// | `analyses` | itself | whoever analyses an index of the store in this process | the catalog goes |
final class CatalogAttachment: Sendable {
    fileprivate final class Kept: Sendable {
        let value: any AnyObject & Sendable

        init(_ value: any AnyObject & Sendable) { self.value = value }
    }

    fileprivate let kept = AtomicLazyReference<Kept>()
    fileprivate let analyses = Atomic<Int>(0)
}

extension Catalog {
    /// What was made for this catalog, by the first who asked: one thing of one type for each catalog. A few
    /// nanoseconds, without a lock.
    package func attachment<A: AnyObject & Sendable>(_ make: () -> A) -> A {
        if let known = attached.kept.load()?.value as? A { return known }
        let made = make()
        return attached.kept.storeIfNil(CatalogAttachment.Kept(made)).value as? A ?? made
    }

    /// How often this process has analysed indexes since it knows this catalog.
    package var analysisCount: Int { attached.analyses.load(ordering: .relaxed) }

    func noteAnalysis() { attached.analyses.add(1, ordering: .relaxed) }
}
