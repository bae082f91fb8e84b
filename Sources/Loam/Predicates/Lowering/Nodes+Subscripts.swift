import Foundation

// Subscripts of captured collections. What is not there is nil: a row never raises an error.

extension PredicateExpressions.CollectionIndexSubscript: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .combine(lowering.lower(wrapped), lowering.lower(index)) { collection, index in
            let (collection, index) = (
                try collection.captured(as: Wrapped.Output.self), try index.captured(as: Index.Output.self)
            )
            guard let collection, let index, collection.indices.contains(index) else { return .absent }
            return .constant(collection[index])
        }
    }
}

extension PredicateExpressions.DictionaryKeySubscript: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .combine(lowering.lower(wrapped), lowering.lower(key)) { dictionary, key in
            let (dictionary, key) = (
                try dictionary.captured(as: Wrapped.Output.self), try key.captured(as: Key.Output.self)
            )
            guard let dictionary, let key, let value = dictionary[key] else { return .absent }
            return .constant(value)
        }
    }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        let fallback = try lowering.lower(self.default)
        return try Lowered.combine(lowering.lower(wrapped), lowering.lower(key)) { dictionary, key in
            let (dictionary, key) = (
                try dictionary.captured(as: Wrapped.Output.self), try key.captured(as: Key.Output.self)
            )
            guard let dictionary, let key, let value = dictionary[key] else { return .absent }
            return .constant(value)
        }.flatMap { $0.isNil ? fallback : Lowered($0) }
    }
}

extension LoweredValue {
    /// The value of an expression that has none: nil.
    fileprivate static var absent: LoweredValue { .constant(Any?.none as Any) }

    /// A captured value; nil where it is nil.
    ///
    /// - Throws: ``Unsupported`` for what depends on the row.
    fileprivate func captured<T>(as type: T.Type) throws -> T? {
        guard case .constant(let value) = self else { throw Unsupported("a subscript that depends on the row") }
        return isNil ? nil : value as? T
    }
}
