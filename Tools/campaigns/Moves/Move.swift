import Foundation
import SeededRandom

/// A change of the files of a store while the store is open.
enum Move: String, CaseIterable {
    case moveStore, moveBoth, deleteStore, replaceStore, moveStoreBack
    case moveLock, deleteLock, replaceLock, moveLockBack
    /// Both files are removed, and a store that was closed cleanly takes their path.
    case replaceBoth

    static func random(_ random: inout SeededGenerator) -> Move {
        allCases[Int.random(in: 0..<allCases.count, using: &random)]
    }
}

/// The files of one round, and the second names that keep each data file reachable whatever happens to the first.
struct MovedFiles {
    let store: String
    private let kept: String
    private let spares: String
    private var count = 0
    private var moved: [String] = []
    private var movedLocks: [String] = []

    private var lock: String { store + "-lock" }

    /// - Parameter folder: made for the round.
    init(folder: String) throws {
        store = folder + "/moves.loam"
        (kept, spares) = (folder + "/kept", folder + "/spares")
        for folder in [kept, spares] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        _ = try Notes(path: store)
    }

    /// The data files by their numbers.
    var files: [UInt64: String] {
        get throws {
            let names = try FileManager.default.contentsOfDirectory(atPath: kept)
            return Dictionary(
                uniqueKeysWithValues: names.compactMap { name in UInt64(name).map { ($0, kept + "/" + name) } })
        }
    }

    /// Gives the file at the path its second name. False where there is no file.
    @discardableResult
    func keep() throws -> Bool {
        var status = stat()
        guard stat(store, &status) == 0 else { return false }
        guard link(store, kept + "/\(status.st_ino)") == 0 || errno == EEXIST else {
            throw CampaignError("link: \(String(cString: strerror(errno)))")
        }
        return true
    }

    mutating func apply(_ move: Move) throws {
        let exists = try keep()
        switch move {
        case .moveStore: if let place = moveAway(store) { moved.append(place) }
        case .moveBoth:
            let place = nextPlace(store)
            if rename(store, place) == 0 { moved.append(place) }
            rename(lock, place + "-lock")
        case .deleteStore: if exists { unlink(store) }
        case .replaceStore: try replace(exists)
        case .moveStoreBack: try moveBack(exists)
        case .moveLock: if let place = moveAway(lock) { movedLocks.append(place) }
        case .deleteLock: unlink(lock)
        case .replaceLock:
            let place = nextPlace(lock)
            guard
                FileManager.default.createFile(
                    atPath: place, contents: Data(count: 8 * count), attributes: [.posixPermissions: 0o600])
            else { throw CampaignError("no lock file can be made") }
            rename(place, lock)
        case .moveLockBack: if let place = movedLocks.popLast() { rename(place, lock) }
        case .replaceBoth:
            unlink(lock)
            try replace(exists)
        }
    }

    private mutating func nextPlace(_ path: String) -> String {
        count += 1
        return path + ".\(count)"
    }

    private mutating func moveAway(_ path: String) -> String? {
        let place = nextPlace(path)
        return rename(path, place) == 0 ? place : nil
    }

    /// Puts a store that was closed cleanly at the path. Where the path was free, one that a writer makes meanwhile
    /// stays.
    private mutating func replace(_ exists: Bool) throws {
        let spare = nextPlace(spares + "/moves.loam")
        _ = try Notes(path: spare)
        try put(spare, exists)
    }

    private mutating func moveBack(_ exists: Bool) throws {
        if let place = moved.popLast() { try put(place, exists) }
    }

    private func put(_ file: String, _ exists: Bool) throws {
        if exists {
            rename(file, store)
        } else if link(file, store) == 0 {
            unlink(file)
        }
        try keep()
    }
}
