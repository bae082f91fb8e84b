extension Schema {
    /// A property whose value lies in the model's record.
    public final class Attribute: SchemaProperty {
        /// What `@Attribute` can say besides a name.
        public struct Option: Codable, Hashable, Sendable {
            private let name: String
            /// Which transformer `transformable` means; nil for other options.
            let transformer: TransformerReference?

            private init(name: String, transformer: TransformerReference? = nil) {
                self.name = name
                self.transformer = transformer
            }

            /// No two models share a value; inserting one with a value that is stored updates the stored model.
            public static let unique = Option(name: "unique")
            /// Values may lie apart from the record. Without effect: long ones do by themselves.
            public static let externalStorage = Option(name: "externalStorage")
            /// The value is kept by its `Codable` conformance. Without effect: types that are no attributes always are.
            public static let codable = Option(name: "codable")

            /// The value is found by Spotlight. Without effect: there is none here.
            public static let spotlight = Option(name: "spotlight")

            /// The value is encrypted in a cloud. Without effect: there is none here.
            public static let allowsCloudEncryption = Option(name: "allowsCloudEncryption")

            /// The value is observed, and kept in memory only.
            public static let ephemeral = Option(name: "ephemeral")

            /// The history keeps the value when a model is deleted: ``HistoryTombstone`` has it.
            public static let preserveValueOnDeletion = Option(name: "preserveValueOnDeletion")

            /// The store keeps the data that a transformer makes of the value, which may be of any type.
            public static func transformable(by type: ValueTransformer.Type) -> Option {
                Option(name: "transformable", transformer: .type(type))
            }

            /// The same with the transformer that ``ValueTransformer/setValueTransformer(_:forName:)`` has made known
            /// under a name, before the container is opened.
            public static func transformable(by name: String) -> Option {
                Option(name: "transformable", transformer: .name(name))
            }
        }

        /// The property's name.
        public let name: String
        /// The name under which older stores keep it.
        public let originalName: String
        /// The options that the property's macro gives.
        public let options: [Option]
        /// The Swift type of the property.
        public let valueType: any Any.Type
        /// Whether it may be nil.
        public let isOptional: Bool
        /// What `hashModifier:` says. Without effect: a store knows a property by its number.
        public let hashModifier: String?

        /// What `@Attribute` says; the macro calls it.
        public convenience init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
            self.init(
                name: "", originalName: originalName ?? "", options: options, valueType: Any.self, isOptional: false,
                hashModifier: hashModifier)
        }

        init(
            name: String, originalName: String, options: [Option], valueType: any Any.Type, isOptional: Bool,
            hashModifier: String?
        ) {
            self.name = name
            self.originalName = originalName
            self.options = options
            self.valueType = valueType
            self.isOptional = isOptional
            self.hashModifier = hashModifier
        }

        /// Always true: the store keeps the property's value with the model.
        public var isAttribute: Bool { true }
        /// Always false: the property does not lead to other models.
        public var isRelationship: Bool { false }
        /// Always false: transient properties are not in the schema.
        public var isTransient: Bool { false }
        /// Whether no two models may share a value.
        public var isUnique: Bool { options.contains(.unique) }
        /// Whether the store keeps what a transformer makes of the value.
        public var isTransformable: Bool { transformer != nil }

        var transformer: TransformerReference? { options.lazy.compactMap(\.transformer).first }

        /// Whether both have the same names, options and Swift type.
        public static func == (left: Attribute, right: Attribute) -> Bool {
            left.name == right.name && left.originalName == right.originalName && left.options == right.options
                && left.valueType == right.valueType
        }

        /// Hashes the name, so that equal properties have equal hashes.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    /// A property that leads to other models.
    public final class Relationship: SchemaProperty {
        /// What `@Relationship` can say besides its arguments.
        public struct Option: Codable, Hashable, Sendable {
            private let name: String

            /// Not yet supported: `@Relationship` refuses it, with a sentence that says so.
            public static let unique = Option(name: "unique")
        }

        /// What happens to the models that a deleted model leads to.
        public enum DeleteRule: String, Codable, Sendable {
            /// The related models are left as they are. What leads back from stored models is left dangling, and
            /// reads as nil.
            case noAction
            /// What leads back is set to nil. The default.
            case nullify
            /// The related models are deleted too.
            case cascade
            /// The deletion fails while there are any.
            case deny
        }

        /// The property's name.
        public let name: String
        /// The name under which older stores keep it.
        public let originalName: String
        /// The options that the property's macro gives.
        public let options: [Option]
        /// The Swift type of the property.
        public let valueType: any Any.Type
        /// The name of the entity that it leads to.
        public let destination: String
        /// What happens to the models that it leads to when its own model is deleted.
        public let deleteRule: DeleteRule
        /// The name of the other side, where there is one.
        public let inverseName: String?
        /// A `KeyPath` of a model's property is `Sendable`; its type-erased form does not say so.
        nonisolated(unsafe) public let inverseKeyPath: AnyKeyPath?
        /// The fewest models that a save accepts; 0 for no bound.
        public let minimumModelCount: Int?
        /// The most models that a save accepts; 0 for no bound.
        public let maximumModelCount: Int?
        /// Whether it leads to one model at the most.
        public let isToOneRelationship: Bool
        /// Whether it may be nil.
        public let isOptional: Bool
        /// What `hashModifier:` says. Without effect: a store knows a property by its number.
        public let hashModifier: String?

        /// What `@Relationship` says; the macro calls it.
        public convenience init(
            _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
            maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
            hashModifier: String? = nil
        ) {
            self.init(
                name: "", originalName: originalName ?? "", options: options, valueType: Any.self, destination: "",
                deleteRule: deleteRule, inverseName: nil, inverseKeyPath: inverse, minimumModelCount: minimumModelCount,
                maximumModelCount: maximumModelCount, isToOneRelationship: false, isOptional: false,
                hashModifier: hashModifier)
        }

        init(
            name: String, originalName: String, options: [Option], valueType: any Any.Type, destination: String,
            deleteRule: DeleteRule, inverseName: String?, inverseKeyPath: AnyKeyPath?, minimumModelCount: Int?,
            maximumModelCount: Int?, isToOneRelationship: Bool, isOptional: Bool, hashModifier: String?
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
            self.hashModifier = hashModifier
        }

        /// The relationship with the name of the other side filled in.
        func led(backBy inverseName: String?) -> Relationship {
            Relationship(
                name: name, originalName: originalName, options: options, valueType: valueType,
                destination: destination, deleteRule: deleteRule, inverseName: inverseName,
                inverseKeyPath: inverseKeyPath, minimumModelCount: minimumModelCount,
                maximumModelCount: maximumModelCount, isToOneRelationship: isToOneRelationship,
                isOptional: isOptional, hashModifier: hashModifier)
        }

        /// Always false: the property leads to other models.
        public var isAttribute: Bool { false }
        /// Always true: the property leads to other models.
        public var isRelationship: Bool { true }
        /// Always false: transient properties are not in the schema.
        public var isTransient: Bool { false }
        /// Whether no two models may share a value.
        public var isUnique: Bool { options.contains(.unique) }

        /// Whether both have the same names, options, destination, delete rule and inverse, and both or none may be
        /// nil. The numbers of models that they allow are not compared.
        public static func == (left: Relationship, right: Relationship) -> Bool {
            left.name == right.name && left.originalName == right.originalName && left.options == right.options
                && left.destination == right.destination && left.deleteRule == right.deleteRule
                && left.inverseName == right.inverseName && left.isOptional == right.isOptional
        }

        /// Hashes the name, so that equal properties have equal hashes.
        public func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }
}
