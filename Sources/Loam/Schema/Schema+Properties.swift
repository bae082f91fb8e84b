extension Schema {
    /// A property whose value lies in the model's record.
    public final class Attribute: SchemaProperty {
        /// What `@Attribute` can say besides a name.
        public struct Option: Codable, Hashable, Sendable {
            private let name: String

            /// No two models share a value; inserting one with a value that is stored updates the stored model.
            public static let unique = Option(name: "unique")
            /// Values may lie apart from the record. Without effect: long ones do by themselves.
            public static let externalStorage = Option(name: "externalStorage")
            /// The value is kept by its `Codable` conformance. Without effect: types that are no attributes always are.
            public static let codable = Option(name: "codable")

            // Those below are refused by `@Attribute`, with a sentence that says so.

            /// Not yet supported.
            public static let allowsCloudEncryption = Option(name: "allowsCloudEncryption")
            /// Not yet supported.
            public static let ephemeral = Option(name: "ephemeral")
            /// Not yet supported.
            public static let preserveValueOnDeletion = Option(name: "preserveValueOnDeletion")
            /// Not yet supported.
            public static let spotlight = Option(name: "spotlight")
            /// Not yet supported.
            public static func transformable(by name: String) -> Option { Option(name: "transformable") }
        }

        public let name: String
        public let originalName: String
        public let options: [Option]
        public let valueType: any Any.Type
        public let isOptional: Bool

        public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            self.init(name: "", originalName: originalName ?? "", options: options, valueType: Any.self)
        }

        init(
            name: String, originalName: String, options: [Option], valueType: any Any.Type, isOptional: Bool = false
        ) {
            self.name = name
            self.originalName = originalName
            self.options = options
            self.valueType = valueType
            self.isOptional = isOptional
        }

        public var isAttribute: Bool { true }
        public var isRelationship: Bool { false }
        public var isTransient: Bool { false }
        public var isUnique: Bool { options.contains(.unique) }

        public static func == (left: Attribute, right: Attribute) -> Bool {
            left.name == right.name && left.originalName == right.originalName && left.options == right.options
                && left.valueType == right.valueType
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A property that leads to other models.
    public final class Relationship: SchemaProperty {
        public struct Option: Codable, Hashable, Sendable {
            private let name: String

            public static let unique = Option(name: "unique")
        }

        /// What happens to the models that a deleted model leads to.
        public enum DeleteRule: String, Codable, Sendable {
            /// They are left as they are, and what leads back is left dangling: it reads as nil.
            case noAction
            /// What leads back is set to nil. The default.
            case nullify
            /// They are deleted too.
            case cascade
            /// The deletion fails while there are any.
            case deny
        }

        public let name: String
        public let originalName: String
        public let options: [Option]
        public let valueType: any Any.Type
        /// The name of the entity that it leads to.
        public let destination: String
        public let deleteRule: DeleteRule
        public let inverseName: String?
        /// A `KeyPath` of a model's property is `Sendable`; its type-erased form does not say so.
        nonisolated(unsafe) public let inverseKeyPath: AnyKeyPath?
        public let minimumModelCount: Int?
        public let maximumModelCount: Int?
        public let isToOneRelationship: Bool
        public let isOptional: Bool

        public convenience init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            self.init(
                name: "", originalName: originalName ?? "", options: options, valueType: Any.self, destination: "",
                deleteRule: deleteRule, inverseName: nil, inverseKeyPath: inverse, minimumModelCount: minimumModelCount,
                maximumModelCount: maximumModelCount, isToOneRelationship: false, isOptional: false)
        }

        init(
            name: String, originalName: String, options: [Option], valueType: any Any.Type, destination: String,
            deleteRule: DeleteRule, inverseName: String?, inverseKeyPath: AnyKeyPath?, minimumModelCount: Int?,
            maximumModelCount: Int?, isToOneRelationship: Bool, isOptional: Bool
        ) {
            self.name = name
            self.originalName = originalName
            self.options = options
            self.valueType = valueType
            self.destination = destination
            self.deleteRule = deleteRule
            self.inverseName = inverseName
            self.inverseKeyPath = inverseKeyPath
            self.minimumModelCount = minimumModelCount
            self.maximumModelCount = maximumModelCount
            self.isToOneRelationship = isToOneRelationship
            self.isOptional = isOptional
        }

        public var isAttribute: Bool { false }
        public var isRelationship: Bool { true }
        public var isTransient: Bool { false }
        public var isUnique: Bool { options.contains(.unique) }

        public static func == (left: Relationship, right: Relationship) -> Bool {
            left.name == right.name && left.originalName == right.originalName && left.options == right.options
                && left.destination == right.destination && left.deleteRule == right.deleteRule
                && left.inverseName == right.inverseName && left.isOptional == right.isOptional
        }

        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
