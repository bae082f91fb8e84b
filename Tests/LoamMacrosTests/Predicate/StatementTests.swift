import Testing

@Suite("Statements in a predicate's closure")
struct StatementTests {
    /// The expansion of a closure's body, without the names of the functions.
    private func expansion(_ body: String) -> [String] {
        expand("#Predicate<City> { city in \(body) }").split(separator: "\n").dropFirst().dropLast().map {
            $0.replacing("Loam._PredicateExpressions.build_", with: "").trimmingPrefix("    ").description
        }
    }

    @Test func aLetIsANode() {
        #expect(
            expansion("let small = city.population < 5; let same = small; return same && small")
                == [
                    #"let _node1 = KeyPath(root: _row1, keyPath: \.population)"#,
                    "let _let1 = Comparison(lhs: _node1, rhs: Arg(5), op: .lessThan)",
                    "return Conjunction(lhs: _let1, rhs: _let1)",
                ])
        #expect(
            expansion("let name: String? = city.name, row = city; return name == nil && row.flag")
                == [
                    #"let _node1 = KeyPath(root: _row1, keyPath: \.name)"#,
                    "let _let1 = Let(_node1, as: (String?).self)",
                    "let _node3 = Equal(lhs: _let1, rhs: NilLiteral())",
                    #"let _node4 = KeyPath(root: _row1, keyPath: \.flag)"#,
                    "return Conjunction(lhs: _node3, rhs: _node4)",
                ])
        #expect(
            expansion("let kind: Kind = city.flag ? .town : .village; return city.kind == kind")
                == [
                    #"let _node1 = KeyPath(root: _row1, keyPath: \.flag)"#,
                    "let _let1 = Let(Conditional(_node1, Arg(.town), Arg(.village)), as: (Kind).self)",
                    #"let _node3 = KeyPath(root: _row1, keyPath: \.kind)"#,
                    "return Equal(lhs: _node3, rhs: _let1)",
                ])
    }

    @Test func aCapturedLetIsCapturedOnceWhateverIsMadeOfIt() {
        #expect(
            expansion("let a = limit(), b: Double = a * 2; return city.size < a && city.area < max(b, a)")
                == [
                    "let _let1 = limit()",
                    "let _let2: Double = { a in a * 2 }(_let1)",
                    #"let _node3 = KeyPath(root: _row1, keyPath: \.size)"#,
                    "let _node4 = Comparison(lhs: _node3, rhs: Arg(_let1), op: .lessThan)",
                    #"let _node5 = KeyPath(root: _row1, keyPath: \.area)"#,
                    "let _node6 = Comparison(lhs: _node5, rhs: Arg({ a, b in max(b, a) }(_let1, _let2)), op: .lessThan)",
                    "return Conjunction(lhs: _node4, rhs: _node6)",
                ])
        #expect(
            expansion("let a = maybe!, b: Int = a + 1, c = if flag { a } else { b }; return city.size == c - a")
                == [
                    "let _let1 = (maybe)",
                    "let _let2: Optional<Int> = _let1.map { a in a + 1 }",
                    "let _let3 = _let2.flatMap { b in _let1.map { a in { if flag { a } else { b } }() } }",
                    #"let _node4 = KeyPath(root: _row1, keyPath: \.size)"#,
                    "return Equal(lhs: _node4, rhs: ForcedUnwrap(Arg(_let3.flatMap { c in _let1.map { a in c - a } })))",
                ])
    }

    @Test func conditionsNameWhatTheyUnwrap() {
        #expect(
            expansion(
                "guard let nick = city.nick, let limit, city.size < limit else { return false }; return nick == x")
                == [
                    #"let _let1 = KeyPath(root: _row1, keyPath: \.nick)"#,
                    "let _let2 = ForcedUnwrap(_let1)",
                    "let _let3 = limit",
                    "let _node4 = NotEqual(lhs: _let1, rhs: NilLiteral())",
                    "let _node5 = Conjunction(lhs: _node4, rhs: Arg(_let3 != nil))",
                    #"let _node6 = KeyPath(root: _row1, keyPath: \.size)"#,
                    "let _node7 = Comparison(lhs: _node6, rhs: ForcedUnwrap(Arg(_let3)), op: .lessThan)",
                    "let _node8 = Conjunction(lhs: _node5, rhs: _node7)",
                    "let _node9 = Equal(lhs: _let2, rhs: Arg(x))",
                    "return Conditional(_node8, _node9, Arg(false))",
                ])
    }

    @Test func whatComesAfterAConditionIsMadeOnce() {
        #expect(
            expansion("if city.a { if city.b { return true } }; return city.c")
                == [
                    #"let _let1 = KeyPath(root: _row1, keyPath: \.c)"#,
                    #"let _node2 = KeyPath(root: _row1, keyPath: \.a)"#,
                    #"let _node3 = KeyPath(root: _row1, keyPath: \.b)"#,
                    "let _node4 = Conditional(_node3, Arg(true), _let1)",
                    "return Conditional(_node2, _node4, _let1)",
                ])
    }

    @Test func namesInUseAreLeftAlone() {
        #expect(
            expansion("let _let1 = city.a; return _let1 == _node1")
                == [
                    #"let __let1 = KeyPath(root: __row1, keyPath: \.a)"#,
                    "return Equal(lhs: __let1, rhs: Arg(_node1))",
                ])
        #expect(
            expansion("let a = 1; return city.list.contains { let a = $0.a; return a == 2 } || city.a == a")
                == [
                    "let _let1 = 1",
                    #"let _node2 = KeyPath(root: _row1, keyPath: \.list)"#,
                    "let _node3 = contains(_node2, where: { _row2 in",
                    #"    let _let2 = KeyPath(root: _row2, keyPath: \.a)"#,
                    "    return Equal(lhs: _let2, rhs: Arg(2))",
                    "})",
                    #"let _node4 = KeyPath(root: _row1, keyPath: \.a)"#,
                    "let _node5 = Equal(lhs: _node4, rhs: Arg(_let1))",
                    "return Disjunction(lhs: _node3, rhs: _node5)",
                ])
    }
}
