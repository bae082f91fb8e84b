import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom

/// Asks predicates that were read of a few rows.
struct PredicateJudge {
    private let entity = SampleEntity.entity
    private let scan: FullScan

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let rows = (0..<3).map { number in
            let values = SampleEntity.entity.properties.map { property in
                number == 0 && property.isOptional ? .null : ValuePool.value(of: property.type, &generator)
            }
            return (rowID: RowID(number + 1), values: values)
        }
        scan = FullScan(entity: SampleEntity.entity, rows: rows)
    }

    /// What is wrong with a predicate; nil where nothing is, and for one that does not fit the entity.
    ///
    /// - Parameter isJudgedBySwift: becomes true where plain Swift has an opinion.
    func fault(of predicate: QueryPredicate, isJudgedBySwift: inout Bool) throws -> String? {
        let checker = TypeChecker(entity: entity)
        guard let checked = try? checker.check(predicate) else { return nil }
        let again: TypedPredicate
        do {
            again = try checker.check(PredicateParser.parse(checked.description))
        } catch  where error.isMismatch {
            // A date, UUID or URL beside nothing but constants is printed as a text, and nothing says that it is more.
            return nil
        } catch {
            return "\(checked) is printed, and refused: \(error)"
        }
        for (rowID, values) in scan.rows {
            guard let holds = try? checked.holds(rowID: rowID, values: values) else { return nil }
            guard try again.holds(rowID: rowID, values: values) == holds else {
                return "\(checked) and \(again) differ on \(values)"
            }
        }
        switch try scan.opinion(on: Query(entity: entity.name, predicate: predicate)) {
        case .none: return nil
        case .same:
            isJudgedBySwift = true
            return nil
        case .other(let difference): return difference
        }
    }
}

extension QueryError {
    fileprivate var isMismatch: Bool {
        if case .typeMismatch = kind { true } else { false }
    }
}
