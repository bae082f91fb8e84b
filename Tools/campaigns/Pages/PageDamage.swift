import Foundation
import SeededRandom

/// One way to spoil a file beneath LMDB.
enum PageDamage {
    /// Some bits of one byte are turned.
    case bits(offset: Int, UInt8)
    /// A sector of 512 bytes was never written: it is zero.
    case lostSector(offset: Int)
    /// A sector holds what belongs elsewhere in the file.
    case misplacedSector(offset: Int, from: Int)

    static let page = 4_096
    static let sector = 512

    /// Damage anywhere, or in the first bytes of a page, which LMDB follows.
    static func random(fileBytes: Int, _ random: inout SeededGenerator) -> PageDamage {
        let sectors = fileBytes / sector
        switch Int.random(in: 0..<100, using: &random) {
        case ..<40:
            return .bits(offset: .random(in: 0..<fileBytes, using: &random), .random(in: 1...255, using: &random))
        case ..<50:
            // What kind of page it is: LMDB reads the keys of a page by that.
            let offset = Int.random(in: 0..<fileBytes / page, using: &random) * page
            return .bits(offset: offset + 10, .random(in: 1...127, using: &random))
        case ..<80:
            let offset = Int.random(in: 0..<fileBytes / page, using: &random) * page
            return .bits(
                offset: offset + .random(in: 0..<80, using: &random), .random(in: 1...255, using: &random))
        case ..<90:
            return .lostSector(offset: .random(in: 0..<sectors, using: &random) * sector)
        default:
            return .misplacedSector(
                offset: .random(in: 0..<sectors, using: &random) * sector,
                from: .random(in: 0..<sectors, using: &random) * sector)
        }
    }

    /// Whether the damage hits one of LMDB's two meta pages: without the newer one, a store opens in its state before
    /// the last commit.
    var isInMetaPage: Bool { range.lowerBound < 2 * Self.page }

    var range: Range<Int> {
        switch self {
        case .bits(let offset, _): offset..<offset + 1
        case .lostSector(let offset), .misplacedSector(let offset, _): offset..<offset + Self.sector
        }
    }

    func bytes(in file: [UInt8]) -> [UInt8] {
        switch self {
        case .bits(let offset, let bits): [file[offset] ^ bits]
        case .lostSector: [UInt8](repeating: 0, count: Self.sector)
        case .misplacedSector(_, let from): Array(file[from..<from + Self.sector])
        }
    }
}
