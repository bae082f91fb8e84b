import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom

/// Asks predicates that were read of a few rows.
struct PredicateJudge {
    private let entity = SampleEntity.entity
    private let rows: [[Value]]

    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        rows = (0..<3).map { number in
            SampleEntity.entity.properties.map { property in
                number == 0 && property.isOptional ? .null : ValuePool.value(of: property.type, &generator)
            }
        }
    }

    /// What is wrong with a predicate; nil where nothing is, and for one that does not fit the entity.
    func fault(of predicate: QueryPredicate) throws -> String? {
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
        for row in rows {
            guard let holds = try? checked.holds(rowID: 1, values: row) else { return nil }
            guard try again.holds(rowID: 1, values: row) == holds else {
                return "\(checked) and \(again) differ on \(row)"
            }
        }
        return nil
    }
}

extension QueryError {
    fileprivate var isMismatch: Bool {
        if case .typeMismatch = kind { true } else { false }
    }
}
