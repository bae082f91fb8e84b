/// The place of a value with properties and something that it is made of.
@MainActor final class Evaluation<Value> {
    private(set) var value: Value
    private let layout = PropertyLayout.of(Value.self)
    private let place: PropertyPlace
    private var updates: Reader?
    private let reader = Reader()

    init(_ value: Value, of mount: Mount, _ environment: EnvironmentValues) {
        self.value = value
        place = PropertyPlace(environment) { [weak host = mount.host] in host?.report($0) }
        if layout.readsInUpdate { updates = Reader() }
        updateProperties(of: mount)
    }

    var environment: EnvironmentValues { place.environment }

    private func updateProperties(of mount: Mount) {
        if let updates {
            updates.read(for: mount) { layout.update(&value, in: place) }
        } else {
            layout.update(&value, in: place)
        }
    }

    /// Takes a value that a parent has made anew. Whether what it is made of has to be asked for again.
    func update(_ newValue: Value, of mount: Mount, _ environment: EnvironmentValues) -> Bool {
        let old = value
        let isSameEnvironment = place.environment.agrees(with: environment, on: place.reads.keys)
        place.environment = environment
        value = newValue
        updateProperties(of: mount)
        return reader.isStale || !isSameEnvironment || !layout.showsSame(old, value)
    }

    /// Takes another environment. Whether what the value is made of has to be asked for again.
    func update(_ environment: EnvironmentValues, of mount: Mount) -> Bool {
        let isSame = place.environment.agrees(with: environment, on: place.reads.keys)
        place.environment = environment
        if !isSame { updateProperties(of: mount) }
        return reader.isStale || !isSame
    }

    /// Before what the value reads itself has changed something that its properties go by.
    func refresh(of mount: Mount) { updateProperties(of: mount) }

    var isStale: Bool { reader.isStale || updates?.isStale ?? false }

    func read<Result>(for mount: Mount, _ body: (Value) -> Result) -> Result {
        mount.host.noteEvaluation(of: Value.self)
        return reader.read(for: mount) { body(value) }
    }

    func end() {
        reader.end()
        updates?.end()
        place.removeAll()
    }
}
