import Foundation
import LoamQuery
import LoamStorage
import RandomQueries
import Testing

/// A tree prints as a format that is read as the same tree.
@Suite struct FormatRoundTripTests {
    private static let count = ProcessInfo.processInfo.environment["LOAM_SOAK"] == nil ? 4000 : 400_000

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func treesOfEveryNode(seed: UInt64) {
        for number in 0..<UInt64(Self.count) {
            var source = RandomTree(seed: seed << 32 | number)
            let tree = source.predicate(depth: 1 + Int(number % 4))
            if let fault = tree.formatFault {
                Issue.record("seed \(seed << 32 | number): \(fault)")
                return
            }
        }
    }

    @Test(arguments: ["SELF[0][SIZE] > 2", "SELF[FIRST].@max = 1", "SELF[LAST]['a'][#first] = 1", "SELF[0] = 1"])
    func elementsOfTheRowItself(format: String) throws {
        let tree = try PredicateParser.parse(format)
        #expect(try PredicateParser.parse(tree.description) == tree)
    }

    /// No aggregate is read behind the parentheses of a function, but a subquery of its elements is.
    @Test func aggregatesOfComputedElements() throws {
        let list = QueryExpression.list([.keyPath(["scores"]), .keyPath(["marks"])])
        let sum = QueryExpression.aggregate(.sum, of: .elements(.call(.first, [list]), where: nil))
        let tree = QueryPredicate.comparison(sum, .greater, .keyPath(["size"]), .none)
        #expect(tree.description == "SUBQUERY(first({scores, marks}), $x, TRUEPREDICATE).@sum > size")
        #expect(try PredicateParser.parse(tree.description).description == tree.description)
    }

    /// Signs are printed with parentheses between them, which count as levels when that is read.
    @Test(arguments: ["- ", "~", "-~", "2 ** - -"]) func longChainsOfSigns(sign: String) {
        var refused = 0
        for count in 1...220 {
            guard let read = try? PredicateParser.parse("id == " + String(repeating: sign, count: count) + "size")
            else {
                refused += 1
                continue
            }
            #expect((try? PredicateParser.parse(read.description)) == read)
        }
        #expect(refused > 0 && refused < 200)
    }

    /// What joins sets is printed with AND and OR, and with parentheses where one follows the other.
    @Test(arguments: [["MINUS"], ["UNION"], ["UNION", "MINUS"], ["MINUS", "UNION", "INTERSECT"]])
    func longChainsOfSets(operators: [String]) {
        var refused = 0
        for count in 1...230 {
            let chain = (0..<count).map { " \(operators[$0 % operators.count]) {2, 3}" }.joined()
            for beginning in ["id IN {1}", "id NOT IN {1}"] {
                guard let read = try? PredicateParser.parse(beginning + chain) else {
                    refused += 1
                    continue
                }
                #expect((try? PredicateParser.parse(read.description)) == read, "\(beginning)\(chain)")
            }
        }
        #expect(operators.count == 1 ? refused == 0 : refused > 0 && refused < 400, "\(refused)")
    }

    /// Negations that nest as deep as they are read are printed so that they are read again.
    @Test(arguments: [
        ("NOT ", "id == 1", ""), ("NOT ", "(id == 1 OR size > 2)", ""), ("!", "id == 1", " AND size > 2"),
        ("NOT (id == 1 AND ", "size > 2", ")"), ("size > 2 OR NOT (NOT id == 1 AND ", "size > 2", " OR id == 2)"),
    ])
    func longChainsOfNegations(beginning: String, middle: String, end: String) {
        var refused = 0
        for count in 1...230 {
            let text =
                String(repeating: beginning, count: count) + middle
                + (end.hasSuffix(")") ? String(repeating: end, count: count) : end)
            guard let read = try? PredicateParser.parse(text) else {
                refused += 1
                continue
            }
            #expect((try? PredicateParser.parse(read.description)) == read, "\(text)")
        }
        #expect(refused > 0 && refused < 200, "\(refused)")
    }

    @Test func queriesOfTheCampaigns() throws {
        let sample = try SampleStore(seed: 1, rowCount: 5, longStrings: false)
        let atlas = try AtlasStore(seed: 1, rowCount: 5)
        let entity = try sample.store.read { try $0.entity(named: "Thing") }
        for number in 0..<UInt64(Self.count / 4) {
            var source = RandomQuery(entity, seed: number)
            #expect(source.query(rowIDs: 1...9).predicate?.formatFault == nil)
            var related = RandomRelationQuery(atlas.model.schema, ids: atlas.model.idsByEntity, seed: number)
            #expect(related.query().predicate?.formatFault == nil)
        }
    }
}
