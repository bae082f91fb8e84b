import Loam

/// Prints a line of words before a step.
func say(_ words: String) {
    print("# \(words)")
}

extension String {
    func padded(to width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }
}

extension City {
    var line: String { name.padded(to: 14) + String(String(String(population).reversed()).padded(to: 9).reversed()) }
}

extension ResultsObserver where Element == City, SectionTitle == String {
    /// Prints the first sections with their cities.
    func printSections(_ count: Int) {
        guard let sections else { return }
        for section in sections.prefix(count) {
            print(section.title, section.first?.country?.name ?? "")
            for city in section { print("  ", city.line) }
        }
        if sections.count > count { print("… and \(sections.count - count) more sections") }
    }
}

extension ResultsDifference where SectionTitle == String {
    /// Prints one line for each part of the difference.
    ///
    /// - Parameter city: gives the city at a section and item of the result after the difference.
    func printLines(_ city: (Int, Int) -> City?) {
        if isReset { print("everything may be different") }
        for position in deletions { print("deleted ", position) }
        for section in deletedSections { print("deleted  section \(section)") }
        for section in insertedSections { print("inserted section \(section.section) \(section.title)") }
        for row in insertions { print("inserted", row.position, city(row.position[0], row.position[1])?.line ?? "") }
        for row in moves { print("moved   ", row.from, "to", row.to, city(row.to[0], row.to[1])?.line ?? "") }
        for row in updates {
            let names = row.changedProperties?.sorted().joined(separator: ", ") ?? "anything"
            print("updated ", row.position, city(row.position[0], row.position[1])?.line ?? "", "(\(names))")
        }
    }
}
