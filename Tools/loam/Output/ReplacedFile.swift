import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is written under another name in the same folder and takes its own when it is complete and on the disk:
/// under its own name it is never seen in part.
///
/// The other name is random, made by this process or not at all, and readable by its user alone. It is removed when the
/// writing fails and when the process is asked to end. What is no regular file, such as a pipe or `/dev/null`, is
/// written as it is.
final class ReplacedFile {
    /// What happens to a file that has the name already.
    enum Existing {
        case replaced, refused
    }

    let output: OutputDescriptor
    private let path: String
    private let existing: Existing
    /// The name until the file is complete; nil where it is written in place.
    private var partial: String?

    init(path: String, existing: Existing) throws {
        var status = stat()
        let isThere = (existing == .refused ? lstat(path, &status) : stat(path, &status)) == 0
        guard !isThere || existing == .replaced else { throw ArgumentError(.fileExists(path)) }
        // Names of what is open already, such as `/dev/stdout`, lead to files that must stay where they are.
        let isOpen = path.hasPrefix("/dev/") || path.hasPrefix("/proc/")
        let isPlain = !isThere || status.st_mode & S_IFMT == S_IFREG && !isOpen
        self.path = path
        self.existing = existing
        let name = isPlain ? Self.partialName(beside: path) : path
        let flags = isPlain ? O_CREAT | O_EXCL | O_NOFOLLOW : O_NOCTTY
        // The signals are handled before the file is there: whoever sees it may ask the process to end.
        if isPlain { Signals.removeWhenEnded(name) }
        let descriptor = open(name, O_WRONLY | O_CLOEXEC | flags, 0o600)
        guard descriptor >= 0 else { throw OutputError(path) }
        output = OutputDescriptor(descriptor: descriptor, path: path)
        guard isPlain else { return }
        partial = name
    }

    deinit {
        close(output.descriptor)
        if let partial { unlink(partial) }
    }

    private static func partialName(beside path: String) -> String {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        return "\(folder)loam-partial-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    }

    /// Gives the file its own name.
    func commit() throws {
        guard let partial else { return }
        guard fsync(output.descriptor) == 0 else { throw OutputError(path) }
        switch existing {
        case .replaced: guard rename(partial, path) == 0 else { throw OutputError(path) }
        case .refused: try takeFreeName(partial)
        }
        self.partial = nil
        syncFolder()
    }

    /// A second name for the file is made only where the name is free; where a file system has no second names, another
    /// process could take the name between the look and the renaming.
    private func takeFreeName(_ partial: String) throws {
        if link(partial, path) == 0 {
            unlink(partial)
            return
        }
        if errno == EEXIST { throw ArgumentError(.fileExists(path)) }
        var status = stat()
        guard lstat(path, &status) != 0 else { throw ArgumentError(.fileExists(path)) }
        guard rename(partial, path) == 0 else { throw OutputError(path) }
    }

    /// Makes the name survive a power cut. Where a file system cannot do that, its own promises hold.
    private func syncFolder() {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}
