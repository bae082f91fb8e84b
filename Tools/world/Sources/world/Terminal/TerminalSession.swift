import Foundation
import LoamViews
import WorldFaces

/// Views on the terminal of the program, from the first screen to the last key.
@MainActor final class TerminalSession {
    private let device: TerminalDevice
    private let mounted: MountedTree
    private var face: TerminalFace
    /// What the terminal shows; nil where that is not known.
    private var shown: Screen?

    private init<Root: View>(_ device: TerminalDevice, root: Root) {
        self.device = device
        mounted = MountedTree { root }
        let size = device.size
        face = TerminalFace(tree: mounted.tree, rows: size.rows, columns: size.columns)
    }

    /// Shows a view until a key or a signal ends it. The terminal is then as it was before.
    ///
    /// - Returns: the signal that ended it; nil for a key.
    /// - Throws: ``TerminalError`` where there is no terminal.
    static func run<Root: View>(_ root: Root) async throws -> Int32? {
        let device = try TerminalDevice()
        let signals = try Signals.catchAll()
        let session = TerminalSession(device, root: root)
        try device.enter()
        defer {
            device.leave()
            Signals.endReading()
            session.mounted.unmount()
        }
        return try await session.follow(InputReader.inputs(signals: signals, readsKeys: true))
    }

    private func follow(_ inputs: AsyncStream<ProgramInput>) async throws -> Int32? {
        mounted.onRender = { [weak self] tree in
            self?.face.show(tree)
            self?.draw()
        }
        draw()
        for await input in inputs {
            switch input {
            case .key(let key): if try !take(key) { return nil }
            case .signal(SIGWINCH): resize()
            case .signal(SIGTSTP): try suspend()
            case .signal(SIGCONT): try resume()
            case .signal(let number): return number
            case .end: return SIGHUP
            }
        }
        return nil
    }

    /// Whether the session goes on.
    private func take(_ key: Key) throws -> Bool {
        switch face.press(key) {
        case .quit: return false
        case .suspend: try suspend()
        // The next key may be there already: it is for what this one leads to.
        case .perform(let request): if mounted.perform(request) { mounted.render() }
        case nil: break
        }
        draw()
        return true
    }

    private func draw() {
        let screen = face.screen
        let sequence = screen.sequence(replacing: shown)
        shown = screen
        if !sequence.isEmpty { device.write(sequence) }
    }

    private func resize() {
        let size = device.size
        face.resize(rows: size.rows, columns: size.columns)
        shown = nil
        draw()
    }

    /// Gives the terminal back to the shell, and stops. The signal that continues the program is read like any other.
    private func suspend() throws {
        device.leave()
        kill(getpid(), SIGSTOP)
    }

    private func resume() throws {
        device.leave()
        try device.enter()
        resize()
    }
}
