import LoamLive
import LoamQuery
import LoamStorage
import Observation

extension ResultsObserver: DeliveryTarget {
    /// Takes what has arrived since the last time, and what is unsaved. Called on the observer's isolation.
    func takeDeliveries() {
        guard !isTaking else {
            isAskedAgain = true
            return
        }
        isTaking = true
        defer { isTaking = false }
        repeat {
            isAskedAgain = false
            showDeliveries()
            // Where the store cannot be read, trying would be told as the next delivery, and so on without end.
            if readError == nil, followAgain() { showDeliveries() }
        } while isAskedAgain
    }

    private func showDeliveries() {
        while let delivery = nextDelivery() { show(delivery) }
        showUnsaved()
    }

    private func nextDelivery() -> LiveResult.Delivery? {
        // What the context has saved itself is shown already: it does not go until its save arrives. A result that cannot
        // be read is not asked again, for the answer would be told as the next delivery.
        if readError == nil, !laid.isPlain, seen?.saves != shown.store.unsaved.version.saves { live?.settle() }
        live?.place()
        return live?.take()
    }

    private func show(_ delivery: LiveResult.Delivery) {
        if let update = delivery.update {
            let finder = live?.finder
            let next = lay(over: update.new, finder: finder)
            step(to: next, by: LaidState.update(from: laid, to: next, by: update, finder), finder: finder)
        } else {
            modelContext.receiveChanges()
        }
        if readError != nil || delivery.error != nil {
            setError { readError = delivery.error.map { SwiftDataError($0) } }
        }
    }

    /// Shows what has become of the unsaved changes since the last look.
    private func showUnsaved() {
        // After an error the results stay as they were.
        guard readError == nil, seen != shown.store.unsaved.version else { return }
        if showChangedRows() { return }
        let next = lay(over: laid.saved, finder: shown.finder, former: laid)
        step(to: next, by: LaidState.update(from: laid, to: next, by: nil, shown.finder), finder: shown.finder)
    }

    /// The unsaved rows that were looked at, one by one, since the saved result was another: work that tests count.
    var looks: Int { laid.looks }

    /// Lays the rows over that have changed since the last look, and none of the others. False where all that is unsaved
    /// has to be looked at.
    private func showChangedRows() -> Bool {
        let look = shown.store.unsaved.look()
        guard descriptor.includePendingChanges, overlayError == nil, let finder = shown.finder, let seenOverlay,
            let changes = try? shown.store.overlayChanges(since: seenOverlay, of: shown.binding.entity.id),
            case .done(let update)? = try? laid.advance(changes.rows, under: changes.overlay, by: finder)
        else { return false }
        (seen, self.seenOverlay) = (look, changes.version)
        step(to: laid, by: update, finder: finder)
        return true
    }

    private func step(to next: LaidState, by update: LiveUpdate?, finder: RowFinder?) {
        let listener = listener
        if let update { listener?.resultsWillChange(by: update) }
        modelContext.receiveChanges()
        laid = next
        guard let update else { return }
        changing(update.changesPlaces) { show(update.new, finder: finder) }
        hand(out: update)
        listener?.resultsDidChange()
    }

    /// A saved result with what is unsaved over it; without it where that cannot be read.
    ///
    /// - Parameter former: what was laid over the same saved result before.
    func lay(over saved: ResultState, finder: RowFinder?, former: LaidState? = nil) -> LaidState {
        var (laid, error): (LaidState?, (any Error)?)
        do {
            (seen, seenOverlay) = (shown.store.unsaved.look(), nil)
            if descriptor.includePendingChanges, let finder, let overlay = try shown.store.overlay() {
                laid = try LaidState(overlay, over: saved, by: finder, former: former)
                seenOverlay = shown.store.pendingOverlay?.version
            }
        } catch let failure {
            error = failure
            // The next look tries again.
            seen = nil
        }
        if overlayError != nil || error != nil { setError { overlayError = error.map { SwiftDataError($0) } } }
        return laid ?? LaidState(saved)
    }

    /// Those who track the results or the sections are told where a model comes, goes or moves: models tell of their
    /// values themselves. There are no sections to track where there are none before and after.
    private func changing(_ changesPlaces: Bool, _ change: () -> Void) {
        func mutate() {
            guard changesPlaces else { return change() }
            let hadSections = shown.state.isSectioned
            registrar.willSet(\.results)
            if hadSections || sectionKeyPath != nil { registrar.willSet(\.sections) }
            change()
            registrar.didSet(\.results)
            if hadSections || sectionKeyPath != nil { registrar.didSet(\.sections) }
        }
        guard let around = self.change else { return mutate() }
        withoutActuallyEscaping(mutate) { around($0) }
    }

    func setError(_ change: () -> Void) {
        registrar.withMutation(of: \.fetchError, change)
        listener?.errorDidChange()
    }

    func hand(out update: LiveUpdate) {
        feeds.removeAll { $0.feed == nil }
        for feed in feeds { feed.feed?.append(update, of: shown.binding) }
    }
}
