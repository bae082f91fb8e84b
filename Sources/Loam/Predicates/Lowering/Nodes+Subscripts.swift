import Foundation
import LoamQuery
import LoamStorage

// Subscripts of captured and of stored collections. What is not there is nil: a row never raises an error.

extension PredicateExpressions.CollectionIndexSubscript: LoweredNode {
    func lower(_ lowering: inout PredicateLowering) throws -> Lowered {
        try .combine(lowering.lower(wrapped), lowering.lower(index)) { collection, index in
            if let element = try collection.stored(at: index) { return element }
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
            if let element = try dictionary.stored(at: key) { return element }
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
            if let element = try dictionary.stored(at: key) { return element }
            let (dictionary, key) = (
                try dictionary.captured(as: Wrapped.Output.self), try key.captured(as: Key.Output.self)
            )
            guard let dictionary, let key, let value = dictionary[key] else { return .absent }
            return .constant(value)
        }.coalescing(fallback)
    }
}

extension LoweredValue {
    /// The value of an expression that has none: nil.
    fileprivate static var absent: LoweredValue { .constant(Any?.none as Any) }

    /// The element of a stored collection, which may not be there; nil where the collection is captured.
    fileprivate func stored(at index: LoweredValue) throws -> LoweredValue? {
        guard case .expression(let collection) = self else { return nil }
        if index.isNil { return .absent }
        return .expression(.call(.element, [collection, try index.expression()]))
    }

    /// A captured value; nil where it is nil.
    ///
    /// - Throws: ``Unsupported`` for what depends on the row.
    fileprivate func captured<T>(as type: T.Type) throws -> T? {
        guard case .constant(let value) = self else { throw Unsupported("a subscript that depends on the row") }
        return isNil ? nil : value as? T
    }
}
