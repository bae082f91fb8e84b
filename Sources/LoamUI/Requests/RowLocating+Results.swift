import Loam

// What rows of lists need to know of results of a fetch, without a model that is not shown.

extension FetchResultsCollection: RowLocating where Element: PersistentModel {
    package func position(ofRow element: Any) -> Int? {
        (element as? Element).flatMap { index(of: $0.persistentModelID) }
    }
}

extension ResultsSection: RowLocating {
    package func position(ofRow element: Any) -> Int? {
        (element as? Element).flatMap { index(of: $0.persistentModelID) }
    }
}

extension ResultsSection: RowSection {}
