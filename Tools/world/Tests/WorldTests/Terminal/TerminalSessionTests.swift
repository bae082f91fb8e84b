import Foundation
import TerminalEmulator
import Testing

@testable import world

/// The program in a pseudo-terminal: keys in, a screen out.
@Suite(.timeLimit(.minutes(30)), .serialized) struct TerminalSessionTests {
    private func start(_ world: SmallWorld, rows: Int = 24, columns: Int = 80) throws -> PseudoTerminal {
        try PseudoTerminal(WorldProgram.path(), ["--store", world.path], rows: rows, columns: columns)
    }

    @Test("What is typed filters, arrows and tab mark, and control-c leaves the terminal as it was")
    func keys() async throws {
        let world = try SmallWorld()
        try await onThread {
            let terminal = try start(world)
            let modes = terminal.modes
            try terminal.wait(for: "[ ] 日本")
            #expect(terminal.modes != modes)
            #expect(terminal.emulator.modes.contains("?1049"))
            #expect(terminal.emulator.lines.first == " Countries")
            terminal.type("la")
            try terminal.wait { $0.text.contains("> la") && !$0.text.contains("Chad") }
            #expect(terminal.emulator.text.contains("▸ [ ] Laos"))
            terminal.type("\t")
            try terminal.wait(for: "▸ [x] Laos")
            terminal.type("\u{7F}\u{7F}\u{1B}[C")
            try terminal.wait { $0.text.contains("Laos") && !$0.text.contains("Chad") && !$0.text.contains("> la") }
            terminal.type("\r")
            try terminal.wait(for: "Continent")
            terminal.type("\u{1B}")
            try terminal.wait(for: "Countries")
            terminal.type("\u{3}")
            #expect(terminal.end() == 0)
            #expect(terminal.modes == modes)
            #expect(terminal.emulator.modes == ["?25"])
            #expect(terminal.emulator.surprises.isEmpty)
        }
        let marked = try world.open().mark(code: "LA", visited: true)
        #expect(marked)
    }

    @Test("A key is answered by what has changed alone, and a resize by a whole screen")
    func redraws() async throws {
        let world = try SmallWorld(more: 60)
        try await onThread {
            let terminal = try start(world, rows: 40, columns: 100)
            try terminal.wait { $0.text.contains("▸") && $0.text.contains("ctrl-c end") }
            let whole = terminal.output.count
            terminal.type("\u{1B}[B")
            try terminal.wait { $0.text.contains("▸ [ ] Laos") || $0.text.contains("▸ [ ] 日本") }
            #expect(terminal.output.count - whole < whole / 5)
            terminal.resize(rows: 10, columns: 60)
            try terminal.wait { $0.lines.last?.contains("move") == true && $0.text.contains("▸") }
            #expect(terminal.emulator.lines.count == 10)
            terminal.type("\u{3}")
            #expect(terminal.end() == 0)
        }
    }

    @Test("Signals that end the program leave the terminal as it was", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signals(number: Int32) async throws {
        let world = try SmallWorld()
        try await onThread {
            let terminal = try start(world)
            let modes = terminal.modes
            try terminal.wait(for: "Laos")
            kill(terminal.process, number)
            #expect(terminal.end() & 0x7F == number)
            #expect(terminal.modes == modes)
            #expect(terminal.emulator.modes == ["?25"])
        }
    }

    @Test("A crash leaves the terminal as it was")
    func crash() async throws {
        let world = try SmallWorld()
        try await onThread {
            let terminal = try start(world)
            let modes = terminal.modes
            try terminal.wait(for: "Laos")
            kill(terminal.process, SIGABRT)
            #expect(terminal.end() & 0x7F == SIGABRT)
            #expect(terminal.modes == modes)
            #expect(terminal.emulator.modes == ["?25"])
        }
    }

    @Test("Stopped, the program gives the terminal back; continued, it draws everything anew")
    func stop() async throws {
        let world = try SmallWorld()
        try await onThread {
            let terminal = try start(world)
            let modes = terminal.modes
            try terminal.wait(for: "Laos")
            terminal.type("\u{1A}")
            terminal.waitForStop()
            #expect(terminal.modes == modes)
            #expect(terminal.emulator.modes == ["?25"])
            kill(terminal.process, SIGCONT)
            try terminal.wait { $0.modes.contains("?1049") && $0.text.contains("Laos") }
            #expect(terminal.modes != modes)
            terminal.type("\u{3}")
            #expect(terminal.end() == 0)
            #expect(terminal.modes == modes)
        }
    }

    @Test("Another process's save is seen")
    func anotherProcess() async throws {
        let world = try SmallWorld()
        try await onThread {
            let terminal = try start(world)
            try terminal.wait(for: "[ ] Laos")
            try world.visitElsewhere("LA")
            try terminal.wait(for: "[x] Laos")
            terminal.type("\u{3}")
            #expect(terminal.end() == 0)
        }
    }

    @Test("A hostile name is shown, and steers nothing")
    func hostile() async throws {
        let world = try SmallWorld(isHostile: true)
        try await onThread {
            let terminal = try start(world, columns: 120)
            try terminal.wait(for: "Zz\u{FFFD}[2J\u{FFFD}31m</script>")
            #expect(terminal.emulator.text.contains("Laos"))
            terminal.type("zz")
            try terminal.wait { !$0.text.contains("Laos") }
            terminal.type("\r")
            try terminal.wait(for: "Continent")
            #expect(terminal.emulator.surprises.isEmpty)
            terminal.type("\u{3}")
            #expect(terminal.end() == 0)
        }
    }

    @Test("Without a terminal the program says so, and writes no sequence")
    func noTerminal() async throws {
        let result = try await onThread { try WorldProgram.run([]) }
        #expect(result.status != 0)
        #expect(result.output.contains("Standard input is no terminal"))
        #expect(!result.output.contains("\u{1B}"))
    }
}
