import Testing

@Suite struct PredicateDiagnosticsTests {
    /// What the macro says about a closure's body.
    private func messages(_ body: String) -> [String] {
        Diagnoses("let p = #Predicate<City> { \(body) }").messages
    }

    private func fixed(_ body: String) -> [String: String] {
        Diagnoses("#Predicate<City> { \(body) }").fixed
    }

    @Test func aPredicateNeedsAClosureLiteral() {
        #expect(
            Diagnoses("let p = #Predicate<City>(test)").messages == [
                "#Predicate<City>(test): A predicate needs a closure literal, or a key path in place of a closure inside it"
            ])
        #expect(
            messages("$0.streets.contains(where: test)") == [
                "test: A predicate needs a closure literal, or a key path in place of a closure inside it"
            ])
    }

    @Test func aClosureTakesOneParameter() {
        #expect(
            messages("a, b in a.name == b.name") == [
                "{ a, b in a.name == b.name }: A closure in a predicate takes exactly one parameter"
            ])
    }

    @Test func aBodyGivesAValue() {
        #expect(messages("") == ["{  }: A predicate needs an expression"])
        #expect(messages("let name = $0.name") == ["{ let name = $0.name }: A predicate needs an expression"])
        #expect(messages("return") == ["return: A predicate needs an expression"])
        func only(_ part: String) -> String {
            "\(part): Only 'let', 'if' and 'guard' may stand before the value of a predicate, which 'return' gives"
        }
        #expect(messages("print($0); return true") == [only("print($0)")])
        #expect(messages("return $0.flag; return false") == [only("return false")])
        #expect(messages("if $0.flag { stop() }; return false") == [only("stop()")])
        #expect(messages("guard $0.flag else { fatalError() }; return true") == [only("fatalError()")])
        #expect(messages("guard $0.flag else { }; return true") == ["{ }: A predicate needs an expression"])
    }

    @Test func statementsAndDeclarationsAreNamedWithWhatToWrite() {
        #expect(
            messages("var name = $0.name; return name == x") == ["var: A predicate has no variables; use 'let'"])
        #expect(
            fixed("var name = $0.name; return name == x") == [
                "Replace 'var' with 'let'": "#Predicate<City> { let name = $0.name; return name == x }"
            ])
        #expect(
            messages("if var name = $0.nick { true } else { false }") == [
                "var: A predicate has no variables; use 'let'"
            ])
        let pattern = "A 'let' in a predicate names one value; write one 'let' for each"
        #expect(messages("let (a, b) = (1, $0.count); return a == b") == ["(a, b): \(pattern)"])
        #expect(messages("let _ = $0.count; return true") == ["_: \(pattern)"])
        #expect(
            messages("let a: Int; if $0.flag { a = 1 } else { a = 2 }; return a == 1") == [
                "a: Int: A 'let' in a predicate needs its value where it stands, as in "
                    + "'let a = if b { c } else { d }'"
            ])
        let loop =
            "A predicate cannot loop; ask the collection with 'contains(where:)', 'allSatisfy(_:)' or 'filter(_:)'"
        for code in ["for x in $0.list { }", "while $0.flag { }", "repeat { } while $0.flag"] {
            #expect(messages(code) == ["\(code): \(loop)"])
        }
        let declaration =
            "Only values can be declared in a predicate, with 'let'; an '#Expression' outside of it does what a function "
            + "would"
        for code in ["func f() {}", "struct S {}", "lazy let a = $0.count", "@Wrapped let a = $0.count"] {
            #expect(messages("\(code); return true") == ["\(code): \(declaration)"])
        }
        for code in ["do { }", "defer { }"] {
            #expect(
                messages("\(code); return true") == [
                    "\(code): This statement cannot be part of a predicate; 'let', 'if', 'guard' and 'return' can"
                ])
        }
        #expect(messages("let a: Int! = 3; return a == 3") == ["Int!: This expression cannot be part of a predicate"])
        #expect(messages("a = $0.count; return true") == ["a = $0.count: A predicate cannot assign"])
    }

    @Test func someExpressionsOfARowAreNoneOfAPredicate() {
        for part in ["\"a\\($0.name)\"", "[$0.name, $0.code]", "($0.name, 1)", "$0.name as String?", "{ $0.name }"] {
            _ = part
        }
        #expect(
            messages("\"a\\($0.name)\" == x") == [
                "\"a\\($0.name)\": This expression cannot be part of a predicate"
            ])
        #expect(messages("names == [$0.name]") == ["[$0.name]: This expression cannot be part of a predicate"])
        #expect(messages("($0.name, 1) == x") == ["($0.name, 1): This expression cannot be part of a predicate"])
        #expect(
            messages("$0[first: 1] == x") == ["$0[first: 1]: This expression cannot be part of a predicate"])
    }

    @Test func aPredicateCannotAssign() {
        #expect(messages("$0.name = x") == ["$0.name = x: A predicate cannot assign"])
        #expect(fixed("$0.name = x") == ["Compare with '=='": "#Predicate<City> { $0.name == x }"])
    }

    @Test func unknownOperatorsAreNamed() {
        #expect(
            messages("$0.flags & 4 == 4") == ["&: The operator '&' is not supported in a predicate"])
        #expect(messages("~$0.flags == 4") == ["~$0.flags: The operator '~' is not supported in a predicate"])
        #expect(
            messages("$0.country === x") == ["===: The operator '===' is not supported in a predicate"])
        #expect(
            fixed("$0.country === x") == ["Compare with '=='": "#Predicate<City> { $0.country == x }"])
        #expect(
            fixed("$0.country !== x") == ["Compare with '!='": "#Predicate<City> { $0.country != x }"])
    }

    private func function(_ name: String) -> String {
        "\(name): The function '\(name)' is not supported in a predicate; compute values that do not depend on the row "
            + "outside of it"
    }

    @Test func otherPartsOfDatesAreRefused() {
        #expect(
            messages("calendar.component(.hour, from: $0.founded) == 3") == [
                ".hour: This expression cannot be part of a predicate"
            ])
    }

    @Test func unknownFunctionsAreNamed() {
        #expect(messages("$0.name.reversed() == x") == [function("reversed")])
        #expect(messages("$0.streets.sorted { $0 < $1 }.isEmpty") == [function("sorted")])
        #expect(messages("$0.streets.contains(x, y)") == [function("contains")])
        #expect(messages("$0.name.starts(x)") == [function("starts")])
        #expect(
            messages("isGood($0)") == [
                "isGood($0): The function 'isGood' is not supported in a predicate; compute values that do not depend "
                    + "on the row outside of it"
            ])
    }

    @Test func functionsWithASupportedCounterpartHaveAFixIt() {
        #expect(
            fixed("$0.name.localizedCaseInsensitiveContains(x)") == [
                "Use 'localizedStandardContains(_:)'": "#Predicate<City> { $0.name.localizedStandardContains(x) }"
            ])
    }

    @Test func castsAndEffectsAndSwitchesAreRefused() {
        let cast = "Type casts and checks are not supported in a predicate over a model"
        #expect(messages("$0.place is Home") == ["$0.place is Home: \(cast)"])
        #expect(messages("($0.place as? Home) == nil") == ["$0.place as? Home: \(cast)"])
        let effect = "A predicate cannot throw or wait; compute the value before"
        #expect(messages("try $0.name == x()") == ["try $0.name == x(): \(effect)"])
        #expect(messages("$0.name == (try x())") == ["(try x()): \(effect)"])
        #expect(messages("await $0.name == x()") == ["await $0.name == x(): \(effect)"])
        #expect(
            messages("switch $0.kind { default: true }") == [
                "switch $0.kind { default: true }: 'switch' is not supported in a predicate; use '?:' or 'if' with "
                    + "'else'"
            ])
    }

    @Test func conditionsAreBoolsAndOptionalsAndNeedAnotherValue() {
        let other = "'if' in a predicate needs an 'else', or a value after it"
        #expect(messages("if $0.flag { true }") == ["if $0.flag { true }: \(other)"])
        #expect(
            messages("if $0.flag { true } else if $0.other { true }") == ["if $0.other { true }: \(other)"])
        let condition = "This condition cannot be part of a predicate; a Bool and 'let' with an optional can"
        #expect(
            messages("if case .town = $0.kind { true } else { false }") == ["case .town = $0.kind: \(condition)"])
        #expect(
            messages("if #available(Linux 5, *) { return true }; return $0.flag") == [
                "#available(Linux 5, *): \(condition)"
            ])
    }

    @Test func capturedCodeOfStatementsCannotThrowOrWait() {
        let effect = "A predicate cannot throw or wait; compute the value before"
        #expect(messages("let a = try b(); return $0.count == a") == ["try b(): \(effect)"])
        #expect(messages("if let a = await b() { return true }; return $0.flag") == ["await b(): \(effect)"])
        #expect(messages("guard $0.flag else { throw b }; return true") == ["throw b: \(effect)"])
    }
}
