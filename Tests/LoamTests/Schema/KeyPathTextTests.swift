import Foundation
import Testing

@testable import Loam

extension City {
    /// Of the same type as the stored name, and read from it.
    fileprivate var title: String { name }
    fileprivate var homeland: Country? { country }
}

@Suite("The components of a key path")
struct KeyPathTextTests {
    private static func isPassed(_ keyPath: AnyKeyPath, by parts: [AnyKeyPath]) -> Bool {
        var text = KeyPathText(keyPath)
        for part in parts {
            guard text.pass(KeyPathText(part)) else { return false }
            text.passUnwrapping()
        }
        return text.isAtEnd
    }

    @Test("are those of the properties that it leads through")
    func parts() {
        #expect(Self.isPassed(\City.name, by: [\City.name]))
        #expect(Self.isPassed(\City.country?.name, by: [\City.country, \Country.name]))
        #expect(Self.isPassed(\City.country!.code, by: [\City.country, \Country.code]))
        #expect(Self.isPassed(\City.name.count, by: [\City.name, \String.count]))
        #expect(Self.isPassed(\City.country?.name.count, by: [\City.country, \Country.name, \String.count]))
    }

    @Test("are the same where key paths were appended")
    func appended() throws {
        let count = (\City.name as AnyKeyPath).appending(path: \String.count)
        #expect(Self.isPassed(try #require(count), by: [\City.name, \String.count]))
    }

    @Test("differ for other properties of the same type, stored or computed")
    func others() {
        #expect(!Self.isPassed(\City.country?.name, by: [\City.country, \Country.code]))
        #expect(!Self.isPassed(\City.title, by: [\City.name]))
        #expect(!Self.isPassed(\City.homeland?.name, by: [\City.country, \Country.name]))
        #expect(!Self.isPassed(\City.country?.name, by: [\City.country]))
        #expect(!Self.isPassed(\City.name, by: [\City.name, \String.count]))
    }

    @Test("have an identity where Swift prints an address, so that the memory of key paths is laid out as expected")
    func identities() throws {
        let (one, other) = (\City.country?.name as AnyKeyPath, \City.country?.code as AnyKeyPath)
        let getters = [one, other].map { keyPath in
            keyPath.debugDescription.split(separator: "0x").dropFirst().compactMap {
                UInt($0.prefix { $0.isHexDigit }, radix: 16)
            }
        }
        var components = [try #require(ComputedComponents(of: one)), try #require(ComputedComponents(of: other))]
        let first = (0...1).map { components[$0].identity(ofGetter: getters[$0][0]) }
        let second = (0...1).map { components[$0].identity(ofGetter: getters[$0][1]) }
        #expect(first[0] != nil && first[0] == first[1])
        #expect(second[0] != nil && second[1] != nil && second[0] != second[1])
        #expect(components[0].identity(ofGetter: getters[0][0]) == nil)
    }

    @Test("are none where what is printed is unknown, as with subscripts")
    func unknown() {
        #expect(!Self.isPassed(\City.tags[0].name, by: [\City.tags, \Tag.name]))
    }
}
