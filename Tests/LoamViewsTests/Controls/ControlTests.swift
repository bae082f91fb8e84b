import LoamViews
import Testing

@Observable @MainActor private final class Settings {
    var name = "Laos"
    var secret = "geheim"
    var isOn = false
    var date = Date(timeIntervalSince1970: 0)
    var number = 5
    var amount: Double? = 1.5
    var small: UInt8 = 254
    var log: [String] = []

    func press() { log.append("method") }
}

private struct Buttons: View {
    let settings: Settings
    let stored: () -> Void

    var body: some View {
        Button("Delete", role: .destructive) { settings.log.append("delete") }
        Button(action: stored) { Label("Stored", systemImage: "tray") }
        Button("Method", action: settings.press)
        Button("Off") { settings.log.append("off") }.disabled(true)
        // swift-format-ignore: NeverForceUnwrap
        Link("Swift", destination: URL(string: "https://swift.org")!)
    }
}

private struct Fields: View {
    @Bindable var settings: Settings

    var body: some View {
        Form {
            TextField("Name", text: $settings.name, prompt: Text("Which?"))
                .onSubmit { settings.log.append("inner") }
            SecureField("Secret", text: $settings.secret)
            TextEditor(text: $settings.name)
            TextField("Number", value: $settings.number, format: .number)
            TextField("Amount", value: $settings.amount, format: .number)
            Toggle("On", isOn: $settings.isOn)
        }
        .onSubmit { settings.log.append("outer") }
    }
}

/// As people write it: submitting a field goes on to the next.
private struct SignIn: View {
    enum Field: Hashable {
        case name, password
    }

    @Bindable var settings: Settings
    @FocusState private var focus: Field?
    @FocusState private var isNoteFocused: Bool

    var body: some View {
        Form {
            TextField("Name", text: $settings.name)
                .focused($focus, equals: .name)
                .onSubmit { focus = .password }
            SecureField("Password", text: $settings.secret)
                .focused($focus, equals: .password)
                .onSubmit { focus = nil }
            TextEditor(text: $settings.name).focused($isNoteFocused)
            Button("Sign in") { isNoteFocused = true }.disabled(focus != nil)
        }
        .onAppear { focus = .name }
    }
}

private struct Steps: View {
    @Bindable var settings: Settings

    var body: some View {
        DatePicker(
            "Day", selection: $settings.date,
            in: Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 1_000), displayedComponents: .date)
        Stepper("Number", value: $settings.number, in: 0...6)
        Stepper("Small", value: $settings.small) { settings.log.append("small \($0) \(settings.small)") }
        Stepper("Own") {
            settings.log.append("up")
        } onDecrement: {
            settings.log.append("down")
        }
        Menu("More", systemImage: "ellipsis") { Button("One") { settings.log.append("one") } }
        ProgressView("Loading", value: 0.25)
        ProgressView()
    }
}

@Suite("Controls") @MainActor
struct ControlTests {
    private let settings = Settings()

    @Test("are buttons, pressed by their node") func buttons() {
        let settings = settings
        let host = ViewHost { Buttons(settings: settings, stored: { settings.log.append("stored") }) }
        #expect(
            host.outline == """
                Button role="destructive" [press]
                  Text "Delete"
                Button [press]
                  Label
                    Image "tray" isSystemImage=true
                    Text "Stored"
                Button [press]
                  Text "Method"
                Button isEnabled=false
                  Text "Off"
                Link "https://swift.org"
                  Text "Swift"
                """)
        for title in ["Delete", "Stored", "Method"] { #expect(host.press(title)) }
        #expect(!host.press("Off") && host.node("Button", "Off")?.perform(.press) == false)
        #expect(settings.log == ["delete", "stored", "method"])
    }

