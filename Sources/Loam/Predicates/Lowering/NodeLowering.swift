import Foundation
import Synchronization

/// How nodes of one type are lowered: found once for each type. To ask the runtime whether a type conforms, and to copy
/// the node into another box, would take time for each node of every fetch.
class NodeLowering: @unchecked Sendable {
    fileprivate let type: ObjectIdentifier

    fileprivate init(_ type: ObjectIdentifier) { self.type = type }

    /// - Parameter node: of the type.
    fileprivate func lower(_ node: UnsafeRawPointer, _ lowering: inout PredicateLowering) throws -> Lowered {
        preconditionFailure("Only nodes of a known type are lowered.")
    }

    /// Lowers a node; nil where fetches cannot run it.
    static func lower(
        _ node: some PredicateExpression, _ lowering: inout PredicateLowering
    ) throws -> Lowered? {
        guard let known = NodeLowerings.shared.of(node) else {
            return try (node as? any LoweredNode)?.lower(&lowering)
        }
        return try withUnsafePointer(to: node) { try known.lower($0, &lowering) }
    }
}

private final class TypedNodeLowering<Node: LoweredNode>: NodeLowering, @unchecked Sendable {
    override func lower(_ node: UnsafeRawPointer, _ lowering: inout PredicateLowering) throws -> Lowered {
        try node.assumingMemoryBound(to: Node.self).pointee.lower(&lowering)
    }
}

/// What is known of the types that were met first, each in the place that its address gives. Another type that has the
/// same place is asked for every time.
///
/// | state | guarded by | written by | until |
/// |---|---|---|---|
/// | `places` | themselves | whoever meets a type first | the process ends |
private final class NodeLowerings: Sendable {
    static let shared = NodeLowerings()

    /// The addresses of objects that are retained here, or 0.
    private let places: InlineArray<1024, Atomic<UInt>>

    private init() { places = InlineArray { _ in Atomic(0) } }

    /// Nil where fetches cannot run the node, and where another type has its place. O(1).
    func of<Node: PredicateExpression>(_ node: Node) -> NodeLowering? {
        let type = ObjectIdentifier(Node.self)
        // Types lie side by side, some words each.
        let place = Int((UInt(bitPattern: type) >> 3 &* 0x9E37_79B9_7F4A_7C15) >> 54)
        if let known = known(at: place) { return known.type == type ? known : nil }
        guard let node = node as? any LoweredNode else { return nil }
        let made = Unmanaged.passRetained(Self.make(node, type))
        let (isFirst, _) = places[place].compareExchange(
            expected: 0, desired: UInt(bitPattern: made.toOpaque()), ordering: .acquiringAndReleasing)
        if !isFirst { made.release() }
        return known(at: place).flatMap { $0.type == type ? $0 : nil }
    }

    private func known(at place: Int) -> NodeLowering? {
        UnsafeRawPointer(bitPattern: places[place].load(ordering: .acquiring)).map {
            Unmanaged<NodeLowering>.fromOpaque($0).takeUnretainedValue()
        }
    }

    private static func make<Node: LoweredNode>(_ node: Node, _ type: ObjectIdentifier) -> NodeLowering {
        TypedNodeLowering<Node>(type)
    }
}
