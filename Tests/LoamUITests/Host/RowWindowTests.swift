import Observation
import Testing

@testable import LoamUI

private struct TownLine: View {
    let town: Town

    var body: some View { Label("\(town.people) \(town.name)") }
}

private struct TownLines: View {
    let request: QueryRequest<FetchResultsCollection<Town>>

    var body: some View { Scroller { ForEach(request.result) { TownLine(town: $0) } } }
}

@Suite("Rows of a result that a container shows") @MainActor
struct ResultRowTests {
    let container: ModelContainer
    let request = QueryRequest<FetchResultsCollection<Town>>(FetchDescriptor(sortBy: [SortDescriptor(\.people)]))

    init() throws { container = try makeTowns(100_000) }

    private var reads: Int { request.readCount }

    /// A context whose models nobody else has.
    private func town(_ people: Int, in context: ModelContext) throws -> Town {
        try #require(
            try context.fetch(FetchDescriptor(predicate: #Predicate<Town> { $0.people == people })).first)
    }

    @Test("Of 100,000 rows those shown are mounted; a change renders its row", .timeLimit(.minutes(30)))
    func oneOfMany() async throws {
        request.update(in: ModelContext(container))
        var changed: [[NodeKind]] = []
        let host = ViewHost {
            TownLines(request: request)
        } onRender: {
            changed.append($0.changed.map(\.kind))
        }
        let list = try #require(host.root.children.first)
        #expect(list.rowCount == 100_000 && list.shownRows == 0..<50 && list.children.count == 50)
        #expect(host.evaluations(of: TownLine.self) == 50 && reads == 1)
        #expect(list.children.map(\.rowPosition) == Array(0..<50))
        let writer = ModelContext(container)
        changed = []
        // One that is not shown, and one that is: 64 records are read together.
        try town(60_000, in: writer).name = "far"
        try writer.save()
        try town(7, in: writer).name = "near"
        try writer.save()
        while host.texts[7] != "7 near" { await Task.yield() }
        #expect(host.evaluations(of: TownLine.self) == 51 && reads <= 2 && changed == [["Label"]])
        list.show(rows: 60_000..<60_020)
        #expect(host.isRenderPending)
        host.render()
        #expect(host.texts.count == 20 && host.texts[0] == "60000 far" && host.evaluations(of: TownLine.self) == 71)
        #expect(list.shownRows == 60_000..<60_020 && reads <= 3)
        host.unmount()
        #expect(list.children.isEmpty && list.rowCount == nil)
        list.show(rows: 0..<10)
    }

    @Test("Rows that are shown stay where others come and go above them", .timeLimit(.minutes(30)))
    func above() async throws {
        request.update(in: ModelContext(container))
        let host = ViewHost { TownLines(request: request) }
        let list = try #require(host.root.children.first)
        let writer = ModelContext(container)
        // At the top the first row is shown, whichever it is.
        writer.insert(Town("first", people: -1))
        try writer.save()
        while list.rowCount != 100_001 { await Task.yield() }
        #expect(host.texts[0] == "-1 first" && list.shownRows == 0..<50 && host.texts.count == 50)
        list.show(rows: 70_001..<70_051)
        host.render()
        let nodes = list.children.map(\.id)
        let (evaluations, before) = (host.evaluations(of: TownLine.self), reads)
        #expect(host.texts[0] == "70000 70000")
        writer.insert(Town("second", people: 0))
        try writer.save()
        while list.rowCount != 100_002 { await Task.yield() }
        #expect(list.shownRows == 70_002..<70_052 && list.children.map(\.id) == nodes)
        #expect(host.evaluations(of: TownLine.self) == evaluations && reads - before <= 1)
        // Scrolling by ten rows makes ten.
        list.show(rows: 70_012..<70_062)
        host.render()
        #expect(list.children.map(\.id).prefix(40) == nodes.suffix(40))
        #expect(host.evaluations(of: TownLine.self) == evaluations + 10)
        // The first row goes: the next stands in its place, at its own.
        writer.delete(try town(70_010, in: writer))
        try writer.save()
        while list.rowCount != 100_001 { await Task.yield() }
        #expect(host.texts[0] == "70011 70011" && list.children.map(\.id).first == nodes[11])
        #expect(list.shownRows == 70_012..<70_062 && host.texts.count == 50)
        #expect(host.evaluations(of: TownLine.self) == evaluations + 11)
        #expect(list.children.map(\.rowPosition) == Array(70_012..<70_062))
    }

    @Test("Another order, and a result that is shorter, show as many rows as there are", .timeLimit(.minutes(30)))
    func shorter() async throws {
        request.update(in: ModelContext(container))
        let host = ViewHost { TownLines(request: request) }
        let list = try #require(host.root.children.first)
        list.show(rows: 99_990..<100_040)
        host.render()
        #expect(list.shownRows == 99_950..<100_000 && host.texts.last == "99999 99999")
        request.descriptor.predicate = #Predicate { $0.people >= 99_960 && $0.people < 99_990 }
        host.render()
        #expect(list.shownRows == 0..<30 && list.rowCount == 30 && host.texts.count == 30)
        request.descriptor.sortBy = [SortDescriptor(\.people, order: .reverse)]
        host.render()
        #expect(host.texts.first == "99989 99989" && host.texts.count == 30)
    }
}

@Observable @MainActor private final class Numbers {
    var first = Array(0..<100)
    var second = Array(1_000..<1_100)
    var isSecondShown = true
}

private struct NumberLine: View {
    let number: Int
    let log: (String) -> Void
    @State private var clicks = 0

    var body: some View {
        Label("\(number)+\(clicks)").onDisappear { log("\(number) gone") }
        Press(name: "\(number)") { clicks += 1 }
    }
}

private struct NumberLines: View {
    let numbers: Numbers
    let log: (String) -> Void

    var body: some View {
        Scroller {
            Label("head")
            ForEach(numbers.first, id: \.self) { NumberLine(number: $0, log: log) }
            if numbers.isSecondShown {
                Part("second") {
                    Label("title")
                    ForEach(numbers.second, id: \.self) { NumberLine(number: $0, log: log) }
                }
            }
        }
    }
}

@Suite("Rows that a container shows") @MainActor
struct RowWindowTests {
    private let numbers = Numbers()

    @Test("of any collection are counted one after the other, also in sections; what stands beside is always there")
    func several() throws {
        var log: [String] = []
        let host = ViewHost { NumberLines(numbers: numbers, log: { log.append($0) }) }
        let list = try #require(host.root.children.first)
        #expect(list.rowCount == 200 && list.shownRows == 0..<50)
        #expect(host.texts == ["head"] + (0..<50).map { "\($0)+0" } + ["title"])
        host.press("49")
        list.show(rows: 49..<102)
        host.render()
        #expect(host.texts.prefix(3) == ["head", "49+1", "50+0"] && host.texts.suffix(2) == ["1000+0", "1001+0"])
        #expect(log == (0..<49).map { "\($0) gone" })
        // Rows above go and come: 49 stays the first.
        numbers.first.removeFirst(10)
        host.render()
        #expect(list.shownRows == 39..<92 && host.texts[1] == "49+1" && host.texts.last == "1001+0")
        numbers.first.insert(-1, at: 0)
        host.render()
        #expect(list.shownRows == 40..<93 && host.texts[1] == "49+1")
        // Those that are shown go with their section; rows before take their place.
        numbers.first.removeAll { $0 >= 49 }
        numbers.isSecondShown = false
        host.render()
        #expect(list.rowCount == 40 && list.shownRows == 0..<40 && host.texts.last == "48+0")
        // State went with the row.
        numbers.first.append(49)
        host.render()
        #expect(host.texts.last == "49+0")
    }

    @Test("are those asked for, whatever is asked for")
    func asking() throws {
        let host = ViewHost { NumberLines(numbers: numbers, log: { _ in }) }
        let list = try #require(host.root.children.first)
        for (asked, shown) in [
            (-10..<10, 0..<10), (190..<1_000_000, 0..<200), (500..<510, 190..<200), (20..<20, 20..<20),
            (Int.max - 1..<Int.max, 199..<200), (Int.min..<Int.max, 0..<200),
        ] {
            list.show(rows: asked)
            host.render()
            #expect(list.shownRows == shown)
        }
        #expect(host.root.children.first?.children.first?.rowPosition == nil)
        #expect(list.children[1].rowPosition == 0)
        #expect(list.children.last?.children.last?.rowPosition == 199 && host.warnings.isEmpty)
    }

    private struct Grid: View {
        var body: some View {
            Scroller {
                ForEach(0..<100) { row in
                    Stack { ForEach(0..<60) { Label("\(row) \($0)") } }
                    ForEach(0..<2) { Label("\(row) \($0)") }
                }
            }
            Stack { ForEach(0..<100) { Label("\($0)") } }
        }
    }

    @Test("have all of their own rows, and containers of other kinds have all of theirs")
    func rowsInRows() throws {
        let host = ViewHost { Grid() }
        let list = try #require(host.root.children.first)
        #expect(list.rowCount == 100 && list.children.count == 50 * 3 && host.texts.count == 50 * 62 + 100)
        #expect(host.root.children.last?.rowCount == nil && host.root.children.last?.shownRows.isEmpty == true)
    }
}