    @Test("are fields, set through their bindings") func fields() {
        let host = ViewHost { Fields(settings: settings) }
        #expect(
            host.outline == """
                Form
                  TextField "Laos" prompt="Which?" [set submit]
                    Text "Name"
                  SecureField 6 [set submit]
                    Text "Secret"
                  TextEditor "Laos" [set]
                  TextField "5" [set submit]
                    Text "Number"
                  TextField "1.5" [set submit]
                    Text "Amount"
                  Toggle false [set toggle]
                    Text "On"
                """)
        #expect(host.perform(.set, .text("Peru"), on: "TextEditor") && settings.name == "Peru")
        #expect(host.node("TextField")?.nodeValue == .text("Peru"))
        #expect(host.perform(.submit, on: "TextField") && settings.log == ["inner", "outer"])
        #expect(host.perform(.set, .text("x"), on: "SecureField") && settings.secret == "x")
        #expect(host.perform(.toggle, on: "Toggle") && settings.isOn)
        #expect(host.perform(.set, .flag(false), on: "Toggle") && !settings.isOn)
        #expect(host.perform(.set, .text("1,234"), on: "TextField", "Number") && settings.number == 1_234)
        #expect(host.perform(.set, .text(""), on: "TextField", "Amount") && settings.amount == nil)
    }

    @Test("leave all as it is where a value does not fit") func misfits() {
        let host = ViewHost { Fields(settings: settings) }
        let before = host.outline
        for value in [nil, .flag(true), .integer(1), .number(.nan), .integers([]), .date(.now)] as [NodeValue?] {
            #expect(!host.perform(.set, value, on: "TextField") && !host.perform(.set, value, on: "SecureField"))
        }
        #expect(!host.perform(.set, .text("many"), on: "TextField", "Number"))
        #expect(!host.perform(.set, .text("true"), on: "Toggle") && !host.perform("explode", on: "Toggle"))
        #expect(host.outline == before)
    }

    @Test("have the focus one after the other, as code and who draws them say") func focus() {
        let host = ViewHost { SignIn(settings: settings) }
        host.settle()
        func isFocused(_ kind: NodeKind) -> NodeValue? { host.node(kind)?.attribute(.isFocused) }
        #expect(isFocused("TextField") == .flag(true) && isFocused("SecureField") == .flag(false))
        #expect(host.perform(.submit, on: "TextField"))
        #expect(isFocused("TextField") == .flag(false) && isFocused("SecureField") == .flag(true))
        #expect(!host.press("Sign in"))
        // What is typed takes the focus from nobody.
        #expect(host.perform(.set, .text("Peru"), on: "TextField") && settings.name == "Peru")
        #expect(isFocused("SecureField") == .flag(true))
        #expect(host.perform(.submit, on: "SecureField") && isFocused("SecureField") == .flag(false))
        #expect(host.press("Sign in") && isFocused("TextEditor") == .flag(true))
        #expect(host.perform(.focus, on: "TextField") && isFocused("TextField") == .flag(true))
        #expect(host.perform(.focus, .flag(false), on: "TextField") && isFocused("TextField") == .flag(false))
    }

    @Test("are steps within bounds, and the whole range of a type at most") func steps() {
        let host = ViewHost { Steps(settings: settings) }
        #expect(host.perform(.increment, on: "Stepper") && settings.number == 6)
        #expect(!host.perform(.increment, on: "Stepper") && host.node("Stepper")?.actionNames == [.decrement])
        #expect(host.perform(.increment, on: "Stepper", "Small") && settings.small == 255)
        #expect(!host.perform(.increment, on: "Stepper", "Small") && settings.small == 255)
        #expect(settings.log == ["small true 254", "small false 255"])
        settings.log = []
        #expect(host.perform(.decrement, on: "Stepper", "Own") && settings.log == ["down"])
        #expect(host.perform(.set, .number(500), on: "DatePicker"))
        #expect(settings.date == Date(timeIntervalSince1970: 500))
        #expect(
            !host.perform(.set, .integer(1_001), on: "DatePicker") && !host.perform(.set, .text("x"), on: "DatePicker"))
        #expect(host.press("One") && settings.log == ["down", "one"])
        #expect(
            host.node("Menu")?.outline == """
                Menu
                  Title
                    Label
                      Image "ellipsis" isSystemImage=true
                      Text "More"
                  Button [press]
                    Text "One"
                """)
        #expect(host.node("ProgressView")?.nodeValue == .number(0.25))
    }
}
