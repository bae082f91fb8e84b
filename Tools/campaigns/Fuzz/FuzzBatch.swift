import Foundation
import LoamQuery
import LoamStorage
import RandomQueries
import SeededRandom

/// Inputs that follow from one seed.
struct FuzzBatch {
    static let size = 1000
    /// So many-th predicates that are read are asked of rows too, which takes longer than reading.
    private static let evaluated = 8

    let seed: UInt64

    // MARK: Predicates

    /// Reads mutated predicates, and holds what is read to its promises.
    func runFormats() -> FuzzCounts {
        var counts = FuzzCounts()
        var mutator = PredicateMutator(seed: seed)
        var bytes = ByteMutator(seed: ~seed)
        let judge = PredicateJudge(seed: seed)
        for number in 0..<Self.size {
            var format = mutator.next(most: number % 2 == 0 ? 1 : 5)
            if number % 4 == 1 { format = String(decoding: bytes.mutated(Array(format.utf8)), as: UTF8.self) }
            counts.inputs += 1
            do {
                let predicate = try PredicateParser.parse(
                    format, arguments: format.contains("%") ? Self.arguments[number % 4] : [])
                counts.read += 1
                var fault = predicate.formatFault
                if fault == nil, counts.read % Self.evaluated == 0 {
                    var isJudgedBySwift = false
                    fault = try judge.fault(of: predicate, isJudgedBySwift: &isJudgedBySwift)
                    if isJudgedBySwift { counts.judgedBySwift += 1 }
                }
                if let fault { report(format, fault, &counts) }
            } catch is QueryError {
            } catch {
                report(format, "\(error)", &counts)
            }
        }
        return counts
    }

    private static let arguments: [[Value]] = [
        [], [.string("id"), .int(5)], [.string("address.zip"), .array([.int(.max), .null])],
        [.data(Data()), .double(.nan)],
    ]

    // MARK: Index definitions

    /// Reads mutated index definitions and catalogs, and writes what was read.
    func runIndexes() -> FuzzCounts {
        var counts = FuzzCounts()
        var bytes = ByteMutator(seed: seed, words: FuzzCorpus.words)
        let entity = FuzzCorpus.entity
        for number in 0..<Self.size {
            let json = bytes.mutated(FuzzCorpus.definitions[number % FuzzCorpus.definitions.count])
            counts.inputs += 1
            do {
                let definition = try JSONDecoder().decode(IndexDefinition.self, from: Data(json))
                counts.read += 1
                let again = try JSONDecoder().decode(IndexDefinition.self, from: JSONEncoder().encode(definition))
                if again != definition { report("\(json)", "is written as another definition", &counts) }
                _ = try? Index(id: 1, definition, of: entity)
            } catch is DecodingError {
            } catch {
                report(String(decoding: json, as: UTF8.self), "\(error)", &counts)
            }
            let catalog = bytes.mutated(FuzzCorpus.catalogs[number % FuzzCorpus.catalogs.count])
            counts.inputs += 1
            do {
                let schema = try JSONDecoder().decode(Schema.self, from: Data(catalog))
                counts.read += 1
                _ = try JSONDecoder().decode(Schema.self, from: JSONEncoder().encode(schema))
            } catch is DecodingError {
            } catch is StorageError {
            } catch {
                report(String(decoding: catalog, as: UTF8.self), "\(error)", &counts)
            }
        }
        return counts
    }

    private func report(_ input: String, _ fault: String, _ counts: inout FuzzCounts) {
        counts.faults += 1
        say("seed \(seed): \(input)\n  \(fault)")
    }
}
