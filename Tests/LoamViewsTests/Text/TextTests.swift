import LoamViews
import Testing

private struct Texts: View {
    let date: Date
    let title: Substring

    var body: some View {
        Text("Item at \(date, format: .iso8601.year())")
        Text(date, format: .iso8601.year().month())
        Text(12.5, format: .number.precision(.fractionLength(2)).locale(Locale(identifier: "en_US")))
        Text(title)
        Text(verbatim: "%@ \(title)")
        Text("\(2.345, specifier: "%.2f") \(1, specifier2: "x")")
        Text("a").bold() + Text("b").bold().italic()
        Text("\(Text("in").italic()) a text")
    }
}

extension LocalizedStringKey.StringInterpolation {
    /// One's own form.
    fileprivate mutating func appendInterpolation(_ number: Int, specifier2: String) {
        appendLiteral("\(specifier2)\(number)")
    }
}

@Suite("Texts") @MainActor
struct TextTests {
    @Test("have their values formatted, from interpolations too") func formats() {
        let host = ViewHost { Texts(date: Date(timeIntervalSince1970: 0), title: "title".prefix(3)) }
        #expect(
            host.texts == ["Item at 1970", "1970-01", "12.50", "tit", "%@ tit", "2.35 x1", "ab", "in a text"]
                || host.texts == ["Item at 1970", "1970-01", "12.50", "tit", "%@ tit", "2.34 x1", "ab", "in a text"])
    }

    @Test("show days and times as the locale has them") func dates() {
        let (start, end) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 7200))
        let host = ViewHost {
            Text(start, style: .date)
            Text(start, style: .time)
            Text(start...end)
        }
        let texts = [
            start.formatted(date: .long, time: .omitted), start.formatted(date: .omitted, time: .shortened),
            (start..<end).formatted(),
        ]
        #expect(host.texts == texts && Set(texts).count == 3)
    }

    @Test("say their appearance, and keep in a sum what both say") func appearance() {
        let host = ViewHost {
            Text("a").bold() + Text("b").bold().italic()
            Text("c").font(.title.bold()).foregroundStyle(.red)
        }
        #expect(
            host.outline == """
                Text "ab" bold=true
                Text "c" font="title bold" foregroundStyle="red"
                """)
    }

    @Test("take no format that is not for one number") func hostileSpecifier() {
        #expect(ViewHost { Text("\(1.5, specifier: "%s %n")") }.texts == ["1.5"])
    }
}
