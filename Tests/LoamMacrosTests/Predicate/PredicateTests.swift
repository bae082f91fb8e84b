import Testing

@Suite struct PredicateTests {
    @Test func everyNodeIsAStatement() {
        expectExpansion(
            of: #"""
                #Predicate<City> { city in
                    city.population > least && city.country?.name == "France"
                }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.population)
                    let _node2 = Loam._PredicateExpressions.build_Comparison(lhs: _node1, rhs: Loam._PredicateExpressions.build_Arg(least), op: .greaterThan)
                    let _node3 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.country)
                    let _node4 = Loam._PredicateExpressions.build_flatMap(_node3, { _row2 in
                        return Loam._PredicateExpressions.build_KeyPath(root: _row2, keyPath: \.name)
                    })
                    let _node5 = Loam._PredicateExpressions.build_Equal(lhs: _node4, rhs: Loam._PredicateExpressions.build_Arg("France"))
                    return Loam._PredicateExpressions.build_Conjunction(lhs: _node2, rhs: _node5)
                })
                """#)
    }

    @Test func aFunctionOfAValueIsANode() {
        expectExpansion(
            of: #"""
                #Predicate<City> { $0.name.lowercased() == name.lowercased() }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.name)
                    let _node2 = Loam._PredicateExpressions.build_lowercased(_node1)
                    return Loam._PredicateExpressions.build_Equal(lhs: _node2, rhs: Loam._PredicateExpressions.build_Arg(name.lowercased()))
                })
                """#)
    }

    @Test func partsOfDatesAreThoseOfACalendar() {
        expectExpansion(
            of: #"""
                #Predicate<City> { calendar.component(.year, from: $0.founded) == calendar.component(.year, from: day) }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.founded)
                    let _node2 = Loam._PredicateExpressions.build_component(Loam._PredicateExpressions.build_Arg(calendar), .year, from: _node1)
                    return Loam._PredicateExpressions.build_Equal(lhs: _node2, rhs: Loam._PredicateExpressions.build_Arg(calendar.component(.year, from: day)))
                })
                """#)
    }

    @Test func whatDoesNotMentionTheRowIsCaptured() {
        expectExpansion(
            of: #"""
                #Predicate<City> { $0.founded < Date.now && kinds.contains($0.kind) && $0.kind != .town && limits.upper(5) > -$0.depth }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.founded)
                    let _node2 = Loam._PredicateExpressions.build_Comparison(lhs: _node1, rhs: Loam._PredicateExpressions.build_Arg(Date.now), op: .lessThan)
                    let _node3 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.kind)
                    let _node4 = Loam._PredicateExpressions.build_contains(Loam._PredicateExpressions.build_Arg(kinds), _node3)
                    let _node5 = Loam._PredicateExpressions.build_Conjunction(lhs: _node2, rhs: _node4)
                    let _node6 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.kind)
                    let _node7 = Loam._PredicateExpressions.build_NotEqual(lhs: _node6, rhs: Loam._PredicateExpressions.build_Arg(.town))
                    let _node8 = Loam._PredicateExpressions.build_Conjunction(lhs: _node5, rhs: _node7)
                    let _node9 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.depth)
                    let _node10 = Loam._PredicateExpressions.build_UnaryMinus(_node9)
                    let _node11 = Loam._PredicateExpressions.build_Comparison(lhs: Loam._PredicateExpressions.build_Arg(limits.upper(5)), rhs: _node10, op: .greaterThan)
                    return Loam._PredicateExpressions.build_Conjunction(lhs: _node8, rhs: _node11)
                })
                """#)
    }

    @Test func closuresHaveStatementsOfTheirOwn() {
        expectExpansion(
            of: #"""
                #Predicate<City> { $0.streets.contains { $0.name == name && !$0.isClosed } || $0.streets.allSatisfy(\.isOpen) }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.streets)
                    let _node2 = Loam._PredicateExpressions.build_contains(_node1, where: { _row2 in
                        let _node2_1 = Loam._PredicateExpressions.build_KeyPath(root: _row2, keyPath: \.name)
                        let _node2_2 = Loam._PredicateExpressions.build_Equal(lhs: _node2_1, rhs: Loam._PredicateExpressions.build_Arg(name))
                        let _node2_3 = Loam._PredicateExpressions.build_KeyPath(root: _row2, keyPath: \.isClosed)
                        let _node2_4 = Loam._PredicateExpressions.build_Negation(_node2_3)
                        return Loam._PredicateExpressions.build_Conjunction(lhs: _node2_2, rhs: _node2_4)
                    })
                    let _node3 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.streets)
                    let _node4 = Loam._PredicateExpressions.build_allSatisfy(_node3, { _row3 in
                        return Loam._PredicateExpressions.build_KeyPath(root: _row3, keyPath: \.isOpen)
                    })
                    return Loam._PredicateExpressions.build_Disjunction(lhs: _node2, rhs: _node4)
                })
                """#)
    }

    @Test func conditionsBecomeNodesAndNamesInUseAreLeftAlone() {
        expectExpansion(
            of: #"""
                #Predicate<City> { if let nick = $0.nick { nick == _row1 } else { $0.flag ? true : $0.name == nil } }
                """#,
            is: #"""
                Loam._Predicate<City>({ __row1 in
                    let __let1 = Loam._PredicateExpressions.build_KeyPath(root: __row1, keyPath: \.nick)
                    let __let2 = Loam._PredicateExpressions.build_ForcedUnwrap(__let1)
                    let __node3 = Loam._PredicateExpressions.build_NotEqual(lhs: __let1, rhs: Loam._PredicateExpressions.build_NilLiteral())
                    let __node4 = Loam._PredicateExpressions.build_Equal(lhs: __let2, rhs: Loam._PredicateExpressions.build_Arg(_row1))
                    let __node5 = Loam._PredicateExpressions.build_KeyPath(root: __row1, keyPath: \.flag)
                    let __node6 = Loam._PredicateExpressions.build_KeyPath(root: __row1, keyPath: \.name)
                    let __node7 = Loam._PredicateExpressions.build_Equal(lhs: __node6, rhs: Loam._PredicateExpressions.build_NilLiteral())
                    let __node8 = Loam._PredicateExpressions.build_Conditional(__node5, Loam._PredicateExpressions.build_Arg(true), __node7)
                    return Loam._PredicateExpressions.build_Conditional(__node3, __node4, __node8)
                })
                """#)
    }

    @Test func identifiersAndRawValuesHaveFunctionsOfTheirOwn() {
        expectExpansion(
            of: #"""
                #Predicate<City> { $0.id == id && $0.owner?.persistentModelID == id && $0.kind.rawValue == 1 }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_Equal(lhs: Loam._PredicateExpressions.build_Identifier(root: _row1, keyPath: \.id), rhs: Loam._PredicateExpressions.build_Arg(id))
                    let _node2 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.owner)
                    let _node3 = Loam._PredicateExpressions.build_flatMap(_node2, { _row2 in
                        return Loam._PredicateExpressions.build_Identifier(root: _row2, keyPath: \.persistentModelID)
                    })
                    let _node4 = Loam._PredicateExpressions.build_Equal(lhs: _node3, rhs: Loam._PredicateExpressions.build_Arg(id))
                    let _node5 = Loam._PredicateExpressions.build_Conjunction(lhs: _node1, rhs: _node4)
                    let _node6 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.kind)
                    let _node7 = Loam._PredicateExpressions.build_rawValue(root: _node6, keyPath: \.rawValue)
                    let _node8 = Loam._PredicateExpressions.build_Equal(lhs: _node7, rhs: Loam._PredicateExpressions.build_Arg(1))
                    return Loam._PredicateExpressions.build_Conjunction(lhs: _node5, rhs: _node8)
                })
                """#)
    }

    @Test func methodsAndRanges() {
        expectExpansion(
            of: #"""
                #Predicate<City> { $0.name.localizedStandardStarts(with: prefix) && $0.tags[0] == "a" && (1...5).contains($0.count)
                    && ($0.low..<9).contains(5) }
                """#,
            is: #"""
                Loam._Predicate<City>({ _row1 in
                    let _node1 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.name)
                    let _node2 = Loam._PredicateExpressions.build_localizedStandardStarts(_node1, with: Loam._PredicateExpressions.build_Arg(prefix))
                    let _node3 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.tags)
                    let _node4 = Loam._PredicateExpressions.build_subscript(_node3, Loam._PredicateExpressions.build_Arg(0))
                    let _node5 = Loam._PredicateExpressions.build_Equal(lhs: _node4, rhs: Loam._PredicateExpressions.build_Arg("a"))
                    let _node6 = Loam._PredicateExpressions.build_Conjunction(lhs: _node2, rhs: _node5)
                    let _node7 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.count)
                    let _node8 = Loam._PredicateExpressions.build_contains(Loam._PredicateExpressions.build_Arg((1...5)), _node7)
                    let _node9 = Loam._PredicateExpressions.build_Conjunction(lhs: _node6, rhs: _node8)
                    let _node10 = Loam._PredicateExpressions.build_KeyPath(root: _row1, keyPath: \.low)
                    let _node11 = Loam._PredicateExpressions.build_Range(lower: _node10, upper: Loam._PredicateExpressions.build_Arg(9))
                    let _node12 = Loam._PredicateExpressions.build_contains(_node11, Loam._PredicateExpressions.build_Arg(5))
                    return Loam._PredicateExpressions.build_Conjunction(lhs: _node9, rhs: _node12)
                })
                """#)
    }

    @Test func theTypeMayComeFromTheContext() {
        expectExpansion(
            of: "let p: Predicate<City> = #Predicate({ true })",
            is: """
                let p: Predicate<City> = Loam._Predicate({ _row1 in
                    return Loam._PredicateExpressions.build_Arg(true)
                })
                """)
    }
}
