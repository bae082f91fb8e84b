import WorldFaces

/// Random numbers that follow from a seed (SplitMix64).
struct Seeded: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}

/// Random trees, of whose nodes none has two parents, and random changes of them.
struct RandomTree {
    var random: Seeded
    private var lastID = 0

    init(seed: UInt64) { random = Seeded(state: seed) }

    private mutating func content() -> FaceNode.Content {
        let kinds = ["Text", "HStack", "Toggle"]
        let values: [FaceValue?] = [nil, .text("a\n\u{1B}"), .text("b"), .flag(true), .integer(7), .number(1.5)]
        return FaceNode.Content(
            kind: kinds[Int.random(in: 0..<3, using: &random)],
            value: values[Int.random(in: 0..<values.count, using: &random)],
            actions: Bool.random(using: &random) ? ["press"] : [])
    }

    mutating func node(depth: Int) -> FaceNode {
        lastID += 1
        let id = lastID
        let count = depth == 0 ? 0 : Int.random(in: 0...4, using: &random)
        return FaceNode(id: id, content: content(), children: (0..<count).map { _ in node(depth: depth - 1) })
    }

    /// The node with other content here and there, and with children that came, went and moved.
    mutating func changed(_ node: FaceNode, depth: Int) -> FaceNode {
        if Int.random(in: 0..<4, using: &random) == 0 { return node }
        var children = node.children.map { changed($0, depth: depth - 1) }
        children.removeAll { _ in Int.random(in: 0..<5, using: &random) == 0 }
        if Int.random(in: 0..<3, using: &random) == 0 { children.shuffle(using: &random) }
        if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
            children.insert(self.node(depth: depth - 1), at: Int.random(in: 0...children.count, using: &random))
        }
        let content = Bool.random(using: &random) ? content() : node.content
        return FaceNode(id: node.id, content: content, children: children)
    }
}
