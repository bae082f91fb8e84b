/// What a check of a store found.
package struct CheckReport: Sendable, Hashable, Codable {
    /// One thing that is wrong, and where.
    package struct Fault: Sendable, Hashable, Codable {
        package var entity: String?
        package var index: String?
        package var rowID: RowID?
        package var message: String

        package init(_ message: String, entity: String? = nil, index: String? = nil, rowID: RowID? = nil) {
            self.message = message
            self.entity = entity
            self.index = index
            self.rowID = rowID
        }
    }

    package var records = 0
    package var longValues = 0
    package var indexes = 0
    package var entries = 0
    package var links = 0
    package var saves = 0
    package var faults: [Fault] = []
    /// Faults beyond ``mostFaults``, which are counted only.
    package var furtherFaults = 0
    /// What is not wrong but worth knowing: stale and unfinished indexes, loads under way.
    package var notes: [String] = []

    package static let mostFaults = 1_000

    package init() {}

    package var isClean: Bool { faults.isEmpty }

    mutating func add(_ fault: Fault) {
        if faults.count < Self.mostFaults { faults.append(fault) } else { furtherFaults += 1 }
    }

    mutating func add(_ error: any Error, entity: String? = nil, index: String? = nil, rowID: RowID? = nil) {
        let message = (error as? StorageError)?.kind.message ?? "\(error)"
        add(Fault(message, entity: entity, index: index, rowID: rowID))
    }
}

extension CheckReport.Fault: CustomStringConvertible {
    package var description: String {
        let context = [
            entity.map { "entity \($0)" }, index.map { "index \($0)" }, rowID.map { "row \($0)" },
        ].compactMap { $0 }.joined(separator: ", ")
        return context.isEmpty ? message : "\(context): \(message)"
    }
}
