import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that the tool writes are complete or not there, private, and never a store.
@Suite(.serialized) struct OutputFileTests {
    private func withStore(rows: Int = 500, _ body: (Tool) throws -> Void) throws {
        try Tool.run { tool in
            let lines = (0..<rows).map { "\($0),\(String(repeating: "x", count: 100))\n" }
            try tool.write("id,name\n" + lines.joined(), to: "rows.csv")
            #expect(try tool("import", "s.loam", "Row", "rows.csv").status == 0)
            try body(tool)
        }
    }

    private func names(_ tool: Tool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: tool.folder.path).filter { !$0.hasPrefix(".") }.sorted()
    }

    private func mode(_ name: String, _ tool: Tool) throws -> Int? {
        let path = tool.folder.appendingPathComponent(name).path
        return try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `what is written is its user's alone, whatever was there`() throws {
        try withStore { tool in
            try tool.write("old", to: "old")
            let dumped = try tool.shell("chmod 666 old; umask 0; loam dump s.loam -o old && loam dump s.loam -o new")
            #expect(dumped.status == 0, "\(dumped)")
            #expect(try tool.shell("umask 0; loam compact s.loam copy.loam").status == 0)
            for name in ["old", "new", "copy.loam"] { #expect(try mode(name, tool) == 0o600, "\(name)") }
            #expect(try tool.read("old") == tool.read("new"))
            #expect(try tool("check", "copy.loam").status == 0)
        }
    }

    @Test func `a symbolic link is replaced, what it leads to is left`() throws {
        try withStore { tool in
            try tool.write("precious", to: "target")
            #expect(try tool.shell("ln -s target link && ln -s nowhere dangling").status == 0)
            #expect(try tool("dump", "s.loam", "-o", "link").status == 0)
            #expect(try tool("dump", "s.loam", "-o", "dangling").status == 0)
            #expect(try tool.read("target") == Data("precious".utf8) && !tool.exists("nowhere"))
            #expect(try tool.shell("ln -sf nowhere dangling; loam compact s.loam dangling").status == 1)
            #expect(!tool.exists("nowhere"))
        }
    }

    @Test func `a name of what is open already is written through, not replaced`() throws {
        try withStore { tool in
            let before = try FileManager.default.attributesOfItem(atPath: "/dev/stdout")[.type] as? FileAttributeType
            #expect(try tool.shell("loam dump s.loam -o /dev/stdout > through").status == 0)
            #expect(try tool("dump", "s.loam", "-o", "whole").status == 0)
            #expect(try tool.read("through") == tool.read("whole"))
            let after = try FileManager.default.attributesOfItem(atPath: "/dev/stdout")[.type] as? FileAttributeType
            #expect(before == after)
        }
    }

    static let storeNames = [
        "s.loam", "s.loam-lock", "./folder/../s.loam", "hard", "hard-lock", "soft", "soft-lock", "other.loam",
        "other.loam-lock", "unlocked.loam-lock", "folder/back.loam",
    ]

    @Test(arguments: storeNames)
    func `no output goes onto a store or its lock file`(name: String) throws {
        try withStore { tool in
            let made = try tool.shell(
                """
                mkdir folder && ln s.loam hard && ln s.loam-lock hard-lock && ln -s s.loam soft
                ln -s s.loam-lock soft-lock && ln -s ../s.loam folder/back.loam
                loam compact s.loam other.loam && loam info other.loam >/dev/null && loam compact s.loam unlocked.loam
                """)
            #expect(made.status == 0, "\(made)")
            let before = try ["s.loam", "other.loam", "unlocked.loam"].map(tool.read)
            let files = try names(tool)
            for command in ["dump s.loam -o \(name)", "compact s.loam \(name)", "compact folder/back.loam \(name)"] {
                let result = try tool.shell("loam \(command)")
                #expect(result.status == 1 && result.output == "", "\(command): \(result)")
                #expect(result.error.contains("store") && result.error.contains("choose another"), "\(result)")
            }
            if tool.exists(name) {
                for command in ["dump s.loam >>\(name)", "query s.loam Row >>\(name)", "query s.loam None 2>>\(name)"] {
                    let result = try tool.shell("loam \(command)")
                    #expect(result.status == 1, "\(command): \(result)")
                }
                #expect(try tool.shell("loam query 2>>\(name)").status == 1)
                let asInput = try tool("import", "s.loam", "Row", name)
                #expect(asInput.status == 1)
                #expect(try tool("load", "s.loam", name).status == 1)
            }
            #expect(try ["s.loam", "other.loam", "unlocked.loam"].map(tool.read) == before)
            #expect(try names(tool) == files)
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 500 records"))
        }
    }

    @Test func `streams that are closed do not become the store`() throws {
        try withStore { tool in
            let before = try tool.read("s.loam")
            for command in ["info s.loam", "query s.loam Row", "query s.loam None", "dump s.loam", "check s.loam", "x"]
            {
                let result = try tool.shell("loam \(command) <&- >&- 2>&-")
                #expect([1, 64].contains(result.status), "\(command): \(result)")
            }
            #expect(try tool.read("s.loam") == before)
            #expect(try tool.shell("loam import s.loam Row missing.csv <&- >&- 2>&-").status == 1)
            #expect(try tool.shell("loam import s.loam Row rows.csv <&- >&- 2>&-").status == 0)
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 1,000 records"))
        }
    }

    @Test(arguments: ["dump s.loam -o out", "compact s.loam out", "dump s.loam -o /dev/full", "dump s.loam >/dev/full"])
    func `a disk that is full, or a limit of file sizes, leaves no part of a file`(command: String) throws {
        try withStore { tool in
            let files = try names(tool)
            // 32 KiB: less than either output. The signal of the limit would end a process that does not ignore it.
            let result = try tool.shell("ulimit -f 64; exec loam \(command)")
            #expect(result.status == 1 && result.error.hasPrefix("Error: "), "\(result)")
            #expect(result.error.contains("space") || result.error.contains("too large"), "\(result)")
            #expect(try names(tool) == files)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `a dump that is asked to end leaves no part of a file`(request: Int32) throws {
        // A shell that starts the tests in the background has them ignore SIGINT, which their children would inherit.
        let before = signal(request, SIG_DFL)
        defer { _ = signal(request, before) }
        try withStore(rows: 10_000) { tool in
            let files = try names(tool)
            var wasEnded = false
            for _ in 0..<20 where !wasEnded {
                let process = tool.process(["dump", "s.loam", "-o", "out"])
                try process.run()
                while process.isRunning, try !names(tool).contains(where: { $0.hasPrefix("loam-partial-") }) {}
                kill(process.processIdentifier, request)
                process.waitUntilExit()
                wasEnded = process.terminationReason == .uncaughtSignal
                // A process that was done before it was asked to end left a whole file.
                if !wasEnded { try FileManager.default.removeItem(at: tool.folder.appendingPathComponent("out")) }
                #expect(try names(tool) == files)
            }
            #expect(wasEnded)
        }
    }
}
