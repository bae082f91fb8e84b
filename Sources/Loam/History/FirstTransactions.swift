import Foundation

/// The first so many of the transactions that it is given, by an order. Equal ones stay in the order in which they came.
///
/// Holds at most twice as many as are wanted, or 64, and makes O(log limit) comparisons for each.
struct FirstTransactions<T: HistoryTransaction> {
    private let order: [SortDescriptor<T>]
    /// How many are wanted; nil for all.
    private let limit: Int?
    private let capacity: Int
    private var held: [T] = []
    /// The most that it held at a time.
    private(set) var mostHeld = 0

    /// - Parameter limit: how many are wanted; nil for all.
    init(_ limit: Int?, by order: [SortDescriptor<T>]) {
        (self.limit, self.order) = (limit, order)
        capacity = limit.map { max(64, 2 * min($0, .max / 4)) } ?? .max
    }

    mutating func add(_ transaction: T) {
        held.append(transaction)
        mostHeld = max(mostHeld, held.count)
        if held.count >= capacity { trim() }
    }

    /// Those wanted, in order.
    mutating func take() -> [T] {
        trim()
        return held
    }

    private mutating func trim() {
        // Stable, so that equal ones that came later do not take the place of those that are there.
        held.sort(using: order)
        if let limit, held.count > limit { held.removeSubrange(limit...) }
    }
}

extension HistoryDescriptor {
    /// How many transactions are wanted; nil for all.
    var limit: Int? { fetchLimit == 0 ? nil : Int(clamping: fetchLimit) }

    /// Whether the order looks at nothing but what a transaction without changes has, too.
    var ordersWithoutChanges: Bool {
        let light: Set<PartialKeyPath<DefaultHistoryTransaction>> = [
            \.id, \.transactionIdentifier, \.timestamp, \.token, \.storeIdentifier, \.author,
        ]
        return sortBy.allSatisfy { key in
            (key.keyPath as? PartialKeyPath<DefaultHistoryTransaction>).map(light.contains) ?? false
        }
    }
}
