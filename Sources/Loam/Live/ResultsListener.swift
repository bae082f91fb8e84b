import LoamLive

/// Is told of the changes of an observer's results, on the observer's isolation.
///
/// Each change is told before and after it. Changes never overlap: one that arrives while another is being told comes
/// after it.
protocol ResultsListener: AnyObject {
    /// The observer shows what the update begins with, and its context has not yet taken in what was saved, unless it
    /// did so by itself.
    func resultsWillChange(by update: LiveUpdate)

    /// The observer shows what the update ends with.
    func resultsDidChange()

    /// The observer's error is another one than before.
    func errorDidChange()
}

extension ResultsListener {
    func errorDidChange() {}
}
