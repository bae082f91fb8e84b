import Foundation
import Testing

/// The files, types and code that the pages of the documentation name exist.
@Suite("The documentation's pages")
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The pages, in the order of their names.
    private static func pages() throws -> [(name: String, text: String)] {
        let folder = root.appendingPathComponent("Sources/Loam/Loam.docc")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }.sorted()
            .map { ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8)) }
    }

    /// The words in single backticks outside of drawings and code.
    private static func words(of page: String) -> [String] {
        let prose = page.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
        return prose.flatMap { text in
            text.replacing(/``[^`]+``/, with: "").matches(of: /`([^`\n]+)`/).map { String($0.1) }
        }
    }

    @Test("show code that the example has, too")
    func showTheExample() throws {
        let file = Self.root.appendingPathComponent("Tests/ReadmeTests/Example.swift")
        let example = try String(contentsOf: file, encoding: .utf8)
        var count = 0
        for page in try Self.pages() {
            for block in page.text.components(separatedBy: "```swift\n").dropFirst() {
                let code = try #require(block.components(separatedBy: "```").first)
                // The page shows code of a function's body from the margin on.
                let body = code.replacing(/(?m)^(?=.)/, with: "    ")
                #expect(example.contains(code) || example.contains(body), "\(page.name): \(code)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    @Test("name files that exist")
    func nameFiles() throws {
        var count = 0
        for page in try Self.pages() {
            for word in Self.words(of: page.text) where word.wholeMatch(of: /(Sources|Tests|Tools)\/\S+/) != nil {
                let path = Self.root.appendingPathComponent(word).path
                #expect(FileManager.default.fileExists(atPath: path), "\(page.name): \(word)")
                count += 1
            }
        }
        #expect(count > 0)
    }

    /// Names of Swift, of Foundation, and of folders of the project.
    private static let foreign: Set = [
        "Bool", "Data", "Date", "Decimal", "Double", "Float", "Sources", "String", "Tests", "URL", "UUID",
    ]

    @Test("name types that the sources declare")
    func nameTypes() throws {
        let sources = Self.root.appendingPathComponent("Sources")
        var declared = Self.foreign.union(try FileManager.default.contentsOfDirectory(atPath: sources.path))
        for case let path as String in FileManager.default.enumerator(atPath: sources.path) ?? .init()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(path), encoding: .utf8)
            let types = text.matches(of: /\b(?:struct|class|enum|actor|protocol|typealias)\s+(_?[A-Z]\w*)/)
            declared.formUnion(types.map { String($0.1) })
        }
        var count = 0
        for page in try Self.pages() {
            for word in Self.words(of: page.text) where word.wholeMatch(of: /_?[A-Z][a-z]+[A-Za-z]*/) != nil {
                let isDeclared = declared.contains(word)
                #expect(isDeclared, "\(page.name): \(word)")
                count += 1
            }
        }
        #expect(count > 0)
    }
}
