@testable import LoamUI

// Gives wrappers the storage that a host would give them.

extension PropertyPlace {
    convenience init(_ context: ModelContext?) {
        var environment = EnvironmentValues()
        if let context { environment.modelContext = context }
        self.init(environment, report: { _ in })
    }
}

extension DynamicProperty {
    /// Makes the wrapper what it is before its view's body.
    mutating func mount(in place: PropertyPlace) {
        PropertyLayout.of(Self.self).update(&self, in: place)
        update()
    }

    /// The wrapper as the host has it before its view's body.
    func mounted(in place: PropertyPlace) -> Self {
        var property = self
        property.mount(in: place)
        return property
    }
}
