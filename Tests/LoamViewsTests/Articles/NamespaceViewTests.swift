import LoamViews
import Testing

private struct ParentView: View {
    @Namespace var namespace
    let id = "1"
    var body: some View {
        VStack {
            Rectangle().frame(width: 200, height: 200)
                .matchedGeometryEffect(id: id, in: namespace)
            SubView(namespace: namespace, id: id)
        }
    }
}

private struct SubView: View {
    let namespace: Namespace.ID
    let id: String
    var body: some View {
        Rectangle()
            .matchedGeometryEffect(id: id, in: namespace, properties: .size, isSource: false)
    }
}

private struct LoginView: View {
    @Namespace private var namespace
    @State private var email = ""
    @State private var password = ""
    let login: (String) -> Void

    var body: some View {
        VStack {
            TextField("email", text: $email)
                .prefersDefaultFocus(true, in: namespace)

            SecureField("password", text: $password)

            Button("login") {
                login("\(email) \(password)")
            }
        }
        .focusScope(namespace)
    }
}

private struct TrendView: View {
    let trend: Trend

    var body: some View { Text(trend.message) }
}

private struct TrendsView: View {
    let trends: [Trend]

    @Namespace private var customRotorNamespace
    @Namespace private var countSpace

    var body: some View {
        VStack {
            ScrollViewReader { scrollView in
                List {
                    ForEach(trends, id: \.id) { trend in
                        TrendView(trend: trend)
                            .accessibilityRotorEntry(id: trend.id, in: customRotorNamespace)
                            .accessibilityRotorEntry(id: trend.id, in: countSpace)
                            .id(trend.id)
                    }
                }
                .accessibilityRotor("Negative trends") {
                    ForEach(trends, id: \.id) { trend in
                        if !trend.isPositive {
                            AccessibilityRotorEntry(trend.message, trend.id, in: customRotorNamespace) {
                                scrollView.scrollTo(trend.id)
                            }
                        }
                    }
                }
                .accessibilityRotor("Count") {
                    ForEach(trends, id: \.id) { trend in
                        if trend.count % 2 == 0 {
                            AccessibilityRotorEntry("\(trend.count)", trend.id, in: countSpace) {
                                scrollView.scrollTo(trend.id)
                            }
                        }
                    }
                }
            }
        }

    }
}

private struct TwoSources: View {
    @Namespace var namespace
    var body: some View {
        VStack {
            Rectangle()
                .matchedGeometryEffect(id: "111", in: namespace)
            Rectangle()
                .matchedGeometryEffect(id: "111", in: namespace)
        }
    }
}

private struct OneSource: View {
    @Namespace var namespace
    var body: some View {
        VStack {
            Rectangle()
                .matchedGeometryEffect(id: "111", in: namespace)
            Rectangle().fill(.red)
                .matchedGeometryEffect(id: "111", in: namespace, properties: .position, isSource: false)
            Rectangle().fill(.blue)
                .matchedGeometryEffect(id: "111", in: namespace, properties: .position, isSource: false)
        }
    }
}

private struct NaviTest: View {
    @Namespace var namespace

    @State var show = false
    var body: some View {
        NavigationStack {
            VStack {
                Button("Show") {
                    show.toggle()
                }
                .sheet(isPresented: $show) {
                    VStack {
                        Rectangle()
                            .fill(.cyan)
                            .matchedGeometryEffect(id: "1", in: namespace, properties: .size, isSource: false)
                    }
                    .frame(width: 300, height: 300)
                }
                Rectangle().fill(.orange).frame(width: 100, height: 200).matchedGeometryEffect(id: "1", in: namespace)
            }
        }
    }
}

@Suite("Views of the articles with namespaces") @MainActor
struct NamespaceViewTests {
    @Test("hand a namespace on, and warn of two sources") func sources() {
        let host = ViewHost { ParentView() }
        #expect(
            host.outline == """
                VStack
                  Rectangle height=200.0 width=200.0
                  Rectangle
                """)
        let registrations = host.root.children[0].children.flatMap(\.description.registrations)
        #expect(Set(registrations.map(\.namespace)).count == 1 && registrations.map(\.isSource) == [true, false])
        #expect(ViewHost { TwoSources() }.warnings.count == 1)
        let one = ViewHost { OneSource() }
        #expect(one.warnings.isEmpty)
        #expect(
            one.outline == """
                VStack
                  Rectangle
                  Rectangle fill="red"
                  Rectangle fill="blue"
                """)
    }

    @Test("log in") func login() {
        var done: [String] = []
        let host = ViewHost { LoginView { done.append($0) } }
        host.perform(.set, .text("a@b.c"), on: "TextField")
        host.perform(.set, .text("pass"), on: "SecureField")
        host.press("login")
        #expect(done == ["a@b.c pass"])
        #expect(host.node("VStack")?.description.registrations.map(\.role) == ["focusScope"])
    }

    @Test("have rotors that scroll to a trend") func rotors() {
        let trends = [
            Trend(id: 1, message: "up", isPositive: true, count: 2),
            Trend(id: 2, message: "down", isPositive: false, count: 3),
        ]
        let host = ViewHost { TrendsView(trends: trends) }
        #expect(
            host.outline == """
                VStack
                  ScrollViewReader
                    List
                      Text "up"
                      Text "down"
                    AccessibilityRotor "Negative trends"
                      AccessibilityRotorEntry "down" [press]
                    AccessibilityRotor "Count"
                      AccessibilityRotorEntry "2" [press]
                """)
        host.perform(.press, on: "AccessibilityRotorEntry")
        #expect(host.node("ScrollViewReader")?.scrollTarget?.texts == ["down"])
    }

    @Test("show a sheet within a stack") func sheet() {
        let host = ViewHost { NaviTest() }
        host.press("Show")
        #expect(
            host.outline == """
                NavigationStack
                  Page
                    VStack
                      Button [press]
                        Text "Show"
                      Sheet [dismiss]
                        VStack height=300.0 width=300.0
                          Rectangle fill="cyan"
                      Rectangle fill="orange" height=200.0 width=100.0
                """)
        host.press("Show")
        #expect(host.root.presentations.isEmpty)
    }
}
