import ArgumentParser
import LoamQuery
import LoamStorage

/// The order of rows that `--sort` and `--section` ask for together.
struct GivenOrder {
    private(set) var keys: [SortKey]
    /// The key path of the sections, or a function of one, without the form that stood around it.
    let section: String?

    /// - Throws: `ValidationError` where the two ask for different orders of one key.
    init(sort: KeyList?, section: String?) throws {
        keys = sort?.keys.map { SortKey($0) } ?? []
        let (path, form) = section.map { StringForm.written($0) } ?? (nil, .exact)
        self.section = path
        guard let path, form != .exact else { return }
        // Sections have the form of the sort key on their path.
        let written = SortKey(path).expression
        guard let number = keys.firstIndex(where: { $0.expression == written }) else {
            keys.insert(SortKey(path, form: form), at: 0)
            return
        }
        guard keys[number].form == .exact || keys[number].form == form else {
            throw ValidationError("--section and --sort ask for two different orders of \(path).")
        }
        keys[number].form = form
    }
}
