import Foundation
import LoamStorage

/// Which transformer an attribute names.
enum TransformerReference: Hashable, Sendable {
    case name(String)
    case type(ValueTransformer.Type)

    static func == (left: TransformerReference, right: TransformerReference) -> Bool {
        switch (left, right) {
        case (.name(let left), .name(let right)): left == right
        case (.type(let left), .type(let right)): left == right
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .name(let name): hasher.combine(name)
        case .type(let type): hasher.combine(ObjectIdentifier(type))
        }
    }
}

/// A type is encoded under the name by which the runtime finds it.
extension TransformerReference: Codable {
    private enum CodingKeys: CodingKey { case name, type }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        if let name = try members.decodeIfPresent(String.self, forKey: .name) {
            self = .name(name)
            return
        }
        let name = try members.decode(String.self, forKey: .type)
        guard let type = _typeByName(name) as? ValueTransformer.Type else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: members, debugDescription: "This program has no transformer \(name).")
        }
        self = .type(type)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .name(let name): try members.encode(name, forKey: .name)
        case .type(let type):
            try members.encode(_mangledTypeName(type) ?? String(reflecting: type), forKey: .type)
        }
    }
}

/// What an attribute's values are stored with: a transformer makes data of them, and values of the data.
struct AttributeTransformer: Sendable {
    private let reference: TransformerReference
    /// Of a type: made once. Transformers are used from every isolation by contract (``ValueTransformer``).
    nonisolated(unsafe) private let own: ValueTransformer?

    init(_ reference: TransformerReference) {
        self.reference = reference
        own = if case .type(let type) = reference { type.init() } else { nil }
    }

    /// As the model names it.
    var name: String {
        switch reference {
        case .name(let name): name
        case .type(let type): "\(type)"
        }
    }

    /// Nil where no transformer is known by the name.
    private var transformer: ValueTransformer? {
        switch reference {
        case .name(let name): ValueTransformer(forName: NSValueTransformerName(name))
        case .type: own
        }
    }

    /// Why the transformer cannot store an attribute; nil where it can.
    var fault: String? {
        guard let transformer else {
            return "no transformer has that name. Call ValueTransformer.setValueTransformer(_:forName:) before the "
                + "container is opened"
        }
        return type(of: transformer).allowsReverseTransformation()
            ? nil : "it does not transform back, so that nothing stored could be read. Name another one"
    }

    /// The data to store of a value that is not nil; nil where the transformer gives none.
    func data(of value: Any) -> Data? {
        let transformed = transformer?.transformedValue(value)
        return transformed as? Data ?? (transformed as? NSData).map { Data(referencing: $0) }
    }

    /// The value of stored data; nil where the transformer gives none.
    func value(of stored: Value) -> Any? {
        guard case .data(let data) = stored else { return nil }
        return transformer?.reverseTransformedValue(data)
    }
}
