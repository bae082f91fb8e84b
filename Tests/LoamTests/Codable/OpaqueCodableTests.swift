import Foundation
import Loam
import Testing

/// A type that ends the program where it is decoded from empty values.
private struct Board: Codable, Hashable, OpaqueCodable {
    var cells: [Int]
    var width: Int

    init(_ cells: [Int]) { (self.cells, width) = (cells, cells[0]) }

    init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode([Int].self))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(cells)
    }
}

/// A type of plain data that zero bytes would break.
private struct Ratio: Codable, Hashable, OpaqueCodable {
    var over: Int
    var under: Int

    init(_ over: Int, _ under: Int) { (self.over, self.under) = (over, under) }

    init(from decoder: any Decoder) throws {
        let parts = try decoder.singleValueContainer().decode([Int].self)
        precondition(parts[1] != 0)
        self.init(parts[0], parts[1])
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode([over, under])
    }
}

private struct Match: Codable, Hashable {
    var name: String
    var board: Board
}

@Model private final class Game {
    var name: String
    var board: Board
    var last: Board?
    var boards: [Board] = []
    var named: [String: Board] = [:]
    var match: Match?
    var ratio = Ratio(1, 2)

    init(_ name: String, _ board: Board) { (self.name, self.board) = (name, board) }
}

@Suite("A type that declines to be decoded from empty values")
struct OpaqueCodableTests {
    @Test("is stored as one value, wherever it stands, and reads its default where the row is gone")
    func storing() throws {
        let container = try memoryContainer(Game.self)
        let context = ModelContext(container)
        let game = Game("go", Board([3, 1]))
        context.insert(game)
        game.boards = [Board([5])]
        game.named = ["a": Board([6, 7])]
        game.match = Match(name: "final", board: Board([8]))
        game.ratio = Ratio(3, 4)
        context.insert(Game("draughts", Board([9])))
        try context.save()

        let other = ModelContext(container)
        let read = try #require(
            try other.fetch(FetchDescriptor<Game>(predicate: #Predicate { $0.last == nil && $0.match != nil })).first)
        #expect(read.board == Board([3, 1]) && read.last == nil && read.boards == [Board([5])])
        #expect(read.named == ["a": Board([6, 7])] && read.match?.board == Board([8]) && read.ratio == Ratio(3, 4))
        read.last = Board([4, 4])
        try other.save()
        #expect(
            try ModelContext(container).fetchCount(FetchDescriptor<Game>(predicate: #Predicate { $0.last != nil })) == 1
        )

        #expect(throws: SwiftDataError.unsupportedKeyPath) {
            try other.fetch(FetchDescriptor<Game>(predicate: #Predicate { $0.match?.name == "final" }))
        }
        let never = Game("never", Board([1]))
        context.insert(never)
        let gone = try #require(ModelContext(container).model(for: never.persistentModelID) as? Game)
        #expect(gone.ratio == Ratio(1, 2) && gone.match == nil && gone.board.cells.isEmpty)
    }
}
