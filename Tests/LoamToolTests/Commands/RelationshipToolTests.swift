import Foundation
import Testing

/// The tool over a store whose rows are related.
@Suite(.serialized) struct RelationshipToolTests {
    static let dump = #"""
        {"loam":"dump","format":2,"entities":[{"indexes":[],"lastRow":2,"name":"Country","properties":[{"name":"name","optional":false,"type":"string"}],"relationships":[{"deleteRule":"cascade","destination":"City","inverse":"country","maximum":9,"minimum":0,"name":"cities","optional":true,"storage":"inverse","toMany":true}],"rows":2},{"indexes":[],"lastRow":4,"name":"City","properties":[{"name":"name","optional":false,"type":"string"},{"name":"country","optional":true,"type":"uint64"},{"name":"country.position","optional":true,"type":"int64"}],"relationships":[{"deleteRule":"nullify","destination":"Country","inverse":"cities","maximum":0,"minimum":0,"name":"country","optional":true,"storage":"orderedReference","toMany":false},{"deleteRule":"nullify","destination":"City","inverse":"twins","links":2,"maximum":0,"minimum":0,"name":"twins","optional":true,"storage":"links","toMany":true}],"rows":2}]}
        {"entity":"Country","row":1,"values":{"name":"Iceland"}}
        {"entity":"Country","row":2,"values":{"name":"Norway"}}
        {"entity":"City","row":3,"values":{"name":"Reykjavík","country":1,"country.position":65536}}
        {"entity":"City","row":4,"values":{"name":"Bergen","country":2,"country.position":65536}}
        {"entity":"City","relationship":"twins","source":3,"destination":4,"positions":[65536,0]}
        {"entity":"City","relationship":"twins","source":4,"destination":3,"positions":[65536,0]}

        """#

    @Test func `relationships are loaded, shown, checked and dumped`() throws {
        try Tool.run { tool in
            try tool.write(Self.dump, to: "dump")
            let loaded = try tool("load", "s.loam", "dump")
            #expect(loaded.status == 0, "\(loaded.error)")
            #expect(
                try tool("schema", "s.loam").output == """
                    Country
                      name    string
                      cities  [City] inverse country, delete cascade, at most 9

                    City
                      name     string
                      country  Country? inverse cities
                      twins    [City] inverse twins
                      index ref(country): country, country.position; sectioned

                    """)
            #expect(
                try tool("query", "s.loam", "City", "--output", "csv").output
                    == "name,country\nReykjavík,1\nBergen,2\n")
            #expect(
                try tool("check", "s.loam").output
                    == "Clean: 4 records, 1 index, 2 index entries, 2 links.\n")
            #expect(try tool("dump", "s.loam").output == Self.dump)
        }
    }

    @Test func `an import leaves relationships nil`() throws {
        try Tool.run { tool in
            try tool.write(Self.dump, to: "dump")
            _ = try tool("load", "s.loam", "dump")
            try tool.write("name\nOslo\n", to: "cities.csv")
            let result = try tool("import", "s.loam", "City", "cities.csv")
            #expect(result.status == 0, "\(result.error)")
            #expect(
                try tool("query", "s.loam", "City", "--output", "csv").output
                    == "name,country\nReykjavík,1\nBergen,2\nOslo,\n")
            #expect(try tool("check", "s.loam").output.hasPrefix("Clean: 5 records"))
        }
    }
}
