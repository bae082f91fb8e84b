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

    @Test func aBodyIsOneExpression() {
        #expect(messages("") == ["{  }: A predicate needs an expression"])
        #expect(
            messages("let name = $0.name; return name == x") == [
                "return name == x: A predicate is a single expression; capture intermediate values outside of it"
            ])
        #expect(
            messages("for x in y { }") == [
                "for x in y { }: Declarations and statements cannot be part of a predicate; only an expression can"
            ])
        #expect(
            messages("func f() {}") == [
                "func f() {}: Declarations and statements cannot be part of a predicate; only an expression can"
            ])
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
        #expect(
            messages("if case .town = $0.kind { true } else { false }") == [
                "case .town = $0.kind: Optional bindings, patterns and other conditions cannot be mixed in a predicate"
            ])
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
        #expect(messages("$0.name.hasPrefix(x)") == [function("hasPrefix")])
        #expect(
            fixed("$0.name.hasPrefix(x)") == ["Use 'starts(with:)'": "#Predicate<City> { $0.name.starts(with: x) }"])
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

    @Test func conditionsNeedAnElseAndCannotBeMixed() {
        #expect(
            messages("if $0.flag { true }") == ["if $0.flag { true }: 'if' in a predicate needs an 'else'"])
        #expect(
            messages("if let a = $0.nick, $0.flag { true } else { false }") == [
                "let a = $0.nick, $0.flag: Optional bindings, patterns and other conditions cannot be mixed in a predicate"
            ])
    }
}
