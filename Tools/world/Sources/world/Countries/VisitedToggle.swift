import LoamViews

/// The mark of a country. It is saved at once, so that other pages and processes have it.
struct VisitedToggle: View {
    @Bindable var country: Country
    @Environment(\.modelContext) private var context
    @State private var failure: String?

    init(country: Country) { self.country = country }

    var body: some View {
        Toggle("Visited", isOn: $country.visited)
            .onChange(of: country.visited) { save() }
            .alert("The mark is not saved", isPresented: isFailed) {
                Button("OK", role: .cancel) {}
            } message: {
                Text(verbatim: failure ?? "")
            }
    }

    private var isFailed: Binding<Bool> {
        Binding(get: { failure != nil }, set: { if !$0 { failure = nil } })
    }

    private func save() {
        // Marks that another process has changed are no changes here.
        guard context.hasChanges else { return }
        do { try context.save() } catch { failure = "\(error)" }
    }
}
