import CRawStore
import Foundation

/// LMDB by hand, in C: see `CRawStore.h`. Commits are durable as Loam's are.
final class RawSide {
    let path: String
    private var opened: OpaquePointer?

    init(folder: String) {
        path = folder + "/quakes.lmdb"
    }

    deinit { close() }

    var store: OpaquePointer {
        get throws {
            if let opened { return opened }
            var store: OpaquePointer?
            try Self.check(raw_open(path, &store))
            guard let store else { throw BenchmarkError(description: "raw_open gave no store") }
            opened = store
            return store
        }
    }

    func close() {
        raw_close(opened)
        opened = nil
    }

    /// Makes an empty file in the place of the old one.
    func makeEmptyStore() throws {
        close()
        try removeFiles(path, path + "-lock")
        _ = try store
    }

    static func check(_ code: Int32) throws {
        guard code != 0 else { return }
        throw BenchmarkError(description: "raw LMDB: \(raw_error(code).map { String(cString: $0) } ?? "\(code)")")
    }
}

/// Rows as C sees them, in memory of their own.
final class RawRows {
    let rows: UnsafeMutableBufferPointer<raw_row>
    private let text: UnsafeMutableBufferPointer<CChar>

    init(_ quakes: [Quake]) {
        rows = .allocate(capacity: quakes.count)
        text = .allocate(
            capacity: quakes.reduce(0) { $0 + $1.code.utf8.count + $1.day.utf8.count + $1.place.utf8.count })
        var end = 0
        let text = text
        func store(_ string: String) -> UnsafePointer<CChar>? {
            let start = end
            for byte in string.utf8 {
                text.initializeElement(at: end, to: CChar(bitPattern: byte))
                end += 1
            }
            return UnsafePointer(text.baseAddress.map { $0 + start })
        }
        for (position, quake) in quakes.enumerated() {
            rows.initializeElement(
                at: position,
                to: raw_row(
                    id: quake.id, magnitude: quake.magnitude, time: quake.time.timeIntervalSinceReferenceDate,
                    felt: Int64(quake.felt ?? 0), has_felt: quake.felt == nil ? 0 : 1, tsunami: quake.tsunami ? 1 : 0,
                    place_length: UInt32(quake.place.utf8.count), code: store(quake.code), day: store(quake.day),
                    place: store(quake.place)))
        }
    }

    deinit {
        rows.deallocate()
        text.deallocate()
    }
}

/// Objects that C has made.
final class RawObjects {
    typealias Pointer = UnsafeMutablePointer<raw_object>
    let buffer: UnsafeMutableBufferPointer<Pointer?>
    private(set) var count = 0

    /// - Parameter fill: is given room for `capacity` objects and tells how many it made.
    init(capacity: Int, _ fill: (UnsafeMutablePointer<Pointer?>?, inout Int) throws -> Void) throws {
        buffer = .allocate(capacity: max(capacity, 1))
        buffer.initialize(repeating: nil)
        try fill(buffer.baseAddress, &count)
    }

    deinit {
        raw_free_objects(buffer.baseAddress, count)
        buffer.deallocate()
    }

    /// The sum of the objects' digests, as on the other sides.
    var digest: UInt64 { quakes.digest }

    var contentDigest: UInt64 { quakes.contentDigest }

    var quakes: [Quake] { buffer.prefix(count).compactMap { $0.map { Quake($0.pointee) } } }
}

extension Quake {
    convenience init(_ object: raw_object) {
        func text(_ bytes: (some Any)) -> String {
            withUnsafeBytes(of: bytes) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        self.init(
            id: object.id, code: text(object.code), place: String(cString: object.place), magnitude: object.magnitude,
            time: Date(timeIntervalSinceReferenceDate: object.time), day: text(object.day),
            felt: object.has_felt == 0 ? nil : Int(object.felt), tsunami: object.tsunami != 0)
    }
}
