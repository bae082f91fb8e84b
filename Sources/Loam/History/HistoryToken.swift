/// A place in the history of a store: what comes after it is new to whoever has read up to it.
public protocol HistoryToken: Comparable, Codable, Hashable, Identifiable, Sendable {
    /// What names the place.
    associatedtype TokenType
    /// What names the place; nil where nothing does.
    var tokenValue: TokenType? { get }
}

/// The place of a save in the history of a store.
///
/// Keep the token of the last transaction that was read, in a file say, and fetch what came after it:
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > token }
/// ```
///
/// A transaction is of one store, and so is its token: a fetch with it asks no other. To follow all stores of a
/// container that has several, keep a token for each, that of the last transaction with the store's
/// ``DefaultHistoryTransaction/storeIdentifier``, and fetch with one after the other, or with all of them:
///
/// ```swift
/// descriptor.predicate = #Predicate { $0.token > ofTrips || $0.token > ofNotes }
/// ```
public struct DefaultHistoryToken: HistoryToken, CustomStringConvertible {
    /// By store, the number of a save.
    public typealias TokenType = [String: Int64]

    private let numbers: TokenType
    /// What a comparison with a token of other stores gives, while a predicate is evaluated; nil elsewhere.
    private var unknown: Bool?

    init(store: String, save: UInt64) { numbers = [store: Int64(clamping: save)] }

    /// The place of saves of several stores, one of each.
    init(saves: [(store: String, number: UInt64)]) {
        numbers = Dictionary(saves.map { ($0.store, Int64(clamping: $0.number)) }, uniquingKeysWith: { max($0, $1) })
    }

    /// By the store's identifier, the number of the save.
    public var tokenValue: TokenType? { numbers }

    /// The identifier of the store; nil for a token of several stores, as a save of several has it, and for one that
    /// has been read from something else than a token.
    public var storeIdentifier: String? { numbers.count == 1 ? numbers.keys.first : nil }

    /// The number of the save, as transactions have it; 0 where ``storeIdentifier`` is nil.
    public var id: Int { storeIdentifier.flatMap { numbers[$0] }.map { Int(clamping: $0) } ?? 0 }

    /// The store and the number.
    public var description: String {
        numbers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
    }

    /// The number of the save in a store; nil for a token of another store.
    func save(in store: String) -> UInt64? { numbers[store].flatMap { UInt64(exactly: $0) } }

    /// The token to evaluate a predicate with: compared with one of other stores, it is above, below and at that, or
    /// nothing of it.
    func answering(_ answer: Bool) -> DefaultHistoryToken {
        var token = self
        token.unknown = answer
        return token
    }

    /// What holds of two tokens that have no store in common; nil where they have one, or have an order all the same.
    private static func answer(_ left: DefaultHistoryToken, _ right: DefaultHistoryToken) -> Bool? {
        guard let answer = left.unknown ?? right.unknown else { return nil }
        return left.numbers.keys.contains { right.numbers[$0] != nil } ? nil : answer
    }

    /// Whether both are the same saves of the same stores.
    public static func == (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
        answer(left, right) ?? (left.numbers == right.numbers)
    }

    /// Agrees with `==`.
    public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }

    /// Whether a save came before another one of the same store: of several stores that both tokens have, the first by
    /// identifier that differs decides. Between stores an order without meaning, the same everywhere.
    public static func < (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
        if let answer = answer(left, right) { return answer }
        let common = left.numbers.keys.filter { right.numbers[$0] != nil }.sorted()
        if let store = common.first(where: { left.numbers[$0] != right.numbers[$0] }) ?? common.first {
            return left.numbers[store] ?? 0 < right.numbers[store] ?? 0
        }
        let (left, right) = (left.numbers.sorted { $0.key < $1.key }, right.numbers.sorted { $0.key < $1.key })
        return left.lexicographicallyPrecedes(right) { ($0.key, $0.value) < ($1.key, $1.value) }
    }

    /// Whether a save came before another one of the same store, or is that, as `<` has it.
    public static func <= (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool {
        answer(left, right) ?? !(right < left)
    }

    /// Whether a save came after another one of the same store, or is that, as `<` has it.
    public static func >= (left: DefaultHistoryToken, right: DefaultHistoryToken) -> Bool { right <= left }

    private enum CodingKeys: String, CodingKey { case numbers = "tokenValue" }
}
