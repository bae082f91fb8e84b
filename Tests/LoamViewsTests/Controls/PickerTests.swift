import LoamViews
import Testing

private enum Order: String, CaseIterable, Identifiable {
    case name, size

    var id: Self { self }
}

@Observable @MainActor private final class Choice {
    var order = Order.name
    var optional: Int? = 2
}

private struct Pickers: View {
    @Bindable var choice: Choice
    var isDisabled = false

    var body: some View {
        Group {
            Picker(selection: $choice.order, label: Text("Order")) { ForEach(Order.allCases) { Text($0.rawValue) } }
            Picker("Optional", selection: $choice.optional) {
                Text("None").tag(nil as Int?)
                Section("Numbers") { ForEach(1..<4) { Text("\($0)").tag($0) } }
            }
        }
        .disabled(isDisabled)
    }
}

@Suite("Pickers") @MainActor
struct PickerTests {
    private let choice = Choice()

    private func selected(_ picker: ViewNode?) -> [String] {
        picker.map { picker in picker.options.filter(picker.isSelected).flatMap(\.texts) } ?? []
    }

    @Test("choose by tags and by identifiers of rows") func selection() throws {
        let host = ViewHost { Pickers(choice: choice) }
        let picker = try #require(host.node("Picker", "Order"))
        #expect(picker.options.map(\.texts) == [["name"], ["size"]] && selected(picker) == ["name"])
        #expect(picker.perform(.select, .integer(picker.options[1].id)) && choice.order == .size)
        host.settle()
        #expect(selected(picker) == ["size"])
    }

    @Test("choose among optional values, none too") func optional() throws {
        let host = ViewHost { Pickers(choice: choice) }
        let picker = try #require(host.node("Picker", "Optional"))
        #expect(picker.options.map(\.texts) == [["None"], ["1"], ["2"], ["3"]] && selected(picker) == ["2"])
        #expect(picker.perform(.select, .integer(picker.options[0].id)) && choice.optional == nil)
        host.settle()
        #expect(selected(picker) == ["None"])
        #expect(picker.perform(.select, .integer(picker.options[3].id)) && choice.optional == 3)
    }

    @Test("take nothing but the id of an option, and nothing where they are disabled") func misfits() throws {
        let host = ViewHost { Pickers(choice: choice) }
        let picker = try #require(host.node("Picker", "Order"))
        let other = try #require(host.node("Picker", "Optional")?.options.last)
        for value in [nil, .integer(-1), .integer(other.id), .text("size"), .integers([])] as [NodeValue?] {
            #expect(!picker.perform(.select, value))
        }
        #expect(choice.order == .name)
        let disabled = ViewHost { Pickers(choice: choice, isDisabled: true) }
        let option = try #require(disabled.node("Picker", "Order")?.options.last)
        #expect(!disabled.perform(.select, .integer(option.id), on: "Picker") && choice.order == .name)
    }
}
