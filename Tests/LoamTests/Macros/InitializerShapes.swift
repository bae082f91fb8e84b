public import Foundation
public import Loam

// Shapes of initializers, as people write them, in classes that have a relationship. Each has to build.

/// Most shapes at once.
@Model public class Workshop: Codable {
    /// Tells workshops apart.
    @Attribute(.unique) public var id: UUID
    /// Set by the class only.
    public private(set) var name: String
    var description: String
    var `default`: Int
    var opening: Date
    var level = Level.low
    var size: (Double)
    var tags: [String: Int]
    var note: Optional<String>
    var motto: String!
    var head: Worker!
    @Relationship(inverse: \Worker.workshop) var workers: [Worker]
    var twin: Workshop?
    @Transient var isOpen = false
    @Transient let made = Date()
    @Transient lazy var length = name.count
    @Transient weak var listener: AnyObject?
    @Attribute(.ephemeral) var visits = 0
    @Attribute(.ephemeral) var visitor: String?
    var isBig: Bool { size > 1 }
    var title: String {
        get { name.uppercased() }
        set { name = newValue.lowercased() }
    }
    #if DEBUG
        @Transient var trace: [String] = []
    #endif

    enum Level: Int, Codable { case low, high }
    enum CodingKeys: CodingKey { case name, size }
    struct Refused: Error {}

    /// Tuples, compound assignment, reading what was set, a local of a property's name, branches.
    public init(name: String, description: String? = nil, size: Double = 1, id: UUID = UUID()) {
        (self.id, self.name) = (id, name)
        self.description = description ?? self.name
        var opening = Date.now
        opening += 1
        self.opening = opening
        if size > 1 {
            `default` = 1
            level = .high
        } else {
            self.default = 2
        }
        self.default += 1
        self.size = size
        self.tags = [:]
        tags["a", default: 0] += 1
        workers = []
        visits = 3
        isOpen = true
        title = self.name
        length = 7
    }

    /// A failable one that looks before it sets.
    public convenience init?(named name: String?) {
        guard let name, !name.isEmpty else { return nil }
        self.init(name: name)
    }

    /// One that fails between.
    init?(checked name: String) {
        self.name = name
        guard !name.isEmpty else { return nil }
        id = UUID()
        description = ""
        self.default = 0
        opening = .distantPast
        size = 0
        tags = [:]
        workers = []
    }

    /// From a decoder.
    public required init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        do {
            name = try values.decode(String.self, forKey: .name)
        } catch {
            self.name = "?"
        }
        switch try values.decodeIfPresent(Double.self, forKey: .size) {
        case let size? where size > 0: self.size = size
        case nil: self.size = 1
        default: throw Refused()
        }
        id = UUID()
        description = ""
        self.default = 0
        opening = .distantPast
        self.tags = [:]
        self.workers = []
    }

    /// What it has.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(size, forKey: .size)
    }
}

/// A required to-one that is set first, an initializer that is there for a protocol only, and one that hands over.
@Model final class Worker: Decodable {
    var workshop: Workshop
    var name: String
    var helper: Worker?
    @Relationship(inverse: \Worker.helper) var helped: [Worker] = []

    nonisolated init(workshop: Workshop, name: String = "?", helper: Worker? = nil) {
        self.workshop = workshop
        self.name = name
        self.helper = helper
    }

    init(from decoder: any Decoder) throws { fatalError("never decoded") }

    convenience init(in workshop: Workshop) { self.init(workshop: workshop) }

    @MainActor init(onMain workshop: Workshop) {
        self.workshop = workshop
        name = "main"
        helper = nil
    }

    init(later workshop: Workshop) async throws {
        self.workshop = workshop
        await Task.yield()
        name = "later"
    }

    /// Its inverse and itself.
    init(alone name: String) {
        self.name = name
        let made = Workshop(name: name)
        workshop = made
        made.head = self
        helper = self
    }
}

/// Values of types that the macro does not know: they may be relationships, and are none.
@Model final class Gauge {
    struct Reading: Codable, Hashable { var value = 0.0 }
    typealias Label = String

    var reading: Reading
    var readings = [Reading()]
    var label: Label
    var labels: Set<Label>
    var unit: Unit = Unit.metre
    @Attribute(.transformable(by: GaugeTransformer.self)) var parts: [Int]?

    enum Unit: String, Codable { case metre, foot }

    init<Value: BinaryFloatingPoint>(_ value: Value, label: Label = "", labels: [Label] = []) {
        reading = Reading(value: Double(value))
        self.label = label
        self.labels = Set(labels)
        Self.fill(&unit)
    }

    private static func fill(_ unit: inout Unit) { unit = .foot }
}

final class GaugeTransformer: ValueTransformer {}
