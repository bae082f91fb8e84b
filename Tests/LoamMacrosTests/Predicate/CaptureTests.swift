import Testing

/// Captured code is run when the predicate is made: what Swift could stop at is an optional there.
@Suite("Captured code that may have no value")
struct CaptureTests {
    /// The expansion's last line, in which `what` is compared with a property, without the names of the functions.
    private func captured(_ what: String) -> String {
        let lines = expand("#Predicate<City> { $0.count == \(what) }").split(separator: "\n").dropFirst(2).dropLast()
        return lines.joined(separator: "\n")
            .replacing("Loam._PredicateExpressions.", with: "").replacing("    ", with: "")
            .replacing("return build_Equal(lhs: _node1, rhs: ", with: "")
    }

    @Test(
        "is captured as an optional, in a forced unwrap",
        arguments: [
            ("limit!", "build_ForcedUnwrap(build_Arg((limit))))"),
            ("(limit!)", "build_ForcedUnwrap(build_Arg((limit))))"),
            ("limit! + 1", "build_ForcedUnwrap(build_Arg((limit).map { _row2 in _row2 + 1 })))"),
            (
                "user!.team!.size",
                "build_ForcedUnwrap(build_Arg((user).flatMap { _row2 in (_row2.team).map { _row3 in _row3.size } })))"
            ),
            (
                "min(a!, b!)",
                "build_ForcedUnwrap(build_Arg((a).flatMap { _row2 in (b).map { _row3 in min(_row2, _row3) } })))"
            ),
            ("value as! Int", "build_ForcedUnwrap(build_Arg((value as? Int))))"),
            ("list[2]", "build_ForcedUnwrap(build_Arg(capture_subscript(list, 2, { $0[$1] }))))"),
            ("a / b", "build_ForcedUnwrap(build_Arg(capture_quotient(a, b, { $0 / $1 }))))"),
        ])
    func parts(source: String, expansion: String) {
        #expect(captured(source) == expansion)
    }

    @Test(
        "is left as it is where Swift cannot stop at it, or where it is a question mark's",
        arguments: [
            "limit ?? 3", "user?.team!.size", "a / 2", "names[\"x\"]", "Table[2]", "list.map { $0! }.count",
            "a.b[default: 3]",
        ])
    func whole(source: String) {
        #expect(captured(source) == "build_Arg(\(source)))")
    }

    @Test("is reached as Swift reaches it")
    func lazy() {
        #expect(
            captured("limit ?? other!")
                == """
                let _node2 = build_NilCoalesce(lhs: build_Arg(limit), rhs: build_ForcedUnwrap(build_Arg((other))))
                build_Equal(lhs: _node1, rhs: _node2)
                """.replacing("build_Equal(lhs: _node1, rhs: ", with: ""))
        #expect(
            captured("(flag ? limit! : 3)")
                == "build_Conditional(build_Arg(flag), build_ForcedUnwrap(build_Arg((limit))), build_Arg(3)))")
    }

    @Test("Bounds that may cross make a range where it is asked")
    func ranges() {
        let lines = expand("#Predicate<City> { (low...high).contains($0.count) && (1...5).contains($0.count) }")
        #expect(lines.contains("build_ClosedRange(lower: Loam._PredicateExpressions.build_Arg(low), upper: "))
        #expect(lines.contains("build_Arg((1...5))"))
    }
}
