@testable import LoamUI

// Gives wrappers the storage that a host would give them.

extension PropertyPlace {
    convenience init(_ context: ModelContext?) {
        var environment = EnvironmentValues()
        if let context { environment.modelContext = context }
        self.init(environment, report: { _ in }, noteChange: { _ in })
    }
}

extension Query {
    /// The wrapper as the host has it before its view's body.
    func mounted(in place: PropertyPlace) -> Query {
        var query = self
        query.mount(in: place)
        return query
    }
}

extension FetchRequest {
    /// The wrapper as the host has it before its view's body.
    func mounted(in place: PropertyPlace) -> FetchRequest {
        var request = self
        request.mount(in: place)
        return request
    }
}

extension SectionedFetchRequest {
    /// The wrapper as the host has it before its view's body.
    func mounted(in place: PropertyPlace) -> SectionedFetchRequest {
        var request = self
        request.mount(in: place)
        return request
    }
}
