import Foundation
import LoamStorage

/// A place in the order of a descriptor, behind a model: what a fetch resumes from.
///
/// It is made of values, not of a position: those of the sort keys and the identifier that the model had. So no model
/// is passed over and none comes twice when others are inserted or deleted before the place meanwhile, and the model
/// itself need not exist any more. It can be kept: it is a small `Codable` value, which is good for this store and for
/// descriptors with the same order.
public struct FetchCursor<T: PersistentModel>: Hashable, Sendable, Codable {
    /// The sort keys with their directions, the identifier's last.
    let order: [String]
    /// Of the keys before the identifier.
    let values: [LoamStorage.Value]
    let identifier: PersistentIdentifier

    init(order: [String], values: [LoamStorage.Value], identifier: PersistentIdentifier) {
        (self.order, self.values, self.identifier) = (order, values, identifier)
    }

    private enum CodingKeys: String, CodingKey {
        case order, values, identifier
    }

    /// Reads a cursor that was encoded.
    ///
    /// - Throws: `DecodingError` for what is no cursor.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        order = try container.decode([String].self, forKey: .order)
        identifier = try container.decode(PersistentIdentifier.self, forKey: .identifier)
        let bytes = try container.decode(Data.self, forKey: .values)
        let decoded = try? bytes.withUnsafeBytes { try CompositeCodec.decode($0.bytes) }
        guard case .array(let values)? = decoded, values.count + 1 == order.count else {
            throw DecodingError.dataCorruptedError(
                forKey: .values, in: container, debugDescription: "These are no values of a cursor's sort keys.")
        }
        self.values = values
    }

    /// Writes the cursor.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(order, forKey: .order)
        try container.encode(identifier, forKey: .identifier)
        try container.encode(Data(CompositeCodec.encode(.array(values))), forKey: .values)
    }
}

/// Some models of a result, and where it goes on.
public struct FetchPage<T: PersistentModel> {
    /// The models, in the order of the descriptor.
    public let models: [T]
    /// The place behind the last model; nil where nothing follows, and where there is no limit above 0.
    public let next: FetchCursor<T>?
}
