import Foundation
import Testing

/// A result as somebody keeps it who knows the lines of `loam watch` alone, and does one after the other.
struct WatchedRows {
    struct Row: Hashable {
        var id: UInt64
        var city: WatchedCity?
    }

    struct Section: Hashable {
        var value: String?
        var rows: [Row] = []
    }

    private(set) var sections: [Section] = []
    /// The rows that are to be put in again.
    private var taken: [UInt64: WatchLine.Place] = [:]
    private var announced: [WatchLine.Section]?
    /// How many lines of each kind there were.
    private(set) var kinds: [String: Int] = [:]

    var cities: [WatchedCity?] { sections.flatMap(\.rows).map(\.city) }

    mutating func apply(_ line: WatchLine) throws {
        kinds[line.kind, default: 0] += 1
        switch line.kind {
        case "state", "reset":
            announced = line.sections
            sections = line.sections?.map { Section(value: $0.value) } ?? [Section()]
        case "insertSection":
            let number = try #require(line.section)
            try #require(0...sections.count ~= number)
            sections.insert(Section(value: line.value), at: number)
        case "deleteSection":
            let number = try #require(line.section)
            try #require(sections.indices.contains(number))
            let section = sections.remove(at: number)
            #expect(section.rows.isEmpty && section.value == line.value)
        case "row", "insert", "moveTo": try insert(line)
        case "delete", "moveFrom":
            let place = try place(of: line)
            #expect(sections[place.section].rows.remove(at: place.item).id == line.row)
            if line.kind == "moveFrom" { taken[try #require(line.row)] = place }
        case "update":
            let place = try place(of: line)
            #expect(sections[place.section].rows[place.item].id == line.row)
            sections[place.section].rows[place.item].city = line.values
        case "end": try end(line)
        default: Issue.record("a line of an unknown kind: \(line)")
        }
    }

    private mutating func insert(_ line: WatchLine) throws {
        let (section, item) = (try #require(line.section), try #require(line.item))
        try #require(sections.indices.contains(section) && 0...sections[section].rows.count ~= item)
        let id = try #require(line.row)
        if line.kind == "moveTo" { #expect(taken.removeValue(forKey: id) == line.from) }
        sections[section].rows.insert(Row(id: id, city: line.values), at: item)
    }

    /// The place that a line names, where there must be a row.
    private func place(of line: WatchLine) throws -> WatchLine.Place {
        let (section, item) = (try #require(line.section), try #require(line.item))
        try #require(sections.indices.contains(section) && sections[section].rows.indices.contains(item), "\(line)")
        return WatchLine.Place(section: section, item: item)
    }

    private mutating func end(_ line: WatchLine) throws {
        #expect(taken.isEmpty && line.count == cities.count)
        #expect(Set(sections.flatMap(\.rows).map(\.id)).count == cities.count)
        if let announced { #expect(announced.map(\.count) == sections.map(\.rows.count)) }
        announced = nil
    }

    /// Expects what `loam query` gives with the same arguments.
    func expectAnswer(to arguments: [String], from tool: Tool) throws {
        let columns = ["--columns", "number,name,country,size", "--output", "ndjson"]
        let queried = try tool.run(["query", "s.loam", "City"] + arguments + columns)
        let queriedCities = try queried.output.split(separator: "\n").map {
            try JSONDecoder().decode(WatchedCity.self, from: Data($0.utf8))
        }
        try #require(queried.status == 0 && self.cities == queriedCities, "\(arguments)")
        if arguments.contains("--section") {
            for section in sections {
                #expect(!section.rows.isEmpty && section.rows.allSatisfy { $0.city?.country == section.value })
            }
            #expect(Set(sections.map(\.value)).count == sections.count)
        } else {
            #expect(sections.count == 1)
        }
    }
}
