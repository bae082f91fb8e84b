public import Foundation
import LoamStorage
import Synchronization

extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a string as people read it: "file 9" comes before "file 10", and "Äpfel" beside "Apfel".
    ///
    /// ```swift
    /// SortDescriptor(\City.name, comparator: .localizedStandard)
    /// ```
    ///
    /// Models have no index in this order: those that match are sorted by a key that is made for each. The sections of a
    /// result by the same property come in this order, too, and strings that are equal in it are one section.
    public init(
        _ keyPath: any KeyPath<Compared, String> & Sendable, comparator: LocalizedComparator,
        order: SortOrder = .forward
    ) {
        self.init(_ComparedKey(keyPath, comparator), order: order)
    }

    /// Sorts by a string that may be nil as people read it; nil comes first.
    public init(
        _ keyPath: any KeyPath<Compared, String?> & Sendable, comparator: LocalizedComparator,
        order: SortOrder = .forward
    ) {
        self.init(_ComparedKey(keyPath, comparator), order: order)
    }

    private init(_ key: _ComparedKey<Compared>, order: SortOrder) {
        let keyPath = \Compared[_compared: key]
        ComparedPaths.note(keyPath, of: key.keyPath, comparator: key.comparator)
        self.init(keyPath, order: order)
    }
}

/// A string of a model, and how a sort descriptor compares it.
public struct _ComparedKey<Model: PersistentModel>: Hashable, @unchecked Sendable {
    /// It was given as one that can be sent.
    let keyPath: PartialKeyPath<Model>
    let comparator: LocalizedComparator

    init(_ keyPath: PartialKeyPath<Model>, _ comparator: LocalizedComparator) {
        (self.keyPath, self.comparator) = (keyPath, comparator)
    }
}

extension PersistentModel {
    /// A string of the model as sort descriptors compare it.
    public subscript(_compared key: _ComparedKey<Self>) -> _ComparedText {
        _ComparedText(text: self[keyPath: key.keyPath] as? String, comparator: key.comparator)
    }
}

/// A string as a sort descriptor's comparator compares it.
public struct _ComparedText: Comparable, Sendable {
    let text: String?
    let comparator: LocalizedComparator

    /// Whether one stands before the other.
    public static func < (left: _ComparedText, right: _ComparedText) -> Bool {
        left.comparator.compare(left.text, with: right.text) < 0
    }

    /// Whether neither stands before the other.
    public static func == (left: _ComparedText, right: _ComparedText) -> Bool {
        left.comparator.compare(left.text, with: right.text) == 0
    }
}

/// The key paths of the sort descriptors with a comparator that the process has made: a key path does not tell its
/// parts. As many as a program writes down, times its comparators.
enum ComparedPaths {
    /// Key paths are immutable.
    private struct Parts: @unchecked Sendable {
        var known: [AnyKeyPath: (keyPath: AnyKeyPath, comparator: LocalizedComparator)] = [:]
    }

    private static let parts = Mutex(Parts())

    /// Remembers what a key path is made of.
    static func note(_ compared: AnyKeyPath, of keyPath: AnyKeyPath, comparator: LocalizedComparator) {
        nonisolated(unsafe) let (compared, keyPath) = (compared, keyPath)
        parts.withLock { parts in
            if parts.known[compared] == nil { parts.known[compared] = (keyPath, comparator) }
        }
    }

    /// The parts of a key path that was noted.
    static func parts(of compared: AnyKeyPath) -> (keyPath: AnyKeyPath, comparator: LocalizedComparator)? {
        nonisolated(unsafe) let compared = compared
        nonisolated(unsafe) let found = parts.withLock { parts in
            nonisolated(unsafe) let found = parts.known[compared]
            return found
        }
        return found
    }
}

extension ModelType {
    /// The names along the key path of a sort descriptor with a comparator, and that; nil for any other.
    func comparedPath(of keyPath: AnyKeyPath) -> (path: String, comparator: LocalizedComparator)? {
        guard Swift.type(of: keyPath).valueType == _ComparedText.self, let parts = ComparedPaths.parts(of: keyPath),
            let path = sortPath(of: parts.keyPath)
        else { return nil }
        return (path, parts.comparator)
    }
}
