import Foundation

/// A message to a page.
public enum PageMessage: Sendable, Equatable {
    /// Everything that is shown, with the page's name for its requests.
    case tree(page: String, FaceNode)
    /// What has changed since the message before.
    case patch(TreePatch)
}

/// A message as an event of a stream: one line of JSON, whatever is in the texts.
public struct ServerSentEvent: Sendable, Equatable {
    /// Its number in the stream; the page sends it back.
    public let number: Int
    /// The message.
    public let message: PageMessage

    /// A numbered message.
    public init(number: Int, message: PageMessage) { (self.number, self.message) = (number, message) }

    private struct Tree: Codable {
        let page: String
        let tree: FaceNode
    }

    /// The event as a stream has it. Throws where a number is not finite.
    public func encoded() throws -> String {
        // JSONEncoder writes control characters as escapes, so no text ends the line.
        let encoder = JSONEncoder()
        let (name, data) =
            switch message {
            case .tree(let page, let tree): ("tree", try encoder.encode(Tree(page: page, tree: tree)))
            case .patch(let patch): ("patch", try encoder.encode(patch))
            }
        return "id: \(number)\nevent: \(name)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
    }

    /// An event out of its lines; nil for comments and what is none of these events. For clients.
    public init?(lines: [String]) {
        var fields: [Substring: Substring] = [:]
        for line in lines {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { fields[parts[0]] = parts[1].drop { $0 == " " } }
        }
        guard let number = fields["id"].flatMap({ Int($0) }), let text = fields["data"] else { return nil }
        let data = Data(text.utf8)
        if fields["event"] == "tree", let tree = try? JSONDecoder().decode(Tree.self, from: data) {
            self.init(number: number, message: .tree(page: tree.page, tree.tree))
        } else if fields["event"] == "patch", let patch = try? JSONDecoder().decode(TreePatch.self, from: data) {
            self.init(number: number, message: .patch(patch))
        } else {
            return nil
        }
    }
}
