/// The identities of the computed properties that a key path leads through: what Swift compares where it compares key
/// paths.
///
/// Swift prints the addresses of getters, which do not identify a property: an optimized module has a getter of its own
/// for a property in each object file that has a key path to it. The identity stands before the getter in the memory of
/// the key path, as the page "Key Path Memory Layout" of the Swift repository (docs/ABI/KeyPaths.md) draws it. That
/// layout is the runtime's own affair, so it is looked at before it is relied on (``isLayoutKnown``); where it is
/// another one, there are no identities, and a path through a relationship is refused with an error.
struct ComputedComponents {
    /// Two components of one type are the same property if these are equal.
    struct Identity: Hashable {
        fileprivate var value: UInt
        /// What the value is: the address of a function, an offset in a table of methods, or one in an object.
        fileprivate var kind: UInt
    }

    /// The words of the key path's components that are not passed yet.
    private var words: ArraySlice<UInt>

    /// Nil where the memory of key paths has an unknown layout.
    init?(of keyPath: AnyKeyPath) {
        guard Self.isLayoutKnown else { return nil }
        words = Self.words(of: keyPath)[...]
    }

    /// Passes the next component with a getter at this address, and gives its identity; nil where there is none.
    mutating func identity(ofGetter getter: UInt) -> Identity? {
        let place = words.indices.dropFirst(2).first {
            words[$0] == getter && words[$0 - 2] >> 24 & 0x7F == Self.computedKind
        }
        guard let place else { return nil }
        defer { words = words[(place + 1)...] }
        return Identity(value: words[place - 1], kind: words[place - 2] & Self.identifierKinds)
    }

    private static let computedKind: UInt = 2
    private static let identifierKinds: UInt = 0x0030_0000
    /// Behind the two words of every object and the name for Key-Value Coding.
    private static let headerOffset = 3 * MemoryLayout<UInt>.size
    private static let sizeMask: UInt32 = 0x00FF_FFFF

    /// The components, word by word, without half a word at the end, which unwraps or wraps something.
    private static func words(of keyPath: AnyKeyPath) -> [UInt] {
        withMemory(of: keyPath) { memory in
            let first = headerOffset + MemoryLayout<UInt>.size
            return (0..<size(in: memory) / MemoryLayout<UInt>.size).map {
                memory.load(fromByteOffset: first + $0 * MemoryLayout<UInt>.size, as: UInt.self)
            }
        }
    }

    /// The bytes of the components.
    private static func size(in memory: UnsafeRawPointer) -> Int {
        Int(memory.load(fromByteOffset: headerOffset, as: UInt32.self) & sizeMask)
    }

    private static func withMemory<Result>(of keyPath: AnyKeyPath, _ body: (UnsafeRawPointer) -> Result) -> Result {
        withExtendedLifetime(keyPath) { body(UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque())) }
    }

    /// Whether key paths that are known lie in memory as expected. Of the first one, no more than its header is read
    /// before its size is found to be right: each word of it is part of every layout that there was since Swift 5.
    private static let isLayoutKnown: Bool = {
        guard MemoryLayout<UInt>.size == 8 else { return false }
        let (number, next) = (\Sample.number as AnyKeyPath, \Sample.next as AnyKeyPath)
        let long = \Sample.next?.number as AnyKeyPath
        // A component with a getter has three words, with a setter four; `?` has one, and half of one at the end;
        // between two stands a type.
        let halves = [(next, 2 * 3), (number, 2 * 4), (long, 2 * (3 + 1 + 1 + 1 + 4 + 1) + 1)]
        guard halves.allSatisfy({ withMemory(of: $0, size) == $1 * MemoryLayout<UInt32>.size }) else { return false }
        let (ofNumber, ofNext, ofLong) = (words(of: number), words(of: next), words(of: long))
        let headers = [ofNumber[0], ofNext[0], ofLong[0], ofLong[6]]
        return headers.allSatisfy { $0 >> 24 & 0x7F == computedKind }
            && ofLong[1] == ofNext[1] && ofLong[7] == ofNumber[1] && ofNext[1] != ofNumber[1]
    }()

    /// Something to have key paths of.
    private final class Sample {
        private var numbers: [Int] = []
        private var others: [Sample] = []
        var number: Int {
            get { numbers.count }
            set { numbers = Array(repeating: 0, count: newValue) }
        }
        var next: Sample? { others.first }
    }
}
