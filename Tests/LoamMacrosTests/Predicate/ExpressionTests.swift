import Testing

@Suite struct ExpressionTests {
    @Test func aValueIsBuiltNodeByNode() {
        expectExpansion(
            of: #"""
                #Expression<[City], Int> { cities in
                    cities.filter { $0.population > least }.count
                }
                """#,
            is: #"""
                Loam._Expression<[City], Int>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_filter(_row1, { _row2 in
                        let _node1_1 = Loam._PredicateExpressions.build_KeyPath(root: _row2, keyPath: \.population)
                        return Loam._PredicateExpressions.build_Comparison(lhs: _node1_1, rhs: Loam._PredicateExpressions.build_Arg(least), op: .greaterThan)
                    })
                    let _node2 = Loam._PredicateExpressions.build_KeyPath(root: _node1, keyPath: \.count)
                    return Loam._PredicateExpressions.build_Result(_node2)
                })
                """#)
    }

    @Test func severalInputsHaveNamesOrNumbers() {
        expectExpansion(
            of: "#Expression<Int, Int, Int> { $0 * $1 }",
            is: #"""
                Loam._Expression<Int, Int, Int>({ _row1, _row2 in
                    let _node1 = Loam._PredicateExpressions.build_Arithmetic(lhs: _row1, rhs: _row2, op: .multiply)
                    return Loam._PredicateExpressions.build_Result(_node1)
                })
                """#)
        expectExpansion(
            of: "#Expression<Int, Int, Int> { _, right in right }",
            is: #"""
                Loam._Expression<Int, Int, Int>({ _row1, _row2 in
                    return Loam._PredicateExpressions.build_Result(_row2)
                })
                """#)
    }

    @Test func numbersOfInnerClosuresAreTheirOwn() {
        expectExpansion(
            of: "#Expression<City, Bool> { $0.streets.contains { $0.name == $1 } }",
            is: #"""
                Loam._Expression<City, Bool>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.streets)
                    let _node2 = Loam._PredicateExpressions.build_contains(_node1, where: { _row2 in
                        let _node2_1 = Loam._PredicateExpressions.build_KeyPath(root: _row2, keyPath: \.name)
                        return Loam._PredicateExpressions.build_Equal(lhs: _node2_1, rhs: Loam._PredicateExpressions.build_Arg($1))
                    })
                    return Loam._PredicateExpressions.build_Result(_node2)
                })
                """#)
    }

    @Test func otherExpressionsAreAskedWithEveryInput() {
        expectExpansion(
            of: "#Predicate<City> { share.evaluate($0.population, total) > 0.5 }",
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.population)
                    let _node2 = Loam._PredicateExpressions.build_evaluate(Loam._PredicateExpressions.build_Arg(share), _node1, Loam._PredicateExpressions.build_Arg(total))
                    return Loam._PredicateExpressions.build_Comparison(lhs: _node2, rhs: Loam._PredicateExpressions.build_Arg(0.5), op: .greaterThan)
                })
                """#)
    }

    @Test func diagnosticsNameTheMacro() {
        func messages(_ body: String) -> [String] { Diagnoses("let e = #Expression<City, Int> { \(body) }").messages }
        #expect(messages("") == ["{  }: An '#Expression' needs an expression"])
        #expect(
            messages("$0.flags & 4") == ["&: The operator '&' is not supported in an '#Expression'"])
        #expect(
            messages("$0.a.reduce(1)") == [
                "reduce: The function 'reduce' is not supported in an '#Expression'; compute values that do not depend "
                    + "on the row outside of it"
            ])
        #expect(
            messages("$0.streets.filter { a, b in a.isOpen }.count") == [
                "{ a, b in a.isOpen }: A closure in an '#Expression' takes exactly one parameter"
            ])
        #expect(
            Diagnoses("let e = #Expression<City, Int>(sum)").messages == [
                "#Expression<City, Int>(sum): An '#Expression' needs a closure literal, or a key path in place of a "
                    + "closure inside it"
            ])
        #expect(
            messages("other.evaluate(row: $0)") == [
                "evaluate: The function 'evaluate' is not supported in an '#Expression'; compute values that do not "
                    + "depend on the row outside of it"
            ])
    }
}
